import type { Container, EphemeralContainer, PodSpec } from "../../generated/core-v1.generated.ts";

/** A container of any list of a pod, and where it stands. */
export interface LocatedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

/** Init, main and ephemeral containers, in this order, with their paths below `path`. */
export function containersWithPaths(spec: PodSpec, path: string): LocatedContainer[] {
  const located = (list: "initContainers" | "containers" | "ephemeralContainers"): LocatedContainer[] =>
    (spec[list] ?? []).map((container, i) => ({ container, path: `${path}.${list}[${i}]` }));
  return [...located("initContainers"), ...located("containers"), ...located("ephemeralContainers")];
}
