import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "@binnacle/api";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * What a plugin says about a pod, or about a pod on a node.
 * - `unschedulable`: not as things are; removing other pods could help.
 * - `unresolvable`: not as things are, and removing pods would not help.
 */
export type Verdict =
  | { readonly kind: "unschedulable" | "unresolvable"; readonly reasons: readonly string[] }
  | undefined;

/** One aspect of the choice of a node. Source: kubernetes v1.36 pkg/scheduler/framework/interface.go. */
export interface Plugin {
  readonly name: string;
  /** Looks at the pod alone, once per try. What it gives is passed to the other calls as `state`. */
  readonly preFilter?: (
    pod: Pod,
    context: PluginContext,
  ) => { readonly state?: unknown; readonly verdict?: Verdict };
  /** Whether the pod may run on the node. */
  readonly filter?: (pod: Pod, node: NodeInfo, state: unknown, context: PluginContext) => Verdict;
  /** How well the pod would fit, 0 to 100 after normalizing; larger is better. */
  readonly score?: (pod: Pod, node: NodeInfo, state: unknown, context: PluginContext) => number;
  /** Brings raw scores into 0 to 100. Default: they are there already. */
  readonly normalize?: (scores: number[]) => void;
  /** Multiplies the score. Default 1. */
  readonly weight?: number;
}

/** What plugins may look at. */
export interface PluginContext {
  readonly snapshot: Snapshot;
  findClaim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  findVolume(name: string): PersistentVolume | undefined;
  findStorageClass(name: string): StorageClass | undefined;
}

export const MAX_SCORE = 100;

export function unschedulable(...reasons: string[]): Verdict {
  return { kind: "unschedulable", reasons };
}

export function unresolvable(...reasons: string[]): Verdict {
  return { kind: "unresolvable", reasons };
}

/** Scales scores so that the largest becomes 100; `reverse` makes small ones good. Source: plugins/helper/normalize_score.go. */
export function normalizeScores(scores: number[], reverse: boolean): void {
  const max = Math.max(0, ...scores);
  for (let i = 0; i < scores.length; i++) {
    if (max === 0) scores[i] = reverse ? MAX_SCORE : 0;
    else {
      const scaled = Math.floor((scores[i]! * MAX_SCORE) / max);
      scores[i] = reverse ? MAX_SCORE - scaled : scaled;
    }
  }
}
