import type { Container, PodSpec } from "@binnacle/api";
import type { ObjectMeta } from "@binnacle/apimachinery";

/** One rule of a level, as it is from a minor version on. */
export interface Check {
  /** Checks are told in the order of their names. */
  readonly id: string;
  /** By the first minor version that they are from; ascending. */
  readonly versions: readonly { readonly since: number; readonly check: CheckPod }[];
  /** The check of the level below that this one includes. */
  readonly overrides?: string;
}

/** Undefined: the pod is allowed. */
export type CheckPod = (pod: CheckedPod) => Violation | undefined;

/** A pod, or what a workload will make pods of. */
export interface CheckedPod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

export interface Violation {
  /** What is wrong, in a few words. */
  readonly reason: string;
  /** Where. */
  readonly detail: string;
}

/** All containers, those that run first first. */
export function containersOf({ spec }: CheckedPod): Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** The names of the containers that are like this. */
export function namesOf(pod: CheckedPod, isLike: (container: Container) => boolean): string[] {
  return containersOf(pod)
    .filter(isLike)
    .map(({ name }) => name);
}

/** `container "a"` or `containers "a", "b"`. */
export function containerList(names: readonly string[]): string {
  return `${plural("container", names.length)} ${quoted(names)}`;
}

/** The pod itself and containers that set something: `pod and container "a"`; empty when none does. */
export function setters(isSetByPod: boolean, containers: readonly string[]): string {
  const parts = isSetByPod ? ["pod"] : [];
  if (containers.length > 0) parts.push(containerList(containers));
  return parts.join(" and ");
}

export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

/** Each text once, sorted. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
