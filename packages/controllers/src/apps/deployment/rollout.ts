/**
 * The acting half of the Deployment controller: one Deployment and its ReplicaSets through one reconcile. What to do
 * is decided by the pure functions beside it.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/{sync,rolling,recreate,progress}.go.
 */
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@binnacle/api";
import { isAlreadyExists, isNotFound } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import {
  controllerOf,
  controllerReference,
  done,
  isTerminating,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { deployments, replicaSets } from "../../resource-types.ts";
import {
  findNewReplicaSet,
  hasTemplate,
  maxRevision,
  newReplicaSetAnnotations,
  POD_TEMPLATE_HASH,
  REVISION,
  revisionOf,
  sizeAnnotations,
} from "./revision.ts";
import {
  activeReplicaSets,
  newReplicaSetSize,
  nextNewSize,
  type Resize,
  resizeAll,
  shrinkOld,
  specReplicas,
  wantedReplicas,
} from "./sizes.ts";
import {
  deadlineInMs,
  deploymentStatus,
  findDeploymentCondition,
  hasProgressDeadline,
  isComplete,
  pausedConditions,
  rolloutStatus,
  withCondition,
} from "./status.ts";
import { templateHash } from "./template-hash.ts";

const MAX_INT32 = 2 ** 31 - 1;

export class Rollout {
  /** As last written: every write gives the version that the next one builds on. */
  deployment: Deployment;
  newest: ReplicaSet | undefined;
  /** All but the newest. */
  old: ReplicaSet[] = [];
  readonly #context: ReconcileContext;

  constructor(deployment: Deployment, context: ReconcileContext) {
    this.deployment = deployment;
    this.#context = context;
  }

  get all(): ReplicaSet[] {
    return this.newest === undefined ? this.old : [...this.old, this.newest];
  }

  /** These are the Deployment's ReplicaSets. */
  use(owned: readonly ReplicaSet[]): void {
    this.newest = findNewReplicaSet(this.deployment, owned);
    this.old = owned.filter((each) => each !== this.newest);
  }

  /** Nothing can be done; the user shall see that the spec has been looked at. */
  async observeGeneration(): Promise<void> {
    const { generation } = this.deployment.metadata;
    const { status = {} } = this.deployment;
    if (generation === undefined || (status.observedGeneration ?? 0) >= generation) return;
    await this.#write({ status: { ...status, observedGeneration: generation } });
  }

  /** Notes in the conditions that the rollout was paused or goes on. */
  async notePause(): Promise<void> {
    const conditions = pausedConditions(this.deployment, this.#now);
    if (conditions !== undefined) await this.#write({ status: { ...this.deployment.status, conditions } });
  }

  /** Gives the newest ReplicaSet, if there is one, the highest revision, and the Deployment the same. */
  async syncRevision(): Promise<void> {
    const { newest, deployment } = this;
    if (newest === undefined) return;
    const present = newest.metadata.annotations ?? {};
    const annotations = newReplicaSetAnnotations(deployment, present, maxRevision(this.old) + 1, false);
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    if (!jsonEquals(present, annotations) || (newest.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      this.newest = await this.#context.client.update(replicaSets, {
        ...newest,
        metadata: { ...newest.metadata, annotations },
        spec: { ...newest.spec, minReadySeconds },
      });
      return;
    }
    const condition =
      hasProgressDeadline(deployment) &&
      findDeploymentCondition(deployment.status?.conditions, "Progressing") === undefined
        ? progressing("True", "FoundNewReplicaSet", `Found new replica set "${newest.metadata.name}"`)
        : undefined;
    await this.#writeRevision(annotations[REVISION] ?? "", condition);
  }

  /** Makes the ReplicaSet of the present template unless there is one. */
  async ensureNewest(): Promise<void> {
    if (this.newest !== undefined) return this.syncRevision();
    const { client, recorder } = this.#context;
    const revision = maxRevision(this.old) + 1;
    const wanted = this.#newReplicaSet(revision);
    let isOurs = false;
    try {
      this.newest = await client.create(replicaSets, wanted);
    } catch (error) {
      if (!isAlreadyExists(error)) return this.#failToCreate(wanted, error);
      const present = await client.live.get(replicaSets, wanted);
      isOurs =
        controllerOf(present)?.uid === this.deployment.metadata.uid &&
        hasTemplate(present, this.deployment.spec.template);
      if (!isOurs) {
        // Another template has the same hash: with a higher count this one gets another.
        const collisionCount = (this.deployment.status?.collisionCount ?? 0) + 1;
        await this.#write({ status: { ...this.deployment.status, collisionCount } });
        throw error;
      }
      this.newest = present;
    }
    const replicas = specReplicas(wanted);
    const name = this.newest.metadata.name;
    if (!isOurs && replicas > 0) {
      const message = `Scaled up replica set ${name} from 0 to ${replicas}`;
      recorder.event(deployments, this.deployment, "Normal", "ScalingReplicaSet", message);
    }
    const condition =
      !isOurs && hasProgressDeadline(this.deployment)
        ? progressing("True", "NewReplicaSetCreated", `Created new replica set "${name}"`)
        : undefined;
    await this.#writeRevision(String(revision), condition);
  }

  /** One step of a rolling update up; gives whether there was one. */
  async growNewest(): Promise<boolean> {
    if (this.newest === undefined) return false;
    const replicas = nextNewSize(this.deployment, this.all, this.newest);
    return replicas !== undefined && this.#resize([{ replicaSet: this.newest, replicas }]);
  }

  /** One step of a rolling update down; gives whether there was one. */
  shrinkOld(): Promise<boolean> {
    return this.#resize(shrinkOld(this.deployment, activeReplicaSets(this.old), this.newest));
  }

  /** Stops everything old; gives whether there was anything. */
  stopOld(): Promise<boolean> {
    return this.#resize(activeReplicaSets(this.old).map((replicaSet) => ({ replicaSet, replicas: 0 })));
  }

  /** Gives the newest ReplicaSet its full size. */
  async fillNewest(): Promise<void> {
    if (this.newest === undefined) return;
    await this.#resize([{ replicaSet: this.newest, replicas: wantedReplicas(this.deployment) }]);
  }

  /** Follows a change of the Deployment's size. */
  async resize(): Promise<void> {
    await this.#resize(resizeAll(this.deployment, this.newest, this.old));
  }

  isComplete(): boolean {
    return isComplete(this.deployment, this.deployment.status ?? {});
  }

  /** Deletes old ReplicaSets without pods beyond the wanted history. */
  async cleanUp(): Promise<void> {
    const limit = this.deployment.spec.revisionHistoryLimit;
    if (limit === undefined || limit === MAX_INT32) return;
    const candidates = this.old.filter((each) => !isTerminating(each));
    const surplus = candidates.length - limit;
    if (surplus <= 0) return;
    const sorted = [...candidates].sort((a, b) => (revisionOf(a) ?? 0) - (revisionOf(b) ?? 0));
    for (const each of sorted.slice(0, surplus)) {
      const isSettled = (each.metadata.generation ?? 0) <= (each.status?.observedGeneration ?? 0);
      if ((each.status?.replicas ?? 0) !== 0 || specReplicas(each) !== 0 || !isSettled) continue;
      try {
        await this.#context.client.delete(replicaSets, each);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  /** Writes the numbers, outside of a rollout. */
  async writeStatus(): Promise<ReconcileResult> {
    const status = deploymentStatus(this.deployment, this.all, this.newest, this.#now);
    await this.#writeIfChanged(status);
    return done;
  }

  /** Writes the numbers and how far the rollout has come; comes back when it may have timed out. */
  async writeRolloutStatus(): Promise<ReconcileResult> {
    const status = rolloutStatus(this.deployment, this.all, this.newest, this.#now);
    await this.#writeIfChanged(status);
    const requeueAfterMs = deadlineInMs(this.deployment, status, this.#now);
    return requeueAfterMs === undefined ? done : { requeueAfterMs };
  }

  get #now(): number {
    return this.#context.clock.now();
  }

  #newReplicaSet(revision: number): ReplicaSet {
    const { metadata, spec, status } = this.deployment;
    const hash = templateHash(spec.template, status?.collisionCount);
    const labels = { ...spec.template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
    return {
      metadata: {
        name: `${metadata.name}-${hash}`,
        namespace: metadata.namespace ?? "",
        labels,
        annotations: newReplicaSetAnnotations(this.deployment, {}, revision, true),
        ownerReferences: [controllerReference(deployments, this.deployment)],
      },
      spec: {
        replicas: newReplicaSetSize(this.deployment, this.old, 0),
        minReadySeconds: spec.minReadySeconds ?? 0,
        selector: {
          ...spec.selector,
          matchLabels: { ...spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash },
        },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
    };
  }

  async #failToCreate(wanted: ReplicaSet, error: unknown): Promise<never> {
    if (!isNamespaceTerminating(error)) {
      const reason = "ReplicaSetCreateError";
      const message = `Failed to create new replica set "${wanted.metadata.name}": ${error instanceof Error ? error.message : error}`;
      if (hasProgressDeadline(this.deployment)) {
        const conditions = withCondition(
          this.deployment.status?.conditions ?? [],
          progressing("False", reason, message),
          this.#now,
        );
        await this.#write({ status: { ...this.deployment.status, conditions } });
      }
      this.#context.recorder.event(deployments, this.deployment, "Warning", reason, message);
    }
    throw error;
  }

  /** Scales ReplicaSets and notes the Deployment's size on them; gives whether any was scaled. */
  async #resize(resizes: readonly Resize[]): Promise<boolean> {
    let hasScaled = false;
    for (const { replicaSet, replicas } of resizes) {
      const before = specReplicas(replicaSet);
      const annotations = { ...replicaSet.metadata.annotations, ...sizeAnnotations(this.deployment) };
      if (before === replicas && jsonEquals(annotations, replicaSet.metadata.annotations)) continue;
      const updated = await this.#context.client.update(replicaSets, {
        ...replicaSet,
        metadata: { ...replicaSet.metadata, annotations },
        spec: { ...replicaSet.spec, replicas },
      });
      if (replicaSet === this.newest) this.newest = updated;
      this.old = this.old.map((each) => (each === replicaSet ? updated : each));
      if (before === replicas) continue;
      hasScaled = true;
      const message = `Scaled ${before < replicas ? "up" : "down"} replica set ${replicaSet.metadata.name} from ${before} to ${replicas}`;
      this.#context.recorder.event(deployments, this.deployment, "Normal", "ScalingReplicaSet", message);
    }
    return hasScaled;
  }

  async #writeRevision(
    revision: string,
    condition: Parameters<typeof withCondition>[1] | undefined,
  ): Promise<void> {
    const { metadata, status } = this.deployment;
    const isSame = metadata.annotations?.[REVISION] === revision;
    if (isSame && condition === undefined) return;
    const annotations = { ...metadata.annotations, [REVISION]: revision };
    const conditions: DeploymentCondition[] | undefined =
      condition === undefined ? undefined : withCondition(status?.conditions ?? [], condition, this.#now);
    await this.#write({
      metadata: { ...metadata, annotations },
      status: { ...status, ...(conditions === undefined ? {} : { conditions }) },
    });
  }

  async #writeIfChanged(status: DeploymentStatus): Promise<void> {
    if (jsonEquals(status, this.deployment.status ?? {})) return;
    try {
      await this.#write({ status });
    } catch (error) {
      if (!isNotFound(error)) throw error; // Deleted meanwhile: nobody reads the status.
    }
  }

  /** The status subresource takes annotations too, without counting as a new generation. */
  async #write(change: Partial<Deployment>): Promise<void> {
    const { client } = this.#context;
    this.deployment = await client.updateStatus(deployments, { ...this.deployment, ...change });
  }
}

function progressing(
  status: "True" | "False",
  reason: string,
  message: string,
): Parameters<typeof withCondition>[1] {
  return { type: "Progressing", status, reason, message };
}
