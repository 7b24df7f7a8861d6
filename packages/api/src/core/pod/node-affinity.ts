import type {
  Node,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
} from "../../generated/core-v1.generated.ts";

/**
 * Whether a pod may be on a node by its node selector and its required affinity.
 *
 * Source: kubernetes v1.36 component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go, GetRequiredNodeAffinity.
 */
export function matchesRequiredNodeAffinity({ nodeSelector = {}, affinity }: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    if (!Object.hasOwn(labels, key) || labels[key] !== value) return false;
  }
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesNodeSelectorTerms(required.nodeSelectorTerms, node);
}

/** Whether any term holds for the node. */
export function matchesNodeSelectorTerms(terms: readonly NodeSelectorTerm[], node: Node): boolean {
  return terms.some((term) => matchesNodeSelectorTerm(term, node));
}

/** Whether all requirements of a term hold; an empty term matches nothing. */
export function matchesNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { metadata }: Node,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const labels = metadata.labels ?? {};
  return (
    matchExpressions.every((each) =>
      holds(each, Object.hasOwn(labels, each.key) ? labels[each.key] : undefined),
    ) && matchFields.every((each) => each.key === "metadata.name" && holds(each, metadata.name))
  );
}

function holds({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      const [number, limit] = [integerOf(value), integerOf(values[0])];
      if (number === undefined || limit === undefined) return false;
      return operator === "Gt" ? number > limit : number < limit;
    }
    default:
      return false;
  }
}

function integerOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^-?[0-9]+$/.test(text) ? BigInt(text) : undefined;
}
