/**
 * What the conditions of a namespace say about its deletion: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/namespace/deletion/status_condition_utils.go.
 */
import type { NamespaceCondition } from "@binnacle/api";
import { formatGroupResource, type GroupResource, msToTime } from "@binnacle/apimachinery";

/** How one pass over the content of a namespace went. */
export interface DeletionPass {
  /** Why not all resources could be found, if so. */
  readonly discoveryFailures: readonly string[];
  /** Why content could not be deleted, if so. */
  readonly deletionFailures: readonly string[];
  /** What is left, by resource. */
  readonly remaining: readonly { readonly resource: GroupResource; readonly count: number }[];
  /** How many of the remaining objects have each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

type Fields = Pick<NamespaceCondition, "type" | "status"> & { reason: string; message: string };

/** The conditions after a pass; the same list when nothing has changed. */
export function namespaceConditions(
  present: readonly NamespaceCondition[],
  pass: DeletionPass,
  nowMs: number,
): readonly NamespaceCondition[] {
  let conditions = present;
  for (const wanted of wantedConditions(pass)) {
    const old = conditions.find((each) => each.type === wanted.type);
    if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message)
      continue;
    const { type, status, reason, message } = wanted;
    const updated = { type, status, lastTransitionTime: msToTime(nowMs), reason, message };
    conditions =
      old === undefined
        ? [...conditions, updated]
        : conditions.map((each) => (each === old ? updated : each));
  }
  return conditions;
}

function wantedConditions(pass: DeletionPass): Fields[] {
  return [
    pass.discoveryFailures.length > 0
      ? isTrue(
          "NamespaceDeletionDiscoveryFailure",
          "DiscoveryFailed",
          discoveryMessage(pass.discoveryFailures),
        )
      : isFalse(
          "NamespaceDeletionDiscoveryFailure",
          "ResourcesDiscovered",
          "All resources successfully discovered",
        ),
    isFalse(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    pass.deletionFailures.length > 0
      ? isTrue(
          "NamespaceDeletionContentFailure",
          "ContentDeletionFailed",
          `Failed to delete all resource types, ${pass.deletionFailures.length} remaining: ${[...pass.deletionFailures].sort().join(", ")}`,
        )
      : isFalse(
          "NamespaceDeletionContentFailure",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        ),
    pass.remaining.length > 0
      ? isTrue(
          "NamespaceContentRemaining",
          "SomeResourcesRemain",
          `Some resources are remaining: ${pass.remaining.map(describeRemaining).sort().join(", ")}`,
        )
      : isFalse("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
    pass.finalizers.size > 0
      ? isTrue(
          "NamespaceFinalizersRemaining",
          "SomeFinalizersRemain",
          `Some content in the namespace has finalizers remaining: ${[...pass.finalizers]
            .map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
            .sort()
            .join(", ")}`,
        )
      : isFalse(
          "NamespaceFinalizersRemaining",
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished",
        ),
  ];
}

function discoveryMessage(failures: readonly string[]): string {
  return `Discovery failed for some groups, ${failures.length} failing: ${failures.join(", ")}`;
}

/** The dot is there for the core group too. */
function describeRemaining({ resource, count }: { resource: GroupResource; count: number }): string {
  const name = resource.group === "" ? `${resource.resource}.` : formatGroupResource(resource);
  return `${name} has ${count} resource instances`;
}

function isTrue(type: string, reason: string, message: string): Fields {
  return { type, status: "True", reason, message };
}

function isFalse(type: string, reason: string, message: string): Fields {
  return { type, status: "False", reason, message };
}
