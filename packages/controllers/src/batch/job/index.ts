import type { Job } from "@binnacle/api";
import { isNotFound, labelSelectorFromObject, timeToMs } from "@binnacle/apimachinery";
import {
  type ControllerDefinition,
  controllerFor,
  controllerOf,
  done,
  formatKey,
  isTerminating,
  observe,
} from "@binnacle/controller-runtime";
import { Expectations } from "../../pod-control/expectations.ts";
import { indexOrphans } from "../../pod-control/orphan-index.ts";
import { isPodTerminating } from "../../pod-control/pod-state.ts";
import { enqueueSelecting } from "../../pod-control/selecting-owners.ts";
import { jobs, pods } from "../../resource-types.ts";
import { isFinished } from "./job-plan.ts";
import { isTracked } from "./job-pods.ts";
import { type JobMemory, JobSync, releaseAbandoned } from "./job-sync.ts";

/** The name by which `spec.managedBy` leaves a Job to this controller. */
const MANAGER = "kubernetes.io/job-controller";

/** Runs Jobs to completion. */
export const jobController: ControllerDefinition = controllerFor(jobs)
  .owns(pods)
  .watches(
    pods,
    enqueueSelecting(jobs, (job) => labelSelectorFromObject(job.spec.selector)),
  )
  .withOptions({ concurrency: 5, eventSource: "job-controller" })
  .setup((context) => {
    indexOrphans(context.cache);
    const memory: JobMemory = {
      expectations: new Expectations(context.clock),
      released: new Map(),
      failures: new Map(),
    };
    const uids = new Map<string, string>();
    const forget = (key: string): void => {
      const uid = uids.get(key);
      uids.delete(key);
      if (uid === undefined) return;
      memory.expectations.forget(uid);
      memory.released.delete(uid);
      memory.failures.delete(uid);
    };
    return {
      observers: [
        observe(pods, ({ old, updated }) => {
          const pod = updated ?? old;
          const ownerUid = pod === undefined ? undefined : controllerOf(pod)?.uid;
          if (pod === undefined || ownerUid === undefined) return;
          const uid = pod.metadata.uid ?? "";
          if (updated === undefined || !isTracked(updated)) memory.released.get(ownerUid)?.delete(uid);
          if (updated === undefined || isPodTerminating(updated))
            memory.expectations.sawDeletion(ownerUid, uid);
          else if (old === undefined) memory.expectations.sawCreation(ownerUid);
        }),
      ],
      async reconcile(key) {
        const textKey = formatKey(key);
        const job = context.cache.get(jobs, key);
        const uid = job?.metadata.uid;
        if (uids.has(textKey) && uids.get(textKey) !== uid) forget(textKey);
        const isOver = job === undefined || isFinished(job.status);
        await releaseAbandoned(key.namespace ?? "", key.name, isOver ? undefined : uid, context);
        if (isOver) {
          forget(textKey);
          return done;
        }
        if (job.spec.managedBy !== undefined && job.spec.managedBy !== MANAGER) return done;
        uids.set(textKey, uid ?? "");
        return new JobSync(job, memory, context).run();
      },
    };
  });

/**
 * Deletes finished Jobs when their time is over.
 *
 * Source: kubernetes v1.36 pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
export const finishedJobController: ControllerDefinition = controllerFor(jobs)
  .named("ttl-after-finished-controller")
  .reconcile(async (key, { client, cache, clock }) => {
    const expired = expiresInMs(cache.get(jobs, key), clock.now());
    if (expired === undefined) return done;
    if (expired > 0) return { requeueAfterMs: expired };
    // The cache may be behind a change of the time.
    const job = await client.live.find(jobs, key);
    const remaining = expiresInMs(job, clock.now());
    if (job === undefined || remaining === undefined) return done;
    if (remaining > 0) return { requeueAfterMs: remaining };
    const { resourceVersion } = job.metadata;
    try {
      await client.delete(jobs, job, {
        propagationPolicy: "Foreground",
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  });

/** How long a finished Job may stay; undefined for one that stays or is going. */
export function expiresInMs(job: Job | undefined, nowMs: number): number | undefined {
  const ttlSeconds = job?.spec.ttlSecondsAfterFinished;
  if (job === undefined || ttlSeconds === undefined || isTerminating(job)) return undefined;
  const end = job.status?.conditions?.find(
    ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
  );
  if (end === undefined) return undefined;
  return Math.max(0, timeToMs(end.lastTransitionTime) + ttlSeconds * 1000 - nowMs);
}
