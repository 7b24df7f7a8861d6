import type { Pod } from "@binnacle/api";
import type { Random } from "@binnacle/base";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { Plugin, PluginContext, Verdict } from "./framework.ts";

/** The outcome of one try to place a pod. */
export type Choice =
  | { readonly kind: "node"; readonly node: NodeInfo }
  /** `message` is what people read in the event and the condition. */
  | { readonly kind: "none"; readonly message: string; readonly isHopeless: boolean };

/** Source: kubernetes v1.36 pkg/scheduler/schedule_one.go: enough nodes to choose from. */
const MIN_FEASIBLE = 100;

/** Pure but for the tie-break: filters all nodes, scores what is left and takes one of the best. */
export function chooseNode(
  pod: Pod,
  plugins: readonly Plugin[],
  context: PluginContext,
  random: Random,
): Choice {
  const { snapshot } = context;
  if (snapshot.size === 0)
    return { kind: "none", message: "no nodes available to schedule pods", isHopeless: true };
  const states = new Map<string, unknown>();
  for (const plugin of plugins) {
    const result = plugin.preFilter?.(pod, context);
    if (result?.verdict !== undefined) {
      const reason = result.verdict.reasons.join(", ");
      const message = `0/${snapshot.size} nodes are available: ${reason}. ${afterword(snapshot.size, snapshot.size)}`;
      return { kind: "none", message, isHopeless: true };
    }
    states.set(plugin.name, result?.state);
  }
  const limit = feasibleLimit(snapshot.size);
  const feasible: NodeInfo[] = [];
  const failures: NonNullable<Verdict>[] = [];
  for (const node of snapshot.nodes()) {
    const verdict = filterNode(pod, node, plugins, states, context);
    if (verdict !== undefined) failures.push(verdict);
    else if (feasible.push(node) >= limit) break;
  }
  if (feasible.length === 0) {
    const hopeless = failures.filter(({ kind }) => kind === "unresolvable").length;
    return {
      kind: "none",
      message: describeFailures(failures, snapshot.size),
      isHopeless: hopeless === failures.length,
    };
  }
  return { kind: "node", node: bestOf(pod, feasible, plugins, states, context, random) };
}

function filterNode(
  pod: Pod,
  node: NodeInfo,
  plugins: readonly Plugin[],
  states: ReadonlyMap<string, unknown>,
  context: PluginContext,
): Verdict {
  for (const plugin of plugins) {
    const verdict = plugin.filter?.(pod, node, states.get(plugin.name), context);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

function bestOf(
  pod: Pod,
  feasible: readonly NodeInfo[],
  plugins: readonly Plugin[],
  states: ReadonlyMap<string, unknown>,
  context: PluginContext,
  random: Random,
): NodeInfo {
  if (feasible.length === 1) return feasible[0]!;
  const totals = new Array<number>(feasible.length).fill(0);
  for (const plugin of plugins) {
    const { score } = plugin;
    if (score === undefined) continue;
    const scores = feasible.map((node) => score(pod, node, states.get(plugin.name), context));
    plugin.normalize?.(scores);
    for (let i = 0; i < scores.length; i++) totals[i]! += scores[i]! * (plugin.weight ?? 1);
  }
  const best = Math.max(...totals);
  const ties = feasible.filter((_, i) => totals[i] === best);
  return ties[Math.floor(random.next() * ties.length)]!;
}

/** Source: schedule_one.go, numFeasibleNodesToFind with the adaptive percentage. */
function feasibleLimit(nodes: number): number {
  if (nodes < MIN_FEASIBLE) return nodes;
  const percentage = Math.max(5, 50 - Math.floor(nodes / 125));
  return Math.max(MIN_FEASIBLE, Math.floor((nodes * percentage) / 100));
}

/** Source: pkg/scheduler/framework/types.go, FitError.Error: reasons counted and sorted as text. */
function describeFailures(failures: readonly NonNullable<Verdict>[], nodes: number): string {
  const counts = new Map<string, number>();
  for (const { reasons } of failures)
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const hopeless = failures.filter(({ kind }) => kind === "unresolvable").length;
  return `0/${nodes} nodes are available: ${parts.join(", ")}. ${afterword(nodes, hopeless)}`;
}

/** What the plugins that run after a failed try add. Source: dynamicresources and preemption/preemption.go. */
function afterword(nodes: number, hopeless: number): string {
  const parts: string[] = [];
  if (hopeless > 0) parts.push(`${hopeless} Preemption is not helpful for scheduling`);
  if (nodes > hopeless) parts.push(`${nodes - hopeless} No preemption victims found for incoming pod`);
  return `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${parts.join(", ")}.`;
}
