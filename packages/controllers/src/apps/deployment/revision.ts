/**
 * Which ReplicaSet runs which template of a Deployment, and the annotations that number them.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go.
 */
import type { Deployment, PodTemplateSpec, ReplicaSet } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { maxSurge } from "./rollout-limits.ts";

export const REVISION = "deployment.kubernetes.io/revision";
export const POD_TEMPLATE_HASH = "pod-template-hash";
const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

/** Belong to the Deployment or to the ReplicaSet alone. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  "deprecated.deployment.rollback.to",
]);

/** The revision history of a ReplicaSet is cut to so many characters. */
const MAX_HISTORY_CHARACTERS = 2000;

/** The ReplicaSet that runs the Deployment's present template: the oldest one, when several do. */
export function findNewReplicaSet(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): ReplicaSet | undefined {
  return byCreation(replicaSets).find((each) => hasTemplate(each, deployment.spec.template));
}

/** Oldest first. */
export function byCreation(replicaSets: readonly ReplicaSet[]): ReplicaSet[] {
  return [...replicaSets].sort(
    (a, b) =>
      timeToMs(a.metadata.creationTimestamp) - timeToMs(b.metadata.creationTimestamp) ||
      ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1),
  );
}

/** Whether the ReplicaSet runs this template, apart from the label it adds. */
export function hasTemplate(replicaSet: ReplicaSet, template: PodTemplateSpec): boolean {
  return jsonEquals(withoutHash(replicaSet.spec.template), withoutHash(template));
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { [POD_TEMPLATE_HASH]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

/** The number in the revision annotation; 0 without one, undefined when it is not a number. */
export function revisionOf(object: { readonly metadata: ReplicaSet["metadata"] }): number | undefined {
  const text = object.metadata.annotations?.[REVISION];
  if (text === undefined || text === "") return 0;
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

export function maxRevision(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((most, each) => Math.max(most, revisionOf(each) ?? 0), 0);
}

/**
 * The annotations that a Deployment's newest ReplicaSet should have: the Deployment's own, its revision, the history
 * of revisions it had before, and, for one that is made now, the wanted sizes.
 */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  present: Readonly<Record<string, string>>,
  revision: number,
  isNew: boolean,
): Record<string, string> {
  const annotations: Record<string, string> = { ...present };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!NOT_COPIED.has(key)) annotations[key] = value;
  }
  const old = present[REVISION] ?? "";
  if (old !== "" && !/^-?\d+$/.test(old)) return annotations;
  if (Number(old) < revision) {
    annotations[REVISION] = String(revision);
    if (old !== "") annotations[REVISION_HISTORY] = appendHistory(present[REVISION_HISTORY] ?? "", old);
  }
  return sorted(isNew ? { ...annotations, ...sizeAnnotations(deployment) } : annotations);
}

/** In the order in which upstream's encoder writes a map: what is listed is compared by tools as text. */
function sorted(annotations: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function appendHistory(history: string, revision: string): string {
  const revisions = history === "" ? [] : history.split(",");
  revisions.push(revision);
  while (revisions.length > 1 && revisions.join(",").length > MAX_HISTORY_CHARACTERS) revisions.shift();
  return revisions.join(",");
}

/** What a ReplicaSet says about the size of the whole Deployment, for scaling in proportion later. */
export function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const replicas = deployment.spec.replicas ?? 1;
  return { [DESIRED_REPLICAS]: String(replicas), [MAX_REPLICAS]: String(replicas + maxSurge(deployment)) };
}

/** The Deployment's size when this ReplicaSet was last scaled. */
export function desiredReplicasOf(replicaSet: ReplicaSet): number | undefined {
  return integerAnnotation(replicaSet, DESIRED_REPLICAS);
}

export function maxReplicasOf(replicaSet: ReplicaSet): number | undefined {
  return integerAnnotation(replicaSet, MAX_REPLICAS);
}

function integerAnnotation(replicaSet: ReplicaSet, key: string): number | undefined {
  const text = replicaSet.metadata.annotations?.[key];
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
