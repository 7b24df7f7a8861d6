import type { Pod } from "@binnacle/api";
import { type Cache, controllerOf } from "@binnacle/controller-runtime";
import { pods } from "../resource-types.ts";

/** Finds pods that nobody controls, by namespace. */
const ORPHAN_INDEX = "orphans";

/** Has the cache find pods that nobody controls. Every controller that adopts pods calls it at its start. */
export function indexOrphans(cache: Cache): void {
  cache.addIndex(pods, ORPHAN_INDEX, orphanValues);
}

/** The pods of a namespace that nobody controls. */
export function listOrphans(cache: Cache, namespace: string): Pod[] {
  return cache.list(pods, { index: [ORPHAN_INDEX, namespace] });
}

function orphanValues(pod: Pod): string[] {
  const { namespace } = pod.metadata;
  return namespace === undefined || controllerOf(pod) !== undefined ? [] : [namespace];
}
