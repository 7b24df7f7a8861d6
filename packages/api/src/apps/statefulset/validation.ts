import {
  applyRule,
  dnsLabel,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
  validateAnnotations,
  validateLabels,
  validateNonNegative,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { validateClaimSpec } from "../../core/persistentvolumeclaim/validation.ts";
import {
  selectorTest,
  shownSelector,
  specOf,
  validateLongRunning,
  validatePodTemplateSpec,
  validateSelected,
} from "../../core/pod/template.ts";
import { validatePodAnnotations } from "../../core/pod/validate-annotations.ts";
import type {
  StatefulSet,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from "../../generated/apps-v1.generated.ts";
import type { PodTemplateSpec } from "../../generated/core-v1.generated.ts";
import {
  intOrPercentValue,
  validateAtMost,
  validateAtMostAll,
  validateCollisionCount,
  validateCounts,
  validateIntOrPercent,
  validateOwnSelector,
} from "../workload-validation.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSet. */
export function validateStatefulSet({ spec }: StatefulSet): FieldError[] {
  return validateSpec(spec, { isUpdate: false, checkTemplate: true });
}

function validateSpec(
  spec: StatefulSetSpec,
  { isUpdate, checkTemplate }: { isUpdate: boolean; checkTemplate: boolean },
): FieldError[] {
  const { podManagementPolicy, serviceName, selector, template } = spec;
  const errors: FieldError[] = [];
  if (!podManagementPolicy) errors.push(required("spec.podManagementPolicy"));
  else if (podManagementPolicy !== "OrderedReady" && podManagementPolicy !== "Parallel") {
    const why = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalid("spec.podManagementPolicy", podManagementPolicy, why));
  }
  errors.push(...validateUpdateStrategy(spec.updateStrategy ?? {}, "spec.updateStrategy"));
  errors.push(...validateRetention(spec, "spec.persistentVolumeClaimRetentionPolicy"));
  if (!isUpdate) {
    for (const [i, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
      errors.push(...validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${i}].spec`));
    }
  }
  errors.push(...validateCounts<StatefulSetSpec>(spec, ["replicas", "minReadySeconds"], "spec"));
  errors.push(...validateNonNegative(spec.ordinals?.start, "spec.ordinals.start"));
  if (!isUpdate && serviceName) errors.push(...applyRule(dnsLabel, serviceName, "spec.serviceName"));
  errors.push(...validateOwnSelector({ selector, template, kind: "statefulset" }, "spec.selector"));
  const selects = selectorTest(selector);
  if (selects === undefined) errors.push(invalid("spec.selector", shownSelector(selector), ""));
  else {
    errors.push(...validateSelected(selects, template, "spec.template"));
    errors.push(...validateTemplate(templateOfPods(spec), checkTemplate, "spec.template"));
  }
  return [...errors, ...validateLongRunning(template, "StatefulSet", "spec.template")];
}

function validateUpdateStrategy(strategy: StatefulSetUpdateStrategy, path: string): FieldError[] {
  const { type = "", rollingUpdate } = strategy;
  const shownUpdate =
    rollingUpdate === undefined
      ? null
      : { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: rollingUpdate.maxUnavailable ?? null };
  const at = `${path}.rollingUpdate`;
  if (type === "") return [required(path)];
  if (type === "OnDelete") {
    if (rollingUpdate === undefined) return [];
    return [invalid(at, shownUpdate, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  if (type !== "RollingUpdate") {
    const why = "must be 'RollingUpdate' or 'OnDelete'";
    return [invalid(path, { Type: type, RollingUpdate: shownUpdate }, why)];
  }
  if (rollingUpdate === undefined) return [];
  const { partition, maxUnavailable } = rollingUpdate;
  const errors = validateNonNegative(partition, `${at}.partition`);
  if (maxUnavailable === undefined) return errors;
  const where = `${at}.maxUnavailable`;
  errors.push(...validateIntOrPercent(maxUnavailable, where));
  if (intOrPercentValue(maxUnavailable) === 0) errors.push(invalid(where, maxUnavailable, "cannot be 0"));
  return [...errors, ...validateAtMostAll(maxUnavailable, where)];
}

const RETENTION: readonly string[] = ["Retain", "Delete"];

function validateRetention(spec: StatefulSetSpec, path: string): FieldError[] {
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  if (policy === undefined) return [];
  return (["whenDeleted", "whenScaled"] as const).flatMap((field) => {
    const value = policy[field] ?? "";
    return RETENTION.includes(value) ? [] : [notSupported(`${path}.${field}`, value, RETENTION)];
  });
}

/** The template as the controller completes it: with a volume per claim, and names of its own. */
function templateOfPods(spec: StatefulSetSpec): PodTemplateSpec {
  const { subdomain: _, hostname: __, ...podSpec } = specOf(spec.template);
  const claims = new Map(
    (spec.volumeClaimTemplates ?? []).map(({ metadata }) => {
      const name = metadata?.name ?? "";
      return [name, { name, persistentVolumeClaim: { claimName: name } }] as const;
    }),
  );
  const others = (podSpec.volumes ?? []).filter(({ name }) => !claims.has(name));
  const volumes = claims.size === 0 ? {} : { volumes: [...claims.values(), ...others] };
  return { ...spec.template, spec: { ...podSpec, ...volumes } };
}

function validateTemplate(template: PodTemplateSpec, checkAll: boolean, path: string): FieldError[] {
  const { labels, annotations } = template.metadata ?? {};
  // Upstream checks these a second time; the same error twice is shown once.
  if (checkAll) return validatePodTemplateSpec(template, path);
  return [
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validatePodAnnotations(annotations, specOf(template), `${path}.annotations`),
  ];
}

const UPDATABLE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSetUpdate. */
export function validateStatefulSetUpdate(updated: StatefulSet, old: StatefulSet): FieldError[] {
  const wasValid = validateSpec(old.spec, { isUpdate: true, checkTemplate: true }).length === 0;
  const errors = validateSpec(updated.spec, { isUpdate: true, checkTemplate: wasValid });
  if (!jsonEquals(fixedPart(updated.spec), fixedPart(old.spec)))
    errors.push(forbiddenField("spec", UPDATABLE));
  return errors;
}

function fixedPart(spec: StatefulSetSpec): object {
  const { selector, volumeClaimTemplates, serviceName, podManagementPolicy } = spec;
  return { selector, volumeClaimTemplates, serviceName, podManagementPolicy };
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateStatefulSetStatusUpdate. */
export function validateStatefulSetStatus(updated: StatefulSet, old: StatefulSet): FieldError[] {
  const status: StatefulSetStatus = updated.status ?? { replicas: 0 };
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const;
  const tooMany = "cannot be greater than status.replicas";
  const tooManyReady = "cannot be greater than status.readyReplicas";
  return [
    ...validateCounts<StatefulSetStatus>(
      status,
      ["replicas", ...parts, "observedGeneration", "collisionCount"],
      "status",
    ),
    ...validateAtMost(status, parts, "replicas", tooMany),
    ...validateAtMost(status, ["availableReplicas"], "readyReplicas", tooManyReady),
    ...validateCollisionCount(status.collisionCount, old.status?.collisionCount),
  ];
}
