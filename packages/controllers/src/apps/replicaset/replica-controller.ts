/**
 * Keeps so many pods of a template running. ReplicaSet and ReplicationController differ only in where their fields
 * are, which {@link ReplicaKind} says.
 *
 * Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go.
 */
import type { Pod, PodTemplateSpec, ReplicaSetStatus } from "@binnacle/api";
import {
  isConflict,
  isNotFound,
  type KubeObject,
  type LabelMatcher,
  matchLabels,
  type ResourceType,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import {
  type ControllerDefinition,
  controllerFor,
  controllerOf,
  done,
  formatKey,
  isTerminating,
  observe,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { claim } from "../../pod-control/claim.ts";
import { Expectations } from "../../pod-control/expectations.ts";
import { indexOrphans, listOrphans } from "../../pod-control/orphan-index.ts";
import { isNamespaceTerminating, podFromTemplate } from "../../pod-control/pod-from-template.ts";
import { availableInMs, isPodActive, isPodStopping, isPodTerminating } from "../../pod-control/pod-state.ts";
import { countByNode, rankForDeletion } from "../../pod-control/rank-pods.ts";
import { enqueueSelecting } from "../../pod-control/selecting-owners.ts";
import { slowStart } from "../../pod-control/slow-start.ts";
import { pods } from "../../resource-types.ts";
import { planScale, replicaStatus } from "./plan.ts";

/** What is asked for, wherever the kind keeps it. */
export interface ReplicaView {
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly selector: LabelMatcher;
  readonly template: PodTemplateSpec | undefined;
  readonly status: ReplicaSetStatus;
}

export interface ReplicaKind<O extends KubeObject> {
  readonly type: ResourceType<O>;
  readonly view: (object: O) => ReplicaView;
  readonly withStatus: (object: O, status: ReplicaSetStatus) => O;
  /** Whether the status counts pods that are being deleted. */
  readonly countsTerminating: boolean;
  /** Active pods of the same service, this object's own included: crowded nodes lose pods first. */
  readonly related: (object: O, context: ReconcileContext) => readonly Pod[];
  readonly eventSource: string;
}

/** Source: kubernetes v1.36 cmd/kube-controller-manager defaults, ConcurrentRSSyncs. */
const CONCURRENCY = 5;

/** The controller of one of the two kinds. */
export function replicaController<O extends KubeObject>(kind: ReplicaKind<O>): ControllerDefinition {
  return controllerFor(kind.type)
    .owns(pods)
    .watches(
      pods,
      enqueueSelecting(kind.type, (object) => kind.view(object).selector),
    )
    .withOptions({ concurrency: CONCURRENCY, eventSource: kind.eventSource })
    .setup((context) => {
      indexOrphans(context.cache);
      const expectations = new Expectations(context.clock);
      const uids = new Map<string, string>();
      return {
        observers: [observe(pods, ({ old, updated }) => note(expectations, old, updated))],
        reconcile: async (key) => {
          const object = context.cache.get(kind.type, key);
          const textKey = formatKey(key);
          const knownUid = uids.get(textKey);
          if (knownUid !== undefined && knownUid !== object?.metadata.uid) {
            expectations.forget(knownUid);
            uids.delete(textKey);
          }
          if (object === undefined) return done; // The garbage collector removes its pods.
          uids.set(textKey, uidOf(object));
          return reconcile(kind, object, expectations, context);
        },
      };
    });
}

/** A pod has appeared, or is going. */
function note(expectations: Expectations, old: Pod | undefined, updated: Pod | undefined): void {
  const pod = updated ?? old;
  if (pod === undefined) return;
  const ownerUid = controllerOf(pod)?.uid;
  if (ownerUid === undefined) return;
  if (updated === undefined || isPodTerminating(updated)) expectations.sawDeletion(ownerUid, uidOf(pod));
  else if (old === undefined) expectations.sawCreation(ownerUid);
}

async function reconcile<O extends KubeObject>(
  kind: ReplicaKind<O>,
  object: O,
  expectations: Expectations,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const view = kind.view(object);
  const waitMs = expectations.waitMs(uidOf(object));
  const candidates = candidatePods(object, view.selector, context);
  const owned = await claim(context.client.live, { type: kind.type, object }, view.selector, {
    type: pods,
    objects: candidates.filter(isPodActive),
  });
  const stopping = candidates.filter(
    (pod) => isPodStopping(pod) && controllerOf(pod)?.uid === object.metadata.uid,
  );

  let failure: unknown;
  if (waitMs === 0 && !isTerminating(object))
    failure = await scale(kind, object, view, owned, expectations, context);

  await writeStatus(
    kind,
    object,
    (current) =>
      replicaStatus({
        ...kind.view(current),
        pods: owned,
        terminating: kind.countsTerminating ? stopping.length : undefined,
        failure,
        generation: object.metadata.generation,
        nowMs: context.clock.now(),
      }),
    context,
  );
  if (failure !== undefined) throw failure;
  return { ...(waitMs > 0 ? { requeueAfterMs: waitMs } : nextAvailable(owned, view, context)) };
}

/** The pods this object controls, and those nobody controls that it would like to. */
function candidatePods(object: KubeObject, selector: LabelMatcher, context: ReconcileContext): Pod[] {
  const { namespace } = object.metadata;
  const owned = context.cache.listOwned(pods, object);
  if (namespace === undefined) return owned;
  const orphans = listOrphans(context.cache, namespace);
  return [...owned, ...orphans.filter((pod) => matchLabels(selector, pod.metadata.labels))];
}

/** Creates or deletes pods until there are as many as asked for; gives what went wrong. */
async function scale<O extends KubeObject>(
  kind: ReplicaKind<O>,
  object: O,
  view: ReplicaView,
  owned: readonly Pod[],
  expectations: Expectations,
  context: ReconcileContext,
): Promise<unknown> {
  const plan = planScale(view.replicas, owned.length);
  if (plan.create > 0) return createPods(kind, object, view, plan.create, expectations, context);
  if (plan.delete > 0) {
    const ranked = rankForDeletion(owned, countByNode(kind.related(object, context)), context.clock.now());
    return deletePods(kind, object, ranked.slice(0, plan.delete), expectations, context);
  }
  return undefined;
}

async function createPods<O extends KubeObject>(
  kind: ReplicaKind<O>,
  object: O,
  view: ReplicaView,
  count: number,
  expectations: Expectations,
  { client, recorder }: ReconcileContext,
): Promise<unknown> {
  const uid = uidOf(object);
  const pod = podFromTemplate(view.template, { type: kind.type, object });
  expectations.expectCreations(uid, count);
  const { succeeded, failure } = await slowStart(count, async () => {
    try {
      const created = await client.create(pods, pod);
      recorder.event(
        kind.type,
        object,
        "Normal",
        "SuccessfulCreate",
        `Created pod: ${created.metadata.name}`,
      );
    } catch (error) {
      if (!isNamespaceTerminating(error))
        recorder.event(kind.type, object, "Warning", "FailedCreate", `Error creating: ${messageOf(error)}`);
      throw error;
    }
  });
  // Neither failed nor skipped ones will be seen.
  if (succeeded < count) expectations.sawCreation(uid, count - succeeded);
  return isNamespaceTerminating(failure) ? undefined : failure;
}

async function deletePods<O extends KubeObject>(
  kind: ReplicaKind<O>,
  object: O,
  victims: readonly Pod[],
  expectations: Expectations,
  { client, recorder }: ReconcileContext,
): Promise<unknown> {
  const uid = uidOf(object);
  expectations.expectDeletions(uid, victims.map(uidOf));
  const results = await Promise.allSettled(
    victims.map(async (pod) => {
      try {
        await client.delete(pods, pod);
        recorder.event(kind.type, object, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
      } catch (error) {
        expectations.sawDeletion(uid, uidOf(pod));
        if (isNotFound(error) || isConflict(error)) return; // Gone already; another one may have its name.
        recorder.event(kind.type, object, "Warning", "FailedDelete", `Error deleting: ${messageOf(error)}`);
        throw error;
      }
    }),
  );
  return results.find((result) => result.status === "rejected")?.reason;
}

/** Writes the status if it differs; once more on the newest version when somebody else was faster. */
async function writeStatus<O extends KubeObject>(
  kind: ReplicaKind<O>,
  object: O,
  compute: (current: O) => ReplicaSetStatus,
  { client }: ReconcileContext,
): Promise<void> {
  let current = object;
  for (let tries = 0; ; tries++) {
    const status = compute(current);
    if (jsonEquals(status, kind.view(current).status)) return;
    try {
      await client.updateStatus(kind.type, kind.withStatus(current, status));
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || tries > 0) throw error;
      const newest = await client.live.find(kind.type, object);
      if (newest === undefined || newest.metadata.uid !== object.metadata.uid) return;
      current = newest;
    }
  }
}

/** A pod that becomes available causes no event: come back when the next one does. */
function nextAvailable(
  owned: readonly Pod[],
  { minReadySeconds }: ReplicaView,
  { clock }: ReconcileContext,
): ReconcileResult {
  const waits = owned
    .map((pod) => availableInMs(pod, minReadySeconds, clock.now()))
    .filter((wait) => wait !== undefined && wait > 0) as number[]; // Undefined has been filtered out.
  return waits.length === 0 ? done : { requeueAfterMs: Math.min(...waits) };
}

function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
