import { builtinSchema, type Eviction, type Pod, type PodDisruptionBudget } from "@binnacle/api";
import {
  badRequest,
  labelSelectorFromObject,
  matchLabels,
  type StatusError,
  statusError,
  tooManyRequests,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import {
  type ApiResponse,
  type ApiServerCore,
  admitPosted,
  commitWrites,
  decodeBody,
  deleteObject,
  encodeForStore,
  keyOf,
  mustFind,
  objectOf,
  type RequestContext,
  respondWithValue,
  type ServedResource,
  toTime,
  withTypeFirst,
} from "@binnacle/apiserver";
import { cloneJson } from "@binnacle/base";
import { listObjects } from "../../admission-plugins/lookup.ts";

const BUDGETS = { group: "policy", resource: "poddisruptionbudgets" };
/** Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, MaxDisruptedPodSize. */
const MAX_DISRUPTED_PODS = 2_000;

/** POST of an Eviction: deletes a pod unless its disruption budget forbids it. */
export async function evictPod(
  core: ApiServerCore,
  request: RequestContext,
  pods: ServedResource,
): Promise<ApiResponse> {
  const { namespace, name } = request.info;
  const eviction = await decodeEviction(core, request);
  if (eviction.metadata.name !== undefined && eviction.metadata.name !== name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  const given = eviction.deleteOptions;
  const isDryRun = (given?.dryRun ?? []).includes("All") || request.query.getAll("dryRun").includes("All");
  const posted = eviction as Eviction & UnstructuredObject; // It was decoded as any object is.
  await admitPosted(core, request, { served: pods, subresource: "eviction", object: posted, isDryRun });
  const pod = objectOf(mustFind(core, request, pods)) as unknown as Pod;
  if (needsBudget(pod)) await spendBudget(core, pod, isDryRun);
  if (!isDryRun) await markDisrupted(core, pods, namespace, name);
  await deleteObject(core, request, pods, {
    namespace,
    name,
    options: {
      gracePeriodSeconds: given?.gracePeriodSeconds,
      uid: given?.preconditions?.uid,
      resourceVersion: given?.preconditions?.resourceVersion,
      propagationPolicy: (given?.propagationPolicy ?? "") as "" | "Orphan" | "Background" | "Foreground",
      orphanDependents: given?.orphanDependents,
      isDryRun,
    },
  });
  return respondWithValue(core, request, 201, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
}

function decodeEviction(core: ApiServerCore, request: RequestContext): Promise<Eviction> {
  const schema = builtinSchema("policy.v1.Eviction");
  const expected = {
    group: "policy",
    version: "v1",
    kind: "Eviction",
    schema,
    hubGroup: "policy",
    otherVersions: ["v1beta1"],
  };
  return decodeBody(core, request, expected, { fieldValidation: "Ignore" }) as unknown as Promise<Eviction>; // By its schema.
}

/** Pods that do not serve anybody can go without asking. */
function needsBudget(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return (
    phase !== "Succeeded" &&
    phase !== "Failed" &&
    phase !== "Pending" &&
    pod.metadata.deletionTimestamp === undefined
  );
}

async function spendBudget(core: ApiServerCore, pod: Pod, isDryRun: boolean): Promise<void> {
  const { namespace = "", name = "" } = pod.metadata;
  for (;;) {
    const budgets = listObjects<PodDisruptionBudget>(core, BUDGETS, namespace).filter((budget) =>
      selects(budget, pod),
    );
    if (budgets.length > 1) {
      throw statusError(
        500,
        "",
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
      );
    }
    const budget = budgets[0];
    if (budget === undefined || isExempt(budget, pod)) return;
    checkBudget(budget);
    if (isDryRun) return;
    const hub = core.registry.findHub(BUDGETS.group, BUDGETS.resource);
    if (hub === undefined) return;
    const updated = cloneJson(budget) as unknown as PodDisruptionBudget & UnstructuredObject;
    const allowed = (budget.status?.disruptionsAllowed ?? 0) - 1;
    updated.status = {
      ...updated.status,
      disruptionsAllowed: allowed,
      disruptedPods: { ...updated.status?.disruptedPods, [name]: toTime(core.clock.now()) },
    } as NonNullable<PodDisruptionBudget["status"]>;
    if (allowed === 0) setDisallowed(updated, core);
    const object = withTypeFirst(updated, hub.kind, hub.apiVersion);
    const result = await commitWrites(core, [
      {
        key: keyOf(hub, namespace, budget.metadata.name ?? ""),
        kind: "put",
        expectedRevision: Number(budget.metadata.resourceVersion),
        encode: (revision) => encodeForStore(object, revision),
      },
    ]);
    if (result.ok) return; // Otherwise somebody else spent some of it: look again.
  }
}

function selects(budget: PodDisruptionBudget, pod: Pod): boolean {
  return matchLabels(labelSelectorFromObject(budget.spec?.selector), pod.metadata.labels);
}

/** A pod that is not ready does not lessen a healthy budget. Source: eviction.go, canIgnorePDB and unhealthyPodEvictionPolicy. */
function isExempt(budget: PodDisruptionBudget, pod: Pod): boolean {
  const isReady = (pod.status?.conditions ?? []).some(
    (each) => each.type === "Ready" && each.status === "True",
  );
  if (isReady) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function checkBudget(budget: PodDisruptionBudget): void {
  const name = budget.metadata.name ?? "";
  const status = budget.status;
  if ((status?.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = status?.disruptionsAllowed ?? 0;
  if (allowed < 0) {
    throw statusError(
      403,
      "Forbidden",
      `poddisruptionbudgets.policy "${name}" is forbidden: pdb disruptions allowed is negative`,
    );
  }
  if (Object.keys(status?.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS) {
    throw statusError(
      403,
      "Forbidden",
      `poddisruptionbudgets.policy "${name}" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller`,
    );
  }
  if (allowed > 0) return;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  if (currentHealthy <= desiredHealthy) {
    throw refusal(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    );
  }
  throw refusal(`The disruption budget ${name} does not allow evicting pods currently`, 0);
}

function refusal(why: string, retryAfterSeconds: number): StatusError {
  const error = tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds,
  );
  error.status.details = { causes: [{ reason: "DisruptionBudget", message: why }], ...error.status.details };
  return error;
}

function setDisallowed(budget: PodDisruptionBudget, core: ApiServerCore): void {
  const condition = {
    type: "DisruptionAllowed",
    status: "False",
    observedGeneration: budget.status?.observedGeneration ?? 0,
    lastTransitionTime: toTime(core.clock.now()),
    reason: "InsufficientPods",
    message: "",
  };
  const others = (budget.status?.conditions ?? []).filter((each) => each.type !== condition.type);
  if (budget.status !== undefined)
    budget.status.conditions = [...others, condition] as NonNullable<typeof others>;
}

/** Tells everybody who looks at the pod why it goes. Source: eviction.go, addConditionAndDeletePod. */
async function markDisrupted(
  core: ApiServerCore,
  pods: ServedResource,
  namespace: string,
  name: string,
): Promise<void> {
  const key = keyOf(pods, namespace, name);
  for (;;) {
    const entry = core.storage.get(key);
    if (entry === undefined) return; // Deleting it will say so.
    const pod = cloneJson(objectOf(entry)) as unknown as Pod & UnstructuredObject;
    const conditions = (pod.status?.conditions ?? []).filter((each) => each.type !== "DisruptionTarget");
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: toTime(core.clock.now()),
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
    };
    pod.status = { ...pod.status, conditions: [...conditions, condition as never] };
    const object = withTypeFirst(pod, pods.kind, pods.apiVersion);
    const write = { key, kind: "put" as const, expectedRevision: entry.modRevision };
    const result = await commitWrites(core, [
      { ...write, encode: (revision) => encodeForStore(object, revision) },
    ]);
    if (result.ok) return;
  }
}
