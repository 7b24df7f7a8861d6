import { type FieldError, forbiddenField, goFormText, unifiedDiff } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { Pod } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { MIRROR_POD_ANNOTATION, validatePodAnnotationsUpdate } from "./validate-annotations.ts";
import { validatePodContent } from "./validate-pod.ts";

/**
 * Through `/ephemeralcontainers` nothing changes but ephemeral containers; all else becomes the old pod's. Metadata is
 * up to the caller, as for status.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, dropNonEphemeralContainerUpdates.
 */
export function prepareEphemeralContainersForUpdate(updated: Pod, old: Pod): void {
  const { ephemeralContainers } = updated.spec;
  updated.spec = { ...old.spec };
  if (ephemeralContainers === undefined) delete updated.spec.ephemeralContainers;
  else updated.spec.ephemeralContainers = ephemeralContainers;
  if (old.status === undefined) delete updated.status;
  else updated.status = old.status;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodEphemeralContainersUpdate. */
export function validateEphemeralContainersUpdate(updated: Pod, old: Pod): FieldError[] {
  if (Object.hasOwn(old.metadata.annotations ?? {}, MIRROR_POD_ANNOTATION)) {
    return [forbiddenField("", "static pods do not support ephemeral containers")];
  }
  const errors = [
    ...validatePodContent(updated),
    ...validatePodAnnotationsUpdate(updated, old, "metadata.annotations"),
  ];
  const path = "spec.ephemeralContainers";
  const schema = builtinSchema("core.v1.EphemeralContainer");
  for (const before of old.spec.ephemeralContainers ?? []) {
    const now = updated.spec.ephemeralContainers?.findLast(({ name }) => name === before.name);
    const what = `existing ephemeral containers ${JSON.stringify(before.name)}`;
    if (now === undefined) errors.push(forbiddenField(path, `${what} may not be removed\n`));
    else if (!jsonEquals(now, before)) {
      const changes = unifiedDiff(goFormText(schema, before), goFormText(schema, now));
      errors.push(forbiddenField(path, `${what} may not be changed\n${changes}`));
    }
  }
  return errors;
}
