import {
  formatApiVersion,
  type KubeObject,
  type OwnerReference,
  type ResourceType,
} from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";

/** A reference that makes `owner` the controller: it blocks the owner's foreground deletion. */
export function controllerReference(type: ResourceType, owner: KubeObject): OwnerReference {
  return { ...ownerReference(type, owner), controller: true, blockOwnerDeletion: true };
}

/** A plain reference: deleting the owner deletes the object too. */
export function ownerReference(type: ResourceType, owner: KubeObject): OwnerReference {
  const { name, uid } = owner.metadata;
  if (name === undefined || uid === undefined) throw new BugError("an owner must have been stored");
  return { apiVersion: formatApiVersion(type), kind: type.kind, name, uid };
}

/** The owner that controls an object; there is one at most. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** Whether `owner` controls the object: the very one, not one of the same name. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** A copy of the object that `owner` controls. Throws when somebody else does already. */
export function withController<T extends KubeObject>(type: ResourceType, owner: KubeObject, object: T): T {
  const reference = controllerReference(type, owner);
  const present = controllerOf(object);
  if (present !== undefined && present.uid !== reference.uid)
    throw new Error(
      `${object.metadata.name ?? "the object"} is already controlled by ${present.kind} ${present.name}`,
    );
  const others = (object.metadata.ownerReferences ?? []).filter((each) => each.uid !== reference.uid);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, reference] } };
}
