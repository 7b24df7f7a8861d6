import type { Pod, PodStatus } from "@binnacle/api";

/** What a runtime says about a pod it was asked to run. */
export interface PodReport {
  /** The status to show now. Undefined: nothing to show yet. */
  readonly status: PodStatus | undefined;
  /** What people should know about: written as Events of the pod. */
  readonly events: readonly PodEvent[];
  /** Look again after so many milliseconds. Undefined: when something changes. */
  readonly lookAgainAfterMs: number | undefined;
}

export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** Such as `spec.containers{web}`. */
  readonly fieldPath?: string;
}

/** What a pod runs with on its node. */
export interface PodPlace {
  readonly nodeName: string;
  readonly hostIp: string;
  readonly podIp: string;
}

/**
 * Runs the containers of pods. The kubelet asks again and again until the world is as the pod says: every call may
 * be repeated, and after a restart of the program a runtime finds out by itself what is running.
 */
export interface Runtime {
  /** Brings a pod closer to running and reports where it stands. Never called at once for the same pod. */
  sync(pod: Pod, place: PodPlace): Promise<PodReport>;
  /** Ends a pod's containers within the grace period. `isStopped` false: ask again later. */
  stop(
    pod: Pod,
    gracePeriodSeconds: number,
  ): Promise<{ readonly isStopped: boolean; readonly lookAgainAfterMs?: number }>;
  /** Forgets a pod that no longer exists. */
  forget(uid: string): void;
}
