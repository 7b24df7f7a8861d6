import {
  applyRule,
  dnsLabel,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  portName,
  portNumber,
  required,
  tooMany,
} from "@binnacle/apimachinery";
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
  Volume,
} from "../../generated/core-v1.generated.ts";
import { isSidecar } from "./pod-resources.ts";
import { validateEnvironment } from "./validate-env.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./validate-mounts.ts";
import { type HandlerContext, validateHandlers } from "./validate-probes.ts";
import { claimNamesOf, validateResizePolicy, validateResources } from "./validate-resources.ts";
import { validateSecurityContext } from "./validate-security.ts";
import { validatePullPolicy } from "./validate-volumes.ts";

/** What the rules on containers look at beyond the container. */
interface ContainerContext extends HandlerContext {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claimNames: ReadonlySet<string>;
  readonly podRestartPolicy: string | undefined;
  readonly hostUsers: boolean;
}

/**
 * Main, init and ephemeral containers. `volumes` are those that may be mounted.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainers, validateInitContainers,
 * validateEphemeralContainers.
 */
export function validateContainers(
  spec: PodSpec,
  volumes: ReadonlyMap<string, Volume>,
  path: string,
): FieldError[] {
  const context: ContainerContext = {
    volumes,
    claimNames: claimNamesOf(spec),
    podRestartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers !== false,
    gracePeriod: spec.terminationGracePeriodSeconds,
    os: spec.os?.name,
  };
  return [
    ...validateMain(spec.containers ?? [], context, `${path}.containers`),
    ...validateInit(spec, context, `${path}.initContainers`),
    ...validateEphemeral(spec, context, `${path}.ephemeralContainers`),
  ];
}

function validateMain(
  containers: readonly Container[],
  context: ContainerContext,
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const at = `${path}[${i}]`;
    const name = container.name ?? "";
    errors.push(...validateCommon(container, context, at));
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    errors.push(...validateHandlers(container, context, at), ...validateRestartPolicy(container, at));
  }
  return [...errors, ...validateHostPorts(containers, path)];
}

const INIT_ONLY = "may not be set for init containers without restartPolicy=Always";

function validateInit(spec: PodSpec, context: ContainerContext, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set((spec.containers ?? []).map(({ name }) => name ?? ""));
  for (const [i, container] of (spec.initContainers ?? []).entries()) {
    const at = `${path}[${i}]`;
    const name = container.name ?? "";
    errors.push(...validateCommon(container, context, at), ...validateRestartPolicy(container, at));
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else if (name !== "") names.add(name);
    // They run one after the other, so each has the host's ports for itself.
    errors.push(...validateHostPorts([container], path));
    if (isSidecar(container)) {
      errors.push(...validateHandlers(container, context, at));
      continue;
    }
    for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) {
      if (container[field] !== undefined) errors.push(forbiddenField(`${at}.${field}`, INIT_ONLY));
    }
    for (const [j, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
      if (restartPolicy !== "RestartContainer") continue;
      const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      errors.push(invalid(`${at}.resizePolicy[${j}].restartPolicy`, restartPolicy, why));
    }
  }
  return errors;
}

const NOT_EPHEMERAL = "cannot be set for an Ephemeral Container";
/** In the order upstream reports them. */
const EPHEMERAL_FORBIDDEN: readonly (keyof EphemeralContainer)[] = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

function validateEphemeral(spec: PodSpec, context: ContainerContext, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name ?? ""),
  );
  const names = new Set(others);
  for (const [i, container] of (spec.ephemeralContainers ?? []).entries()) {
    const at = `${path}[${i}]`;
    const name = container.name ?? "";
    errors.push(...validateCommon(container, context, at), ...validateImageSpaces(container, at));
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    const target = container.targetContainerName;
    if (target && !others.has(target)) errors.push(notFoundValue(`${at}.targetContainerName`, target));
    for (const field of EPHEMERAL_FORBIDDEN) {
      if (isSet(container[field])) errors.push(forbiddenField(`${at}.${field}`, NOT_EPHEMERAL));
    }
    for (const [j, mount] of (container.volumeMounts ?? []).entries()) {
      for (const field of ["subPath", "subPathExpr"] as const) {
        if (mount[field]) errors.push(forbiddenField(`${at}.volumeMounts[${j}].${field}`, NOT_EPHEMERAL));
      }
    }
  }
  return errors;
}

/** `resources` is there whenever the container is, so an empty one counts as missing. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

const MESSAGE_POLICIES: readonly string[] = ["File", "FallbackToLogsOnError"];

function validateCommon(
  container: Container | EphemeralContainer,
  context: ContainerContext,
  path: string,
): FieldError[] {
  const { name, image, terminationMessagePolicy: policy } = container;
  const errors = name ? applyRule(dnsLabel, name, `${path}.name`) : [required(`${path}.name`)];
  if (!image) errors.push(required(`${path}.image`));
  if (!policy) errors.push(required(`${path}.terminationMessagePolicy`));
  else if (!MESSAGE_POLICIES.includes(policy)) {
    errors.push(notSupported(`${path}.terminationMessagePolicy`, policy, MESSAGE_POLICIES));
  }
  const resizePath = `${path}.resizePolicy`;
  return [
    ...errors,
    ...validatePorts(container.ports ?? [], `${path}.ports`),
    ...validateEnvironment(container, path),
    ...validateVolumeMounts(container, context.volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, context.volumes, `${path}.volumeDevices`),
    ...validatePullPolicy(container.imagePullPolicy, `${path}.imagePullPolicy`),
    ...validateResources(container.resources, context.claimNames, `${path}.resources`),
    ...validateResizePolicy(container.resizePolicy, context.podRestartPolicy, resizePath),
    ...validateSecurityContext(container.securityContext, context.hostUsers, `${path}.securityContext`),
  ];
}

const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

function validatePorts(ports: readonly ContainerPort[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, { name, containerPort, hostPort, protocol }] of ports.entries()) {
    const at = `${path}[${i}]`;
    if (name) {
      const problems = portName(name);
      for (const problem of problems) errors.push(invalid(`${at}.name`, name, problem));
      if (problems.length === 0) {
        if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
        names.add(name);
      }
    }
    if (!containerPort) errors.push(required(`${at}.containerPort`));
    else errors.push(...validatePortNumber(containerPort, `${at}.containerPort`));
    if (hostPort) errors.push(...validatePortNumber(hostPort, `${at}.hostPort`));
    if (!protocol) errors.push(required(`${at}.protocol`));
    else if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${at}.protocol`, protocol, PROTOCOLS));
  }
  return errors;
}

function validatePortNumber(port: number, path: string): FieldError[] {
  return portNumber(port).map((problem) => invalid(path, port, problem));
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, AccumulateUniqueHostPorts. */
function validateHostPorts(containers: readonly Container[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  for (const [i, { ports }] of containers.entries()) {
    for (const [j, { hostPort, hostIP = "", protocol = "" }] of (ports ?? []).entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) errors.push(duplicate(`${path}[${i}].ports[${j}].hostPort`, key));
      taken.add(key);
    }
  }
  return errors;
}

const RESTART_POLICIES: readonly string[] = ["Always", "Never", "OnFailure"];
const RESTART_ACTIONS: readonly string[] = ["Restart", "RestartAllContainers"];
const EXIT_CODE_OPERATORS: readonly string[] = ["In", "NotIn"];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainerRestartPolicy. */
function validateRestartPolicy({ restartPolicy, restartPolicyRules }: Container, path: string): FieldError[] {
  const rules = restartPolicyRules ?? [];
  const errors: FieldError[] = [];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    errors.push(required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used"));
  } else if (!RESTART_POLICIES.includes(restartPolicy)) {
    errors.push(notSupported(`${path}.restartPolicy`, restartPolicy, RESTART_POLICIES));
  }
  if (rules.length > MAX_RULES) {
    errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, MAX_RULES));
  }
  for (const [i, { action = "", exitCodes }] of rules.entries()) {
    const at = `${path}.restartPolicyRules[${i}]`;
    if (!RESTART_ACTIONS.includes(action)) errors.push(notSupported(`${at}.action`, action, RESTART_ACTIONS));
    if (exitCodes === undefined) {
      errors.push(required(`${at}.exitCodes`, "must be specified"));
      continue;
    }
    const { operator = "", values = [] } = exitCodes;
    if (!EXIT_CODE_OPERATORS.includes(operator)) {
      errors.push(notSupported(`${at}.exitCodes.operator`, operator, EXIT_CODE_OPERATORS));
    }
    if (values.length > MAX_EXIT_CODES) {
      errors.push(tooMany(`${at}.exitCodes.values`, values.length, MAX_EXIT_CODES));
    }
  }
  return errors;
}

/** For pods only: a template may hold a placeholder. Source: validation.go, validateContainerOnlyForPod. */
export function validateImageSpaces({ image = "" }: Pick<Container, "image">, path: string): FieldError[] {
  if (image.trim() === image) return [];
  return [invalid(`${path}.image`, image, "must not have leading or trailing whitespace")];
}
