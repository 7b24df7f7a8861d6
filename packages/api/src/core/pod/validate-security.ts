import {
  duplicate,
  type FieldError,
  goForm,
  invalid,
  notSupported,
  required,
  tooLong,
  userOrGroupId,
} from "@binnacle/apimachinery";
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateLocalDescendingPath } from "./paths.ts";
import { validateWindowsOptions } from "./validate-windows.ts";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodSpecSecurityContext. */
export function validatePodSecurityContext(spec: PodSpec, path: string): FieldError[] {
  const context = spec.securityContext ?? {};
  const errors: FieldError[] = [
    ...validateId(context.fsGroup, `${path}.fsGroup`),
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((id, i) =>
      validateId(id, `${path}.supplementalGroups[${i}]`),
    ),
  ];
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const why = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.push(invalid(`${path}.shareProcessNamespace`, true, why));
  }
  return [
    ...errors,
    ...validateSysctls(spec, `${path}.sysctls`),
    ...oneOf(context, "fsGroupChangePolicy", ["Always", "OnRootMismatch"], path),
    ...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
    ...oneOf(context, "supplementalGroupsPolicy", ["Merge", "Strict"], path),
    ...oneOf(context, "seLinuxChangePolicy", ["MountOption", "Recursive"], path),
  ];
}

function oneOf(
  context: PodSecurityContext,
  field: "fsGroupChangePolicy" | "supplementalGroupsPolicy" | "seLinuxChangePolicy",
  values: readonly string[],
  path: string,
): FieldError[] {
  const value = context[field];
  return value === undefined || values.includes(value)
    ? []
    : [notSupported(`${path}.${field}`, value, values)];
}

function validateId(id: number | undefined, path: string): FieldError[] {
  return id === undefined ? [] : userOrGroupId(id).map((problem) => invalid(path, id, problem));
}

const SYSCTL = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const SYSCTL_PATTERN = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const MAX_SYSCTL = 253;

function validateSysctls(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name = "" }] of (spec.securityContext?.sysctls ?? []).entries()) {
    const at = `${path}[${i}].name`;
    if (name === "") errors.push(required(at));
    else if (name.length > MAX_SYSCTL || !SYSCTL_PATTERN.test(name)) {
      const why = `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL}`;
      errors.push(invalid(at, name, why));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    const namespace = sysctlNamespace(name);
    if (spec.hostNetwork === true && namespace === "net") {
      errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC === true && namespace === "ipc") {
      errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    }
  }
  return errors;
}

/** Source: kubernetes v1.36 component-helpers/node/util/sysctl/namespace.go, GetNamespace. */
function sysctlNamespace(name: string): "net" | "ipc" | undefined {
  const normal = normalizeSysctl(name);
  if (normal.startsWith("net.")) return "net";
  if (normal === "kernel.sem" || /^(?:kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(normal)) return "ipc";
  return undefined;
}

/** `/` and `.` trade places in names that start with `/`-separated parts. */
function normalizeSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== "/") return name;
  return name.replace(/[./]/g, (mark) => (mark === "." ? "/" : "."));
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecurityContext. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  hostUsers: boolean,
  path: string,
): FieldError[] {
  if (context === undefined) return [];
  const errors = [
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
  ];
  const { procMount } = context;
  if (procMount !== undefined) {
    const at = `${path}.procMount`;
    if (procMount !== "Default" && procMount !== "Unmasked") {
      errors.push(notSupported(at, procMount, ["Default", "Unmasked"]));
    }
    if (hostUsers && procMount === "Unmasked") {
      errors.push(invalid(at, procMount, "`hostUsers` must be false to use `Unmasked`"));
    }
  }
  errors.push(...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`));
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (what: string): void => {
      const shown = goForm(builtinSchema("core.v1.SecurityContext"), context);
      errors.push(invalid(path, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`));
    };
    if (context.privileged === true) refuse("`privileged` to true");
    for (const capability of context.capabilities?.add ?? []) {
      if (capability === "CAP_SYS_ADMIN") refuse("`capabilities.Add` CAP_SYS_ADMIN");
    }
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

const PROFILE_TYPES: readonly string[] = ["Localhost", "RuntimeDefault", "Unconfined"];

function validateSeccomp(profile: SeccompProfile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const errors: FieldError[] = [];
  if (!type) errors.push(required(`${path}.type`, "type is required when seccompProfile is set"));
  else if (!PROFILE_TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, PROFILE_TYPES));
  const at = `${path}.localhostProfile`;
  if (type !== "Localhost") {
    if (localhostProfile !== undefined) {
      const shown = goForm(builtinSchema("core.v1.SeccompProfile"), profile);
      errors.push(invalid(at, shown, "can only be set when seccomp type is Localhost"));
    }
  } else if (localhostProfile === undefined) {
    errors.push(required(at, "must be set when seccomp type is Localhost"));
  } else {
    errors.push(...validateLocalDescendingPath(localhostProfile, at));
  }
  return errors;
}

/** The longest path the kernel takes, without its final zero. */
const MAX_PROFILE = 4095;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateAppArmorProfileField. */
export function validateAppArmor(profile: AppArmorProfile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (!type) return [required(`${path}.type`, "type is required when appArmorProfile is set")];
  if (!PROFILE_TYPES.includes(type)) return [notSupported(`${path}.type`, type, PROFILE_TYPES)];
  if (type !== "Localhost") {
    if (localhostProfile === undefined) return [];
    return [invalid(at, localhostProfile, "can only be set when AppArmor type is Localhost")];
  }
  if (localhostProfile === undefined || localhostProfile === "") {
    return [required(at, "must be set when AppArmor type is Localhost")];
  }
  const errors: FieldError[] = [];
  if (localhostProfile.trim() !== localhostProfile) {
    errors.push(invalid(at, localhostProfile, "must not be padded with whitespace"));
  }
  if (localhostProfile.length > MAX_PROFILE) errors.push(tooLong(at, MAX_PROFILE));
  return errors;
}
