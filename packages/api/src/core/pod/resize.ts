import { type FieldError, forbiddenField, invalid } from "@binnacle/apimachinery";
import { jsonEquals, setOwn } from "@binnacle/base";
import type { Container, Pod, ResourceRequirements } from "../../generated/core-v1.generated.ts";
import { isSidecar, type ResourceList } from "./pod-resources.ts";
import { qosClassOf } from "./qos.ts";
import { MIRROR_POD_ANNOTATION } from "./validate-annotations.ts";
import { validatePodContent } from "./validate-pod.ts";

const LISTS = ["initContainers", "containers"] as const;

/**
 * Through `/resize` nothing changes but resources and resize policies; all else becomes the old pod's. Containers that
 * were added, removed, renamed or moved are left as they are: validation refuses them. Metadata is up to the caller.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, dropNonResizeUpdates.
 */
export function prepareResizeForUpdate(updated: Pod, old: Pod): void {
  const hasSameCounts = LISTS.every(
    (list) => (updated.spec[list] ?? []).length === (old.spec[list] ?? []).length,
  );
  if (!hasSameCounts) return;
  const { resources } = updated.spec;
  const lists = { initContainers: updated.spec.initContainers, containers: updated.spec.containers };
  updated.spec = { ...old.spec };
  for (const list of LISTS) {
    const containers = lists[list];
    if (containers?.length) updated.spec[list] = resized(containers, old.spec[list] ?? []);
  }
  if (resources === undefined) delete updated.spec.resources;
  else updated.spec.resources = resources;
  if (old.status === undefined) delete updated.status;
  else updated.status = old.status;
}

function resized(now: Container[], before: readonly Container[]): Container[] {
  if (now.some(({ name }, i) => before[i]?.name !== name)) return now;
  return now.map(({ resources, resizePolicy }, i) => {
    const { resources: _, resizePolicy: __, ...rest } = before[i] ?? { name: "" };
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodResize. */
export function validateResizeUpdate(updated: Pod, old: Pod): FieldError[] {
  if (Object.hasOwn(old.metadata.annotations ?? {}, MIRROR_POD_ANNOTATION)) {
    return [forbiddenField("", "static pods cannot be resized")];
  }
  if (old.spec.os?.name === "windows") return [forbiddenField("", "windows pods cannot be resized")];
  const errors = validatePodContent(updated);
  if ((old.status?.qosClass || qosClassOf(old.spec)) !== qosClassOf(updated.spec)) {
    const why = "Pod QOS Class may not change as a result of resizing";
    errors.push(invalid("spec", updated.status?.qosClass ?? "", why));
  }
  const running = old.status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined) {
    errors.push(forbiddenField("spec", "Pod running on node without support for resize"));
  }
  errors.push(...validatePodLevel(updated, old));
  if (old.status?.nodeAllocatableResourceClaimStatuses?.length) {
    errors.push(forbiddenField("spec", "pods with node allocatable resource claims cannot be resized"));
  }
  const order = LISTS.toReversed().flatMap((list) => validateOrder(updated, old, list));
  if (order.length > 0) return [...errors, ...order];
  for (const list of LISTS) errors.push(...validateRemoved(updated, old, list));
  errors.push(...validateMain(updated, old), ...validateInit(updated, old));
  if (errors.length > 0) return errors;
  const { containers: _, initContainers: __, resources: ___, ...rest } = updated.spec;
  const { containers: _c, initContainers: _i, resources: _r, ...before } = old.spec;
  if (!jsonEquals(rest, before)) {
    errors.push(forbiddenField("spec", "only cpu and memory resources are mutable"));
  }
  return errors;
}

function validateOrder(updated: Pod, old: Pod, list: (typeof LISTS)[number]): FieldError[] {
  const now = updated.spec[list] ?? [];
  const before = old.spec[list] ?? [];
  if (now.length !== before.length) {
    return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return before.flatMap(({ name }, i) =>
    now[i]?.name === name
      ? []
      : [forbiddenField(`spec.${list}[${i}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

function validateRemoved(updated: Pod, old: Pod, list: (typeof LISTS)[number]): FieldError[] {
  return (old.spec[list] ?? []).flatMap((before, i) => {
    if (list === "initContainers" && !isSidecar(before)) return [];
    const now = updated.spec[list]?.[i]?.resources;
    return (["requests", "limits"] as const).flatMap((what) => {
      if (!isRemoved(now?.[what], before.resources?.[what])) return [];
      return [forbiddenField(`spec.${list}[${i}].resources.${what}`, `resource ${what} cannot be removed`)];
    });
  });
}

function isRemoved(now: ResourceList = {}, before: ResourceList = {}): boolean {
  return Object.keys(before).some((name) => !Object.hasOwn(now, name));
}

function validateMain(updated: Pod, old: Pod): FieldError[] {
  return (updated.spec.containers ?? []).flatMap((container, i) =>
    hasOtherChanges(container, old.spec.containers[i])
      ? [forbiddenField("spec", "only cpu and memory resources are mutable")]
      : [],
  );
}

function validateInit(updated: Pod, old: Pod): FieldError[] {
  return (updated.spec.initContainers ?? []).flatMap((container, i) => {
    const before = old.spec.initContainers?.[i];
    if (!isSidecar(container)) {
      if (jsonEquals(container, before)) return [];
      return [forbiddenField("spec", "resources for non-sidecar init containers are immutable")];
    }
    if (!hasOtherChanges(container, before)) return [];
    const why = "only cpu and memory resources for init or sidecar containers are mutable";
    return [forbiddenField(`spec.initContainers[${i}]`, why)];
  });
}

function hasOtherChanges(container: Container, before: Container | undefined): boolean {
  const resources = (of: Container | undefined): ResourceRequirements => of?.resources ?? {};
  const masked = maskCpuAndMemory(resources(container), resources(before));
  return !jsonEquals(
    { ...container, resources: masked },
    { ...before, resources: withoutEmpty(resources(before)) },
  );
}

/** The requirements with the old cpu and memory. */
function maskCpuAndMemory(now: ResourceRequirements, before: ResourceRequirements): ResourceRequirements {
  const masked = withoutEmpty(now);
  for (const what of ["limits", "requests"] as const) {
    const list: ResourceList = { ...masked[what] };
    for (const name of ["cpu", "memory"]) {
      const old = before[what]?.[name];
      if (old === undefined) delete list[name];
      else setOwn(list, name, old);
    }
    if (Object.keys(list).length === 0) delete masked[what];
    else masked[what] = list;
  }
  return masked;
}

/** Without empty lists. */
function withoutEmpty({
  limits = {},
  requests = {},
  claims = [],
}: ResourceRequirements): ResourceRequirements {
  return {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(requests).length === 0 ? {} : { requests }),
    ...(claims.length === 0 ? {} : { claims }),
  };
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodLevelResourcesResize. */
function validatePodLevel(updated: Pod, old: Pod): FieldError[] {
  const now = updated.spec.resources;
  const before = old.spec.resources;
  const at = "spec.resources";
  if (before === undefined && now === undefined) return [];
  if (now === undefined) return [forbiddenField(at, "pod-level resources cannot be removed")];
  const errors = (["requests", "limits"] as const).flatMap((what) =>
    isRemoved(now[what], before?.[what])
      ? [forbiddenField(`${at}.${what}`, `pod-level resource ${what} cannot be removed`)]
      : [],
  );
  if (!jsonEquals(maskCpuAndMemory(now, before ?? {}), withoutEmpty(before ?? {}))) {
    errors.push(forbiddenField("spec", "only cpu and memory resources are mutable at pod-level"));
  }
  return errors;
}
