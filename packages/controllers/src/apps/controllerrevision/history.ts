/**
 * The templates a workload has had, as ControllerRevisions: numbered, named by hash, the oldest unused ones removed.
 *
 * Source: kubernetes v1.36 pkg/controller/history/controller_history.go.
 */
import type { ControllerRevision, PodTemplateSpec } from "@binnacle/api";
import {
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type LabelMatcher,
  matchLabels,
  type ResourceType,
  timeToMs,
} from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import { strategicPatch } from "@binnacle/client";
import {
  controllerOf,
  controllerReference,
  isTerminating,
  type ReconcileContext,
} from "@binnacle/controller-runtime";
import { controllerRevisions } from "../../resource-types.ts";
import { canonicalJson, hashText } from "../deployment/template-hash.ts";

export const HASH_LABEL = "controller.kubernetes.io/hash";

/** Names are cut so that the hash fits. Source: controller_history.go, ControllerRevisionName. */
const MAX_PREFIX = 223;

/** What a history is about. */
export interface HistoryOwner {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly selector: LabelMatcher;
  readonly template: PodTemplateSpec;
  readonly collisionCount: number;
}

export interface History {
  /** All revisions, oldest number first, the present one included. */
  readonly revisions: readonly ControllerRevision[];
  /** That of the present template. */
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

/** The revisions of a workload; that of its present template is made, or given the newest number, when it is needed. */
export async function syncHistory(owner: HistoryOwner, context: ReconcileContext): Promise<History> {
  const present = await ownRevisions(owner, context);
  const data = templateData(owner.template);
  const text = canonicalJson(data);
  const equal = present.filter((each) => canonicalJson(each.data) === text);
  const last = equal.at(-1);
  const number = (present.at(-1)?.revision ?? 0) + 1;
  const { collisionCount } = owner;
  if (last !== undefined) {
    if (last === present.at(-1)) return { revisions: present, update: last, collisionCount };
    // Back to an earlier template: it becomes the newest.
    const update = await context.client.update(controllerRevisions, { ...last, revision: number });
    const revisions = [...present.filter((each) => each !== last), update];
    return { revisions, update, collisionCount };
  }
  const made = await create(owner, data, number, context);
  return { revisions: [...present, made.update], ...made };
}

/** The template that a revision holds. */
export function templateOf(revision: ControllerRevision): PodTemplateSpec {
  const data = revision.data as { spec?: { template?: PodTemplateSpec & { $patch?: string } } } | undefined; // As written below.
  if (data?.spec?.template === undefined) throw new BugError(`${revision.metadata.name} holds no template`);
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

/** Deletes the oldest revisions that nothing uses, beyond the wanted number. */
export async function truncateHistory(
  history: readonly ControllerRevision[],
  inUse: ReadonlySet<string>,
  limit: number,
  context: ReconcileContext,
): Promise<void> {
  const unused = history.filter((each) => !inUse.has(each.metadata.name ?? ""));
  for (const each of unused.slice(0, Math.max(0, unused.length - limit))) {
    try {
      await context.client.delete(controllerRevisions, each);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Revisions that the object controls, after adopting those that nobody does. Oldest number first. */
async function ownRevisions(
  { type, object, selector }: HistoryOwner,
  { cache, client }: ReconcileContext,
): Promise<ControllerRevision[]> {
  const own: ControllerRevision[] = [];
  for (const each of cache.list(controllerRevisions, { namespace: object.metadata.namespace ?? "" })) {
    const controller = controllerOf(each);
    if (controller !== undefined) {
      if (controller.uid === object.metadata.uid) own.push(each);
    } else if (
      matchLabels(selector, each.metadata.labels) &&
      !isTerminating(object) &&
      !isTerminating(each)
    ) {
      const ownerReferences = [controllerReference(type, object)];
      const patch = strategicPatch({ metadata: { uid: each.metadata.uid, ownerReferences } });
      own.push(await client.patch(controllerRevisions, each, patch));
    }
  }
  return own.sort(
    (a, b) =>
      a.revision - b.revision ||
      timeToMs(a.metadata.creationTimestamp) - timeToMs(b.metadata.creationTimestamp) ||
      ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1),
  );
}

async function create(
  { type, object, template, collisionCount }: HistoryOwner,
  data: unknown,
  revision: number,
  { client }: ReconcileContext,
): Promise<{ update: ControllerRevision; collisionCount: number }> {
  const { name = "", namespace = "", annotations } = object.metadata;
  for (let collisions = collisionCount; ; collisions++) {
    const hash = hashText(canonicalJson(data) + (collisions === 0 ? "" : `#${collisions}`));
    const wanted: ControllerRevision = {
      metadata: {
        name: `${name.slice(0, MAX_PREFIX)}-${hash}`,
        namespace,
        labels: { ...template.metadata?.labels, [HASH_LABEL]: hash },
        ...(annotations === undefined ? {} : { annotations }),
        ownerReferences: [controllerReference(type, object)],
      },
      data,
      revision,
    };
    try {
      return { update: await client.create(controllerRevisions, wanted), collisionCount: collisions };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const present = await client.live.get(controllerRevisions, wanted);
      if (canonicalJson(present.data) === canonicalJson(data))
        return { update: present, collisionCount: collisions };
    }
  }
}

/** A patch that puts the template in the place of another. */
function templateData(template: PodTemplateSpec): unknown {
  return { spec: { template: { ...template, $patch: "replace" } } };
}
