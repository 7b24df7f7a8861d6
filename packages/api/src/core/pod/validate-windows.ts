import { applyRule, dnsSubdomain, type FieldError, forbiddenField, invalid } from "@binnacle/apimachinery";
import type {
  PodSpec,
  SecurityContext,
  WindowsSecurityContextOptions,
} from "../../generated/core-v1.generated.ts";
import { containersWithPaths } from "./containers.ts";

const MAX_CREDENTIAL_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
/** Source: the naming rules of NetBIOS, see kubernetes v1.36 validation.go, validNetBiosRegex. */
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_DOMAIN =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateWindowsSecurityContextOptions. */
export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: string,
): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  const errors: FieldError[] = [];
  if (gmsaCredentialSpecName !== undefined) {
    errors.push(...applyRule(dnsSubdomain, gmsaCredentialSpecName, `${path}.gmsaCredentialSpecName`));
  }
  if (gmsaCredentialSpec !== undefined) {
    const at = `${path}.gmsaCredentialSpec`;
    if (gmsaCredentialSpec === "") {
      errors.push(invalid(at, gmsaCredentialSpec, "gmsaCredentialSpec cannot be an empty string"));
    } else if (gmsaCredentialSpec.length > MAX_CREDENTIAL_KIB * 1024) {
      const why = `gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_KIB} KiB`;
      errors.push(invalid(at, gmsaCredentialSpec, why));
    }
  }
  if (runAsUserName !== undefined) {
    const at = `${path}.runAsUserName`;
    for (const problem of userNameProblems(runAsUserName)) errors.push(invalid(at, runAsUserName, problem));
  }
  return errors;
}

/** `DOMAIN\user` or `user`. */
function userNameProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (domain !== undefined) {
    if (domain.length >= MAX_DOMAIN) {
      problems.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN} characters`);
    }
    if (!NET_BIOS.test(domain) && !DNS_DOMAIN.test(domain)) {
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (user.length > MAX_USER) {
    problems.push(`runAsUserName's User length must not be longer than ${MAX_USER} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateWindowsHostProcessPod. */
export function validateHostProcess(spec: PodSpec, path: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  const containers = containersWithPaths(spec, path);
  let count = 0;
  for (const { container, path: at } of containers) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, why));
    }
    if (own ?? ofPod ?? false) count++;
  }
  if (count === 0) return errors;
  if (count !== containers.length) {
    const why =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(invalid(path, "", why));
  }
  if (spec.hostNetwork !== true) {
    const why = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(invalid(`${path}.hostNetwork`, false, why));
  }
  return errors;
}

const NOT_ON_WINDOWS = "cannot be set for a windows pod";
/** In the order upstream reports them. */
const LINUX_CONTAINER_FIELDS: readonly (keyof SecurityContext)[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

/** What a pod that is bound to one operating system may not ask for. Source: validation.go, validateLinux, validateWindows. */
export function validateForOs(spec: PodSpec, path: string): FieldError[] {
  if (spec.os?.name === "linux") {
    const contexts = [
      { context: spec.securityContext, path: `${path}.securityContext` },
      ...containersWithPaths(spec, path).map(({ container, path: at }) => ({
        context: container.securityContext,
        path: `${at}.securityContext`,
      })),
    ];
    return contexts.flatMap(({ context, path: at }) =>
      context?.windowsOptions === undefined
        ? []
        : [forbiddenField(`${at}.windowsOptions`, "windows options cannot be set for a linux pod")],
    );
  }
  if (spec.os?.name !== "windows") return [];
  const context = spec.securityContext ?? {};
  const at = `${path}.securityContext`;
  const set: readonly (readonly [path: string, isSet: boolean])[] = [
    [`${at}.appArmorProfile`, context.appArmorProfile !== undefined],
    [`${at}.seLinuxOptions`, context.seLinuxOptions !== undefined],
    [`${path}.hostUsers`, spec.hostUsers !== undefined],
    [`${path}.hostPID`, spec.hostPID === true],
    [`${path}.hostIPC`, spec.hostIPC === true],
    [`${at}.seccompProfile`, context.seccompProfile !== undefined],
    [`${at}.fsGroup`, context.fsGroup !== undefined],
    [`${at}.fsGroupChangePolicy`, context.fsGroupChangePolicy !== undefined],
    [`${at}.sysctls`, (context.sysctls ?? []).length > 0],
    [`${path}.shareProcessNamespace`, spec.shareProcessNamespace !== undefined],
    [`${at}.runAsUser`, context.runAsUser !== undefined],
    [`${at}.runAsGroup`, context.runAsGroup !== undefined],
    [`${at}.supplementalGroups`, context.supplementalGroups !== undefined],
    [`${at}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy !== undefined],
    [`${at}.seLinuxChangePolicy`, context.seLinuxChangePolicy !== undefined],
    ...containersWithPaths(spec, path).flatMap(({ container, path: of }) =>
      LINUX_CONTAINER_FIELDS.map(
        (field) =>
          [`${of}.securityContext.${field}`, container.securityContext?.[field] !== undefined] as const,
      ),
    ),
  ];
  return set.flatMap(([where, isSet]) => (isSet ? [forbiddenField(where, NOT_ON_WINDOWS)] : []));
}
