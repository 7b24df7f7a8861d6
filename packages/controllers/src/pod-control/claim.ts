import {
  isInvalid,
  isNotFound,
  type KubeObject,
  type LabelMatcher,
  matchLabels,
  type ResourceType,
} from "@binnacle/apimachinery";
import { type Client, strategicPatch } from "@binnacle/client";
import { controllerOf, controllerReference, isTerminating } from "@binnacle/controller-runtime";

/** What to do about one object that an owner may own. */
export type ClaimDecision = "own" | "adopt" | "release" | "ignore";

/**
 * Whether an owner owns, should adopt, or should let go of an object.
 *
 * Source: kubernetes v1.36 pkg/controller/controller_ref_manager.go, ClaimObject.
 */
export function decideClaim(owner: KubeObject, selector: LabelMatcher, object: KubeObject): ClaimDecision {
  const controller = controllerOf(object);
  const matches = matchLabels(selector, object.metadata.labels);
  if (controller !== undefined) {
    if (controller.uid !== owner.metadata.uid) return "ignore";
    if (matches) return "own";
    return isTerminating(owner) ? "ignore" : "release";
  }
  if (isTerminating(owner) || !matches || isTerminating(object)) return "ignore";
  return object.metadata.namespace === owner.metadata.namespace ? "adopt" : "ignore";
}

/**
 * The objects among `candidates` that the owner controls, after adopting those without a controller that its selector
 * selects and releasing its own that it no longer selects.
 */
export async function claim<T extends KubeObject>(
  live: Client,
  owner: { readonly type: ResourceType; readonly object: KubeObject },
  selector: LabelMatcher,
  candidates: { readonly type: ResourceType<T>; readonly objects: readonly T[] },
): Promise<T[]> {
  const claimed: T[] = [];
  let mayAdopt: Promise<void> | undefined;
  for (const object of candidates.objects) {
    switch (decideClaim(owner.object, selector, object)) {
      case "own":
        claimed.push(object);
        break;
      case "adopt": {
        mayAdopt ??= checkStillThere(live, owner);
        await mayAdopt;
        const adopted = await adopt(live, owner, candidates.type, object);
        if (adopted !== undefined) claimed.push(adopted);
        break;
      }
      case "release":
        await release(live, owner.object, candidates.type, object);
        break;
      case "ignore":
        break;
    }
  }
  return claimed;
}

/** The cache may be behind: an owner that is going must not adopt what its deletion should orphan. */
async function checkStillThere(
  live: Client,
  { type, object }: { readonly type: ResourceType; readonly object: KubeObject },
): Promise<void> {
  const present = await live.get(type, object);
  if (present.metadata.uid !== object.metadata.uid)
    throw new Error(
      `original ${type.kind} ${object.metadata.namespace}/${object.metadata.name} is gone: got uid ${present.metadata.uid}, wanted ${object.metadata.uid}`,
    );
  if (isTerminating(present))
    throw new Error(
      `${object.metadata.namespace}/${object.metadata.name} has just been deleted at ${present.metadata.deletionTimestamp}`,
    );
}

/** Gives the adopted object; undefined when it has gone meanwhile. */
async function adopt<T extends KubeObject>(
  live: Client,
  owner: { readonly type: ResourceType; readonly object: KubeObject },
  type: ResourceType<T>,
  object: T,
): Promise<T | undefined> {
  const ownerReferences = [controllerReference(owner.type, owner.object)];
  try {
    return await live.patch(
      type,
      object,
      strategicPatch({ metadata: { uid: object.metadata.uid, ownerReferences } }),
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function release(
  live: Client,
  owner: KubeObject,
  type: ResourceType,
  object: KubeObject,
): Promise<void> {
  const ownerReferences = [{ $patch: "delete", uid: owner.metadata.uid }];
  try {
    await live.patch(
      type,
      object,
      strategicPatch({ metadata: { uid: object.metadata.uid, ownerReferences } }),
    );
  } catch (error) {
    // Gone, or another object by now (the uid does not fit), or without that reference already.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}
