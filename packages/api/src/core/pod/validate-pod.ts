import {
  type FieldError,
  forbiddenField,
  inclusiveRange,
  invalid,
  required,
  unifiedDiff,
} from "@binnacle/apimachinery";
import { cloneJson, type JsonValue, jsonEquals } from "@binnacle/base";
import type {
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSchedulingGate,
  PodSpec,
  Toleration,
} from "../../generated/core-v1.generated.ts";
import { internalPodSpec } from "./internal-form.ts";
import {
  validateAppArmorMatches,
  validatePodAnnotations,
  validatePodAnnotationsUpdate,
  validateSeccompMatches,
} from "./validate-annotations.ts";
import { validateImageSpaces } from "./validate-containers.ts";
import { validatePodSpec } from "./validate-pod-spec.ts";
import { validateTolerations } from "./validate-scheduling.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodCreate. */
export function validatePod(pod: Pod): FieldError[] {
  const errors = validatePodContent(pod);
  if (pod.spec.ephemeralContainers?.length) {
    errors.push(forbiddenField("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (pod.spec.nodeName && pod.spec.schedulingGates?.length) {
    const why = "cannot be set until all schedulingGates have been cleared";
    errors.push(forbiddenField("spec.nodeName", why));
  }
  const { annotations } = pod.metadata;
  return [
    ...errors,
    ...validateSeccompMatches(annotations, pod.spec, "spec"),
    ...validateAppArmorMatches(annotations, pod.spec, "spec"),
  ];
}

/** What holds for every pod at any time. Source: validation.go, validatePodMetadataAndSpec. */
export function validatePodContent(pod: Pod): FieldError[] {
  const { spec, metadata } = pod;
  const errors = [
    ...validatePodAnnotations(metadata.annotations, spec, "metadata.annotations"),
    ...validatePodSpec(spec, { path: "spec", pod: metadata }),
  ];
  if (!spec.serviceAccountName) {
    for (const [i, { projected }] of (spec.volumes ?? []).entries()) {
      for (const [j, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
        if (serviceAccountToken === undefined) continue;
        const at = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
        errors.push(forbiddenField(at, "must not be specified when serviceAccountName is not set"));
      }
    }
  }
  for (const list of ["containers", "initContainers"] as const) {
    for (const [i, container] of (spec[list] ?? []).entries()) {
      errors.push(...validateImageSpaces(container, `spec.${list}[${i}]`));
    }
  }
  return errors;
}

/** What the message about everything else counts up. */
const UPDATABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodUpdate. */
export function validatePodUpdate(updated: Pod, old: Pod): FieldError[] {
  const errors = [
    ...validatePodContent(updated),
    ...validatePodAnnotationsUpdate(updated, old, "metadata.annotations"),
  ];
  for (const list of ["containers", "initContainers"] as const) {
    const now = updated.spec[list] ?? [];
    if (now.length !== (old.spec[list] ?? []).length) {
      errors.push(forbiddenField(`spec.${list}`, "pod updates may not add or remove containers"));
      return errors;
    }
    errors.push(...validateImages(now, `spec.${list}`));
  }
  const deadline = validateDeadlineUpdate(updated.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(
    ...validateAddedTolerations(updated.spec.tolerations ?? [], old.spec.tolerations ?? []),
    ...validateRemovedGates(updated.spec.schedulingGates ?? [], old.spec.schedulingGates ?? []),
  );
  if (jsonEquals(updated.spec, old.spec)) return errors;
  return [...errors, ...validateUnchanged(updated.spec, old.spec)];
}

function validateImages(containers: readonly Container[], path: string): FieldError[] {
  return containers.flatMap((container, i) => [
    ...(container.image ? [] : [required(`${path}[${i}].image`)]),
    ...validateImageSpaces(container, `${path}[${i}]`),
  ]);
}

function validateDeadlineUpdate(
  now: number | undefined,
  before: number | undefined,
): { errors: FieldError[]; stop: boolean } {
  const path = "spec.activeDeadlineSeconds";
  if (now === undefined) {
    const why = "must not update from a positive integer to nil value";
    return { errors: before === undefined ? [] : [invalid(path, undefined, why)], stop: false };
  }
  if (now < 0 || now > MAX_INT32)
    return { errors: [invalid(path, now, inclusiveRange(0, MAX_INT32))], stop: true };
  if (before !== undefined && before < now) {
    return { errors: [invalid(path, now, "must be less than or equal to previous value")], stop: true };
  }
  return { errors: [], stop: false };
}

function validateAddedTolerations(now: readonly Toleration[], before: readonly Toleration[]): FieldError[] {
  const path = "spec.tolerations";
  const withoutTime = ({
    tolerationSeconds: _,
    ...rest
  }: Toleration): Omit<Toleration, "tolerationSeconds"> => rest;
  for (const old of before) {
    if (now.some((toleration) => jsonEquals(withoutTime(toleration), withoutTime(old)))) continue;
    return [forbiddenField(path, "existing toleration can not be modified except its tolerationSeconds")];
  }
  return validateTolerations(now, path);
}

function validateRemovedGates(
  now: readonly PodSchedulingGate[],
  before: readonly PodSchedulingGate[],
): FieldError[] {
  return now.flatMap(({ name }, i) => {
    if (before.some((gate) => gate.name === name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbiddenField(`spec.schedulingGates[${i}].name`, why)];
  });
}

/** Puts the old values where change is allowed; nothing may differ then. */
function validateUnchanged(updated: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  // A PodSpec is JSON; the copy has the same type.
  const masked = cloneJson(updated as unknown as JsonValue) as unknown as PodSpec;
  for (const list of ["containers", "initContainers"] as const) {
    for (const [i, container] of (masked[list] ?? []).entries()) {
      restore(container, old[list]?.[i] ?? { name: "" }, "image");
    }
  }
  restore(masked, old, "activeDeadlineSeconds");
  restore(masked, old, "schedulingGates");
  restore(masked, old, "tolerations");
  const before = old.terminationGracePeriodSeconds ?? 0;
  if (before < 0 && masked.terminationGracePeriodSeconds === 1)
    restore(masked, old, "terminationGracePeriodSeconds");
  if (old.schedulingGates?.length) {
    if (!jsonEquals(masked.nodeSelector ?? {}, old.nodeSelector ?? {})) {
      errors.push(...validateNodeSelectorAdditions(masked.nodeSelector ?? {}, old.nodeSelector ?? {}));
    }
    restore(masked, old, "nodeSelector");
    errors.push(...validateAffinityAdditions(masked, old));
  }
  if (jsonEquals(masked, old)) return errors;
  const changes = unifiedDiff(text(old), text(masked));
  const why = `pod updates may not change fields other than ${UPDATABLE}\n${changes}`;
  return [...errors, forbiddenField("spec", why)];
}

function text(spec: PodSpec): string {
  return JSON.stringify(internalPodSpec(spec), undefined, 1);
}

function restore<T extends object, K extends keyof T>(into: T, from: T, field: K): void {
  if (from[field] === undefined) delete into[field];
  else into[field] = from[field];
}

function validateNodeSelectorAdditions(
  now: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): FieldError[] {
  const kept = Object.entries(before).every(([key, value]) => Object.hasOwn(now, key) && now[key] === value);
  if (kept) return [];
  const why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalid("spec.nodeSelector", now, why)];
}

/** A pod that waits behind a gate may be bound to fewer nodes. Source: validation.go, validateNodeAffinityMutation. */
function validateAffinityAdditions(masked: PodSpec, old: PodSpec): FieldError[] {
  const now = masked.affinity?.nodeAffinity;
  const before = old.affinity?.nodeAffinity;
  if (jsonEquals(now, before)) return [];
  const errors = validateTermAdditions(now, before);
  const { nodeAffinity: _, ...others } = masked.affinity ?? {};
  if (before !== undefined) masked.affinity = { ...others, nodeAffinity: before };
  else if (old.affinity === undefined && Object.keys(others).length === 0) delete masked.affinity;
  else masked.affinity = others;
  return errors;
}

function validateTermAdditions(
  now: NodeAffinity | undefined,
  before: NodeAffinity | undefined,
): FieldError[] {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const path = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  const oldTerms = before?.[required]?.nodeSelectorTerms ?? [];
  const terms = now?.[required]?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return [];
  if (oldTerms.length !== terms.length) {
    const why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [invalid(path, terms.map(internalTerm), why)];
  }
  return terms.flatMap((term, i) => {
    if (hasOnlyAdditions(term, oldTerms[i] ?? {})) return [];
    const why = "only additions are allowed (no mutations or deletions)";
    return [invalid(`${path}[${i}]`, internalTerm(term), why)];
  });
}

function hasOnlyAdditions(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ["matchExpressions", "matchFields"] as const;
  const isEmpty = (of: NodeSelectorTerm): boolean => lists.every((list) => !of[list]?.length);
  // An empty term selects nothing; one more condition would make it select something.
  if (isEmpty(old)) return isEmpty(term);
  return lists.every((list) => {
    const before = old[list] ?? [];
    return jsonEquals((term[list] ?? []).slice(0, before.length), before);
  });
}

function internalTerm({ matchExpressions, matchFields }: NodeSelectorTerm): object {
  const requirements = (list: NodeSelectorTerm["matchFields"]): object[] | null =>
    list?.map(({ key, operator, values }) => ({ Key: key, Operator: operator, Values: values ?? null })) ??
    null;
  return { MatchExpressions: requirements(matchExpressions), MatchFields: requirements(matchFields) };
}
