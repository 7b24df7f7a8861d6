import type { Toleration } from "@binnacle/api";
import { jsonEquals } from "@binnacle/base";

/**
 * Both lists in one, without those that another one includes.
 *
 * Source: kubernetes v1.36 pkg/util/tolerations/tolerations.go, MergeTolerations.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [i, toleration] of all.entries()) {
    const isIncluded =
      merged.some((other) => includes(other, toleration)) ||
      // Of equal ones the first stays.
      all.slice(i + 1).some((other) => !jsonEquals(other, toleration) && includes(other, toleration));
    if (!isIncluded) merged.push(toleration);
  }
  return merged;
}

/** Whether `wide` tolerates all that `narrow` does. */
function includes(wide: Toleration, narrow: Toleration): boolean {
  if (jsonEquals(wide, narrow)) return true;
  const isForAllKeys = (wide.key ?? "") === "" && wide.operator === "Exists";
  if ((narrow.key ?? "") !== (wide.key ?? "") && !isForAllKeys) return false;
  if ((wide.effect ?? "") !== "" && narrow.effect !== wide.effect) return false;
  if (wide.effect === "NoExecute" && wide.tolerationSeconds !== undefined) {
    const isLonger = (narrow.tolerationSeconds ?? Number.POSITIVE_INFINITY) > wide.tolerationSeconds;
    if (isLonger) return false;
  }
  if (wide.operator === "Exists") return true;
  const isEqual = (wide.operator ?? "") === "" || wide.operator === "Equal";
  return isEqual && narrow.operator === "Equal" && (narrow.value ?? "") === (wide.value ?? "");
}
