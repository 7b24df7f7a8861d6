import { type FieldError, forbiddenField, invalid } from "@binnacle/apimachinery";
import type {
  AppArmorProfile,
  Pod,
  PodSpec,
  SeccompProfile,
  Toleration,
} from "../../generated/core-v1.generated.ts";
import { containersWithPaths } from "./containers.ts";
import { validateLocalDescendingPath } from "./paths.ts";
import { validateTolerations } from "./validate-scheduling.ts";

type Annotations = Readonly<Record<string, string>>;

/** Set by a kubelet on what stands for a pod from a file. */
export const MIRROR_POD_ANNOTATION = "kubernetes.io/config.mirror";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
/** The old way to give a container an AppArmor profile; its name follows. */
export const APP_ARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";

/**
 * The annotations that mean something to pods.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpecificAnnotations.
 */
export function validatePodAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  const mirror = own(annotations, MIRROR_POD_ANNOTATION);
  if (mirror !== undefined && !spec.nodeName) {
    const why = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(invalid(`${path}[${MIRROR_POD_ANNOTATION}]`, mirror, why));
  }
  const tolerations = own(annotations, TOLERATIONS);
  if (tolerations) errors.push(...validateTolerationText(tolerations, path));
  const cost = own(annotations, DELETION_COST);
  if (cost !== undefined && !isInt32(cost)) {
    errors.push(invalid(`${path}[${DELETION_COST}]`, cost, "must be a 32bit integer"));
  }
  const names = Object.keys(annotations).sort();
  for (const name of names) {
    if (name !== SECCOMP_POD && !name.startsWith(SECCOMP_CONTAINER)) continue;
    errors.push(...validateSeccompText(annotations[name] ?? "", `${path}.${name}`));
  }
  for (const name of names) {
    if (!name.startsWith(APP_ARMOR_ANNOTATION)) continue;
    const at = `${path}[${name}]`;
    const container = name.slice(APP_ARMOR_ANNOTATION.length);
    if (!containersWithPaths(spec, "").some((located) => located.container.name === container)) {
      errors.push(invalid(at, container, "container not found"));
    }
    const profile = annotations[name] ?? "";
    if (!/^(?:|runtime\/default|unconfined|localhost\/.*)$/s.test(profile)) {
      errors.push(invalid(at, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`));
    }
  }
  return errors;
}

function own(annotations: Annotations | undefined, name: string): string | undefined {
  return annotations !== undefined && Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

/** A sign other than minus or a zero in front would sort differently from what is written. */
function isInt32(text: string): boolean {
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return false;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31;
}

function validateTolerationText(text: string, path: string): FieldError[] {
  let tolerations: unknown;
  try {
    tolerations = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [invalid(path, TOLERATIONS, error.message)];
    throw error;
  }
  if (!Array.isArray(tolerations)) {
    const why = "json: cannot unmarshal object into Go value of type []core.Toleration";
    return [invalid(path, TOLERATIONS, why)];
  }
  // Only read, and only by the names of Toleration.
  return validateTolerations(tolerations as Toleration[], `${path}.${TOLERATIONS}`);
}

function validateSeccompText(profile: string, path: string): FieldError[] {
  if (profile === "runtime/default" || profile === "docker/default" || profile === "unconfined") return [];
  const prefix = "localhost/";
  if (profile.startsWith(prefix)) return validateLocalDescendingPath(profile.slice(prefix.length), path);
  return [invalid(path, profile, "must be a valid seccomp profile")];
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpecificAnnotationUpdates. */
export function validatePodAnnotationsUpdate(updated: Pod, old: Pod, path: string): FieldError[] {
  const now = updated.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  const errors: FieldError[] = [];
  const refuse = (name: string, verb: string): void => {
    const at = `${path}[${name}]`;
    if (name.startsWith(APP_ARMOR_ANNOTATION)) {
      errors.push(forbiddenField(at, `may not ${verb} AppArmor annotations`));
    }
    if (name === MIRROR_POD_ANNOTATION)
      errors.push(forbiddenField(at, `may not ${verb} mirror pod annotation`));
  };
  for (const name of Object.keys(before)) {
    if (own(now, name) !== before[name]) refuse(name, "remove or update");
  }
  for (const name of Object.keys(now)) if (!Object.hasOwn(before, name)) refuse(name, "add");
  return [...errors, ...validatePodAnnotations(now, updated.spec, path)];
}

/** Where both say something, they say the same. Source: validation.go, validateSeccompAnnotationsAndFields. */
export function validateSeccompMatches(
  annotations: Annotations | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  const errors = matchSeccomp(
    own(annotations, SECCOMP_POD),
    spec.securityContext?.seccompProfile,
    `${path}.securityContext.seccompProfile`,
  );
  for (const { container, path: of } of containersWithPaths(spec, path)) {
    const annotation = own(annotations, `${SECCOMP_CONTAINER}${container.name}`);
    const at = `${of}.securityContext.seccompProfile`;
    errors.push(...matchSeccomp(annotation, container.securityContext?.seccompProfile, at));
  }
  return errors;
}

function matchSeccomp(
  annotation: string | undefined,
  profile: SeccompProfile | undefined,
  path: string,
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  return matchProfile(annotation, profile, ["runtime/default", "docker/default"], path, "seccomp");
}

function matchProfile(
  annotation: string,
  profile: SeccompProfile | AppArmorProfile,
  runtimeDefaults: readonly string[],
  path: string,
  what: string,
): FieldError[] {
  const typeError = forbiddenField(`${path}.type`, `${what} type in annotation and field must match`);
  switch (profile.type) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : [typeError];
    case "RuntimeDefault":
      return runtimeDefaults.includes(annotation) ? [] : [typeError];
    case "Localhost":
      if (!annotation.startsWith("localhost/")) return [typeError];
      if (annotation === `localhost/${profile.localhostProfile}`) return [];
      return [
        forbiddenField(`${path}.localhostProfile`, `${what} profile in annotation and field must match`),
      ];
    default:
      return [];
  }
}

/** Source: validation.go, validateAppArmorAnnotationsAndFieldsMatchOnCreate. */
export function validateAppArmorMatches(
  annotations: Annotations | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  if (spec.os?.name === "windows") return [];
  const errors: FieldError[] = [];
  for (const { container, path: of } of containersWithPaths(spec, path)) {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = own(annotations, `${APP_ARMOR_ANNOTATION}${container.name}`);
    if (profile === undefined || annotation === undefined) continue;
    const at = `${of}.securityContext.appArmorProfile`;
    errors.push(...matchProfile(annotation, profile, ["runtime/default"], at, "apparmor"));
  }
  return errors;
}
