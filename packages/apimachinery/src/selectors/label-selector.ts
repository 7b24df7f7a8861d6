import { badRequest } from "../errors/status-error.ts";
import {
  type LabelMatcher,
  type LabelOperator,
  labelMatcher,
  labelRequirement,
  matchEveryLabel,
  matchNoLabel,
} from "./label-matcher.ts";

/** A label selector as objects carry it. Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/types.go. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | (string & {});
  values?: string[];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/**
 * Compiles the selector of an object: a missing one selects nothing, an empty one everything. Throws the API's 400
 * for an unknown operator or a key or value that is not allowed.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/helpers.go, LabelSelectorAsSelector.
 */
export function labelSelectorFromObject(
  selector:
    | {
        readonly matchLabels?: Readonly<Record<string, string>> | null;
        readonly matchExpressions?:
          | readonly {
              readonly key: string;
              readonly operator: string;
              readonly values?: readonly string[] | null;
            }[]
          | null;
      }
    | null
    | undefined,
): LabelMatcher {
  if (selector === null || selector === undefined) return matchNoLabel;
  const labels = Object.entries(selector.matchLabels ?? {});
  const expressions = selector.matchExpressions ?? [];
  if (labels.length === 0 && expressions.length === 0) return matchEveryLabel;
  return labelMatcher([
    ...labels.map(([key, value]) => labelRequirement(key, "=", [value])),
    ...expressions.map(({ key, operator, values }) => {
      const compiled = OPERATORS.get(operator);
      if (compiled === undefined)
        throw badRequest(`${JSON.stringify(operator)} is not a valid label selector operator`);
      return labelRequirement(key, compiled, values ?? []);
    }),
  ]);
}
