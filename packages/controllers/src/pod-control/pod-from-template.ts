import type { Pod, PodTemplateSpec } from "@binnacle/api";
import { isStatusError, type KubeObject, type ResourceType } from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import { controllerReference } from "@binnacle/controller-runtime";

/** Longer names are cut by the server, so that the random part fits. Source: names/generate.go, maxNameLength. */
const MAX_GENERATE_NAME = 253;

/**
 * A pod as its owner's template says, controlled by the owner.
 *
 * Source: kubernetes v1.36 pkg/controller/controller_utils.go, GetPodFromTemplate.
 */
export function podFromTemplate(
  template: PodTemplateSpec | undefined,
  owner: { readonly type: ResourceType; readonly object: KubeObject },
): Pod {
  const { namespace, name } = owner.object.metadata;
  if (template === undefined || namespace === undefined || name === undefined)
    throw new BugError("the owner of pods needs a template, a namespace and a name");
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const prefix = `${name}-`;
  return {
    metadata: {
      namespace,
      generateName: prefix.length <= MAX_GENERATE_NAME ? prefix : name,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReference(owner.type, owner.object)],
    },
    spec: template.spec,
  };
}

/** Whether the server refused because the namespace is going away: nothing to report and nothing to retry. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isStatusError(error)) return false;
  return error.status.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating") ?? false;
}
