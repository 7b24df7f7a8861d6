import type { ObjectReference, PersistentVolumeClaim } from "@binnacle/api";

/** How a volume names the claim it serves. */
export function claimReference({ metadata }: PersistentVolumeClaim): ObjectReference {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  return { kind: "PersistentVolumeClaim", namespace, name, uid, apiVersion: "v1", resourceVersion };
}
