import type { NodeSelectorRequirement, NodeSelectorTerm } from "@binnacle/api";
import type { NodeInfo } from "../../snapshot/node-info.ts";

/** Whether any term holds for the node. Source: component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go. */
export function matchesTerms(terms: readonly NodeSelectorTerm[], node: NodeInfo): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

/** Whether all requirements of a term hold; an empty term matches nothing. */
export function matchesTerm(term: NodeSelectorTerm, node: NodeInfo): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  return (
    expressions.every((each) =>
      holds(each, Object.hasOwn(node.labels, each.key) ? node.labels[each.key] : undefined),
    ) && fields.every((each) => holds(each, each.key === "metadata.name" ? node.name : undefined))
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
      return compare(value, values[0], (a, b) => a > b);
    case "Lt":
      return compare(value, values[0], (a, b) => a < b);
    default:
      return false;
  }
}

function compare(
  value: string | undefined,
  limit: string | undefined,
  isRight: (a: number, b: number) => boolean,
): boolean {
  if (value === undefined || limit === undefined || !/^-?[0-9]+$/.test(value) || !/^-?[0-9]+$/.test(limit))
    return false;
  return isRight(Number(value), Number(limit));
}
