import type { KubeObject } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { ObjectEvent } from "../cache/informer.ts";

/** Whether a change matters. A change that does not is never turned into keys. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Updates that changed the spec (what counts into metadata.generation), and everything that is not an update. */
export const generationChanged: Predicate = ({ old, updated }) =>
  old === undefined || updated === undefined || old.metadata.generation !== updated.metadata.generation;

/** Updates that changed labels, and everything that is not an update. */
export const labelsChanged: Predicate = ({ old, updated }) =>
  old === undefined ||
  updated === undefined ||
  !jsonEquals(old.metadata.labels ?? {}, updated.metadata.labels ?? {});

/** Updates that changed annotations, and everything that is not an update. */
export const annotationsChanged: Predicate = ({ old, updated }) =>
  old === undefined ||
  updated === undefined ||
  !jsonEquals(old.metadata.annotations ?? {}, updated.metadata.annotations ?? {});

/** Only objects that are new. */
export const created: Predicate = ({ old }) => old === undefined;

/** Only objects that are gone. */
export const deleted: Predicate = ({ updated }) => updated === undefined;

/** Objects that a claim holds for; for updates, as they are now. */
export function objectMatches<T extends KubeObject>(claim: (object: T) => boolean): Predicate<T> {
  return ({ old, updated }) => {
    const object = updated ?? old;
    return object !== undefined && claim(object);
  };
}

/** All of them hold. */
export function and<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((holds) => holds(event));
}

/** At least one of them holds. */
export function or<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((holds) => holds(event));
}

export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
