import type { Node, Taint } from "@binnacle/api";

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/**
 * Conditions that keep pods away, and the taint for each status that does.
 *
 * Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go, nodeConditionToTaintKeyStatusMap.
 */
const TAINTS_BY_CONDITION: readonly (readonly [type: string, status: string, key: string])[] = [
  ["Ready", "False", NOT_READY],
  ["Ready", "Unknown", UNREACHABLE],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];

/** Taints that this controller gives and takes; every other one is somebody else's. */
const OWN_NO_SCHEDULE: ReadonlySet<string> = new Set([
  ...TAINTS_BY_CONDITION.map(([, , key]) => key),
  UNSCHEDULABLE,
]);
const OWN_NO_EXECUTE: ReadonlySet<string> = new Set([NOT_READY, UNREACHABLE]);

/** Pure: the taints a node should have instead of its own; undefined when nothing changes. `now` stamps new ones. */
export function taintsOf(node: Node, now: string): readonly Taint[] | undefined {
  const current = node.spec?.taints ?? [];
  const wanted: Taint[] = [];
  for (const [type, status, key] of TAINTS_BY_CONDITION) {
    const actual = node.status?.conditions?.find((each) => each.type === type)?.status;
    if (actual !== status) continue;
    wanted.push({ key, effect: "NoSchedule" });
    if (OWN_NO_EXECUTE.has(key)) wanted.push({ key, effect: "NoExecute" });
  }
  if (node.spec?.unschedulable === true) wanted.push({ key: UNSCHEDULABLE, effect: "NoSchedule" });
  const others = current.filter((taint) => !isOwn(taint) || wanted.some((each) => isSame(each, taint)));
  const added = wanted
    .filter((each) => !current.some((taint) => isSame(each, taint)))
    .map((taint) => ({ ...taint, timeAdded: now }));
  return others.length === current.length && added.length === 0 ? undefined : [...others, ...added];
}

function isOwn({ key, effect }: Taint): boolean {
  return (
    (effect === "NoSchedule" && OWN_NO_SCHEDULE.has(key)) ||
    (effect === "NoExecute" && OWN_NO_EXECUTE.has(key))
  );
}

function isSame(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}
