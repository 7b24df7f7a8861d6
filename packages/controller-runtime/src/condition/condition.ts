import { type Condition, msToTime } from "@binnacle/apimachinery";

/** The condition of a type, if it is there. */
export function findCondition<C extends Pick<Condition, "type">>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition is there and True. */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | null | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/**
 * The conditions with this one set. The transition time changes only with the status. Gives the same list when nothing
 * changes.
 */
export function setCondition<C extends Condition>(
  conditions: readonly C[],
  condition: Omit<C, "lastTransitionTime">,
  nowMs: number,
): readonly C[] {
  const present = findCondition(conditions, condition.type);
  const hasTurned = present === undefined || present.status !== condition.status;
  const lastTransitionTime = hasTurned ? msToTime(nowMs) : present.lastTransitionTime;
  const updated = { ...present, ...condition, lastTransitionTime } as C; // Every field of the condition is given.
  if (present === undefined) return [...conditions, updated];
  const isSame =
    !hasTurned &&
    present.reason === updated.reason &&
    present.message === updated.message &&
    present.observedGeneration === updated.observedGeneration;
  return isSame ? conditions : conditions.map((each) => (each === present ? updated : each));
}
