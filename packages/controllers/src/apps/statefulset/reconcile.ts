/**
 * Source: kubernetes v1.36 pkg/controller/statefulset/{stateful_set,stateful_set_control,stateful_pod_control}.go.
 */
import type { ControllerRevision, Pod, StatefulSet } from "@binnacle/api";
import { isAlreadyExists, isConflict, isNotFound, labelSelectorFromObject } from "@binnacle/apimachinery";
import { jsonEquals, mustExist } from "@binnacle/base";
import { mergePatch } from "@binnacle/client";
import { done, isTerminating, type Reconcile, type ReconcileContext } from "@binnacle/controller-runtime";
import { claim } from "../../pod-control/claim.ts";
import { listOrphans } from "../../pod-control/orphan-index.ts";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { availableInMs } from "../../pod-control/pod-state.ts";
import { persistentVolumeClaims, pods, statefulSets } from "../../resource-types.ts";
import { syncHistory, templateOf, truncateHistory } from "../controllerrevision/history.ts";
import { claimsOf, hasIdentity, ordinalOf, podOf, revisionOf, withIdentity } from "./identity.ts";
import { planStatefulSet, type Step, statefulSetStatus } from "./plan.ts";
import { claimOwners } from "./retention.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go. */
const DEFAULT_HISTORY_LIMIT = 10;

export const reconcileStatefulSet: Reconcile = async (key, context) => {
  const set = context.cache.get(statefulSets, key);
  if (set === undefined) return done; // The garbage collector removes its pods.
  return new StatefulSetSync(set, context).run();
};

class StatefulSetSync {
  readonly #set: StatefulSet;
  readonly #context: ReconcileContext;

  constructor(set: StatefulSet, context: ReconcileContext) {
    this.#set = set;
    this.#context = context;
  }

  async run(): Promise<{ requeueAfterMs?: number }> {
    const set = this.#set;
    const { cache, client, clock } = this.#context;
    const selector = labelSelectorFromObject(set.spec.selector);
    const candidates = [...cache.listOwned(pods, set), ...listOrphans(cache, set.metadata.namespace ?? "")];
    const owned = await claim(client.live, { type: statefulSets, object: set }, selector, {
      type: pods,
      objects: candidates.filter((pod) => ordinalOf(set, pod) !== undefined),
    });
    const history = await syncHistory(
      {
        type: statefulSets,
        object: set,
        selector,
        template: set.spec.template,
        collisionCount: set.status?.collisionCount ?? 0,
      },
      this.#context,
    );
    const before = history.revisions.find((each) => each.metadata.name === set.status?.currentRevision);
    const current = before ?? history.update;
    const names = { current: current.metadata.name ?? "", update: history.update.metadata.name ?? "" };
    const needsFix = (pod: Pod, ordinal: number): boolean =>
      !hasIdentity(set, pod, ordinal) || this.#claimsToFix(pod, ordinal).length > 0;
    const plan = planStatefulSet(set, owned, names, needsFix, clock.now());

    const changed = new Map(owned.map((pod) => [pod.metadata.name ?? "", pod]));
    let failure: unknown;
    try {
      for (const pod of plan.condemned) await this.#fixClaims(pod, ordinalOf(set, pod) ?? 0);
      for (const step of plan.steps) await this.#act(step, current, history.update, changed);
    } catch (error) {
      failure = error;
    }
    const counts = { ...names, collisionCount: history.collisionCount };
    await this.#writeStatus(counts, [...changed.values()]);
    if (failure !== undefined) throw failure;
    const inUse = new Set([names.current, names.update, ...owned.map(revisionOf)]);
    const limit = set.spec.revisionHistoryLimit ?? DEFAULT_HISTORY_LIMIT;
    await truncateHistory(history.revisions, inUse, limit, this.#context);
    return this.#nextAvailable(owned);
  }

  async #act(
    step: Step,
    current: ControllerRevision,
    update: ControllerRevision,
    changed: Map<string, Pod>,
  ): Promise<void> {
    switch (step.action) {
      case "create": {
        const pod = await this.#create(step.ordinal, step.isUpdate ? update : current);
        if (pod !== undefined) changed.set(pod.metadata.name ?? "", pod);
        return;
      }
      case "delete":
        if (step.why === "finished") this.#reportFinished(step.pod);
        await this.#delete(step.pod);
        changed.set(step.pod.metadata.name ?? "", {
          ...step.pod,
          metadata: { ...step.pod.metadata, deletionTimestamp: step.pod.metadata.creationTimestamp ?? "" },
        });
        return;
      case "fix":
        await this.#fix(step.pod, step.ordinal);
    }
  }

  /** Gives nothing when the pod is there already and only the cache does not know, or the namespace is going. */
  async #create(ordinal: number, revision: ControllerRevision): Promise<Pod | undefined> {
    const { client, recorder } = this.#context;
    const pod = podOf(this.#set, ordinal, templateOf(revision), revision.metadata.name ?? "");
    const name = pod.metadata.name;
    const setName = this.#set.metadata.name;
    try {
      await this.#createClaims(pod, ordinal);
      const created = await client.create(pods, pod);
      recorder.event(
        statefulSets,
        this.#set,
        "Normal",
        "SuccessfulCreate",
        `create Pod ${name} in StatefulSet ${setName} successful`,
      );
      return created;
    } catch (error) {
      if (isAlreadyExists(error) || isNamespaceTerminating(error)) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      const message = `create Pod ${name} in StatefulSet ${setName} failed error: ${why}`;
      recorder.event(statefulSets, this.#set, "Warning", "FailedCreate", message);
      throw error;
    }
  }

  async #createClaims(pod: Pod, ordinal: number): Promise<void> {
    const { cache, client, recorder } = this.#context;
    for (const { claim: wanted } of claimsOf(this.#set, ordinal)) {
      const { namespace = "", name = "" } = wanted.metadata;
      const present = cache.get(persistentVolumeClaims, { namespace, name });
      if (present !== undefined) {
        if (isTerminating(present)) throw new Error(`pvc ${name} is being deleted`);
        continue;
      }
      const where = `Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name}`;
      try {
        await client.create(persistentVolumeClaims, wanted);
        recorder.event(statefulSets, this.#set, "Normal", "SuccessfulCreate", `create ${where} success`);
      } catch (error) {
        if (isAlreadyExists(error)) continue;
        const why = error instanceof Error ? error.message : String(error);
        recorder.event(
          statefulSets,
          this.#set,
          "Warning",
          "FailedCreate",
          `create ${where} failed error: ${why}`,
        );
        throw error;
      }
    }
  }

  async #delete(pod: Pod): Promise<void> {
    const { client, recorder } = this.#context;
    const where = `Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name}`;
    try {
      await client.delete(pods, pod);
      recorder.event(statefulSets, this.#set, "Normal", "SuccessfulDelete", `delete ${where} successful`);
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return; // Gone; another one may have its name by now.
      const why = error instanceof Error ? error.message : String(error);
      recorder.event(
        statefulSets,
        this.#set,
        "Warning",
        "FailedDelete",
        `delete ${where} failed error: ${why}`,
      );
      throw error;
    }
  }

  async #fix(pod: Pod, ordinal: number): Promise<void> {
    await this.#createClaims(pod, ordinal);
    await this.#fixClaims(pod, ordinal);
    const { labels } = withIdentity(this.#set, pod, ordinal).metadata;
    if (!jsonEquals(labels, pod.metadata.labels))
      await this.#context.client.patch(
        pods,
        pod,
        mergePatch({ metadata: { uid: pod.metadata.uid, labels } }),
      );
  }

  async #fixClaims(pod: Pod, ordinal: number): Promise<void> {
    for (const { claim: present, owners } of this.#claimsToFix(pod, ordinal)) {
      const { resourceVersion } = present.metadata;
      const patch = mergePatch({ metadata: { resourceVersion, ownerReferences: owners } });
      await this.#context.client.patch(persistentVolumeClaims, present, patch);
    }
  }

  /** Claims whose owners are not what the retention policy asks for. */
  #claimsToFix(pod: Pod, ordinal: number) {
    const { cache } = this.#context;
    return claimsOf(this.#set, ordinal).flatMap(({ claim: { metadata } }) => {
      const { namespace = "", name = "" } = metadata;
      const present = cache.get(persistentVolumeClaims, { namespace, name });
      const owners = present === undefined ? undefined : claimOwners(this.#set, pod, present);
      return owners === undefined ? [] : [{ claim: mustExist(present, name), owners }];
    });
  }

  #reportFinished(pod: Pod): void {
    const { namespace, name } = this.#set.metadata;
    const hasFailed = pod.status?.phase === "Failed";
    this.#context.recorder.event(
      statefulSets,
      this.#set,
      hasFailed ? "Warning" : "Normal",
      hasFailed ? "RecreatingFailedPod" : "RecreatingTerminatedPod",
      `StatefulSet ${namespace}/${name} is recreating ${hasFailed ? "failed" : "terminated"} Pod ${pod.metadata.name}`,
    );
  }

  async #writeStatus(
    revisions: { current: string; update: string; collisionCount: number },
    present: readonly Pod[],
  ): Promise<void> {
    const { client, clock } = this.#context;
    const status = statefulSetStatus(this.#set, present, revisions, clock.now());
    if (jsonEquals(status, this.#set.status)) return;
    try {
      await client.updateStatus(statefulSets, { ...this.#set, status });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** A pod that becomes available causes no event: come back when the next one does. */
  #nextAvailable(owned: readonly Pod[]): { requeueAfterMs?: number } {
    const now = this.#context.clock.now();
    const waits = owned.map((pod) => availableInMs(pod, this.#set.spec.minReadySeconds ?? 0, now) ?? 0);
    const positive = waits.filter((wait) => wait > 0);
    return positive.length === 0 ? {} : { requeueAfterMs: Math.min(...positive) };
  }
}
