import type { GroupVersionKind } from "../meta/group-version.ts";
import type { KubeObject } from "../meta/object-meta.ts";

/**
 * What a client must know of a resource to speak about it. Every `ResourceDefinition` is one; an operator makes its
 * own with {@link resourceType}.
 */
export interface ResourceType<T extends KubeObject = KubeObject> extends GroupVersionKind {
  /** The plural name in paths, such as `deployments`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Never present at run time: carries the object's type to `client.get(pods, …)`. */
  readonly objectType?: T;
}

/** Names a resource that is defined elsewhere, such as a custom resource. */
export function resourceType<T extends KubeObject>(
  type: Omit<ResourceType<T>, "objectType">,
): ResourceType<T> {
  return Object.freeze({ ...type });
}
