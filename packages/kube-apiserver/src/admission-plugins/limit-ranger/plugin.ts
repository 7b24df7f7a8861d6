import type { LimitRange, PersistentVolumeClaim, Pod } from "@binnacle/api";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { listObjects } from "../lookup.ts";
import { refusal } from "../refusal.ts";
import { claimViolations, joinViolations, podViolations, setDefaultResources } from "./limits.ts";

const LIMIT_RANGES = { group: "", resource: "limitranges" };

/**
 * Gives containers the default resources of their namespace, and keeps pods and claims within its limits.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission.go.
 */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  operations: ["CREATE", "UPDATE"],
  mutate(attributes, core) {
    const pod = podOf(attributes);
    if (pod === undefined) return;
    for (const range of rangesFor(attributes, core)) setDefaultResources(range, pod);
  },
  validate(attributes, core) {
    const pod = podOf(attributes);
    const claim = claimOf(attributes);
    if (pod === undefined && claim === undefined) return;
    for (const range of rangesFor(attributes, core)) {
      const found = [
        ...(pod === undefined ? [] : podViolations(range, pod)),
        ...(claim === undefined ? [] : claimViolations(range, claim)),
      ];
      if (found.length > 0) throw refusal(attributes, joinViolations(found));
    }
  },
};

function rangesFor({ namespace, oldObject }: AdmissionAttributes, core: ApiServerCore): LimitRange[] {
  // What is going away may go as it is.
  if (oldObject?.metadata.deletionTimestamp !== undefined) return [];
  return listObjects<LimitRange>(core, LIMIT_RANGES, namespace);
}

/** A pod whose resources may change: one that is created or resized. */
function podOf({ served, subresource, operation, object }: AdmissionAttributes): Pod | undefined {
  if (served.group !== "" || served.resource !== "pods") return undefined;
  const isResize = operation === "UPDATE" && subresource === "resize";
  const isCreate = operation === "CREATE" && subresource === "";
  return isCreate || isResize ? (object as unknown as Pod | undefined) : undefined; // Decoded as a Pod.
}

function claimOf({ served, subresource, object }: AdmissionAttributes): PersistentVolumeClaim | undefined {
  if (served.group !== "" || served.resource !== "persistentvolumeclaims" || subresource !== "")
    return undefined;
  return object as unknown as PersistentVolumeClaim | undefined; // Decoded as a claim.
}
