import {
  type FieldError,
  forbiddenField,
  httpHeaderName,
  invalid,
  notSupported,
  portName,
  portNumber,
  required,
  validateNonNegative,
} from "@binnacle/apimachinery";
import type {
  Container,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
} from "../../generated/core-v1.generated.ts";

/** What the rules on handlers look at beyond the container. */
export interface HandlerContext {
  /** Seconds a pod gets to end. */
  readonly gracePeriod: number | undefined;
  readonly os: string | undefined;
}

/**
 * Life-cycle handlers and probes: of main containers and sidecars.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateContainers.
 */
export function validateHandlers(container: Container, context: HandlerContext, path: string): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...validateLifecycle(lifecycle, context, `${path}.lifecycle`),
    ...validateOnceProbe(livenessProbe, context, `${path}.livenessProbe`),
    ...validateReadinessProbe(readinessProbe, context, `${path}.readinessProbe`),
    ...validateOnceProbe(startupProbe, context, `${path}.startupProbe`),
  ];
}

/** A probe that asks for one success. */
function validateOnceProbe(probe: Probe | undefined, context: HandlerContext, path: string): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateProbe(probe, context, path);
  if (probe.successThreshold !== 1) {
    errors.push(invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, "must be 1"));
  }
  return errors;
}

function validateReadinessProbe(
  probe: Probe | undefined,
  context: HandlerContext,
  path: string,
): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateProbe(probe, context, path);
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined) {
    const why = "must not be set for readinessProbes";
    errors.push(invalid(`${path}.terminationGracePeriodSeconds`, seconds, why));
  }
  return errors;
}

function validateProbe(probe: Probe, context: HandlerContext, path: string): FieldError[] {
  const errors = validateHandler(probe, context, path);
  for (const field of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ] as const) {
    errors.push(...validateNonNegative(probe[field], `${path}.${field}`));
  }
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    errors.push(invalid(`${path}.terminationGracePeriodSeconds`, seconds, "must be greater than 0"));
  }
  return errors;
}

type Handler = Pick<Probe, "exec" | "httpGet" | "tcpSocket" | "grpc"> & Pick<LifecycleHandler, "sleep">;

function validateHandler(handler: Handler, context: HandlerContext, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  const check = (name: keyof Handler, validate: () => FieldError[]): void => {
    if (handler[name] === undefined) return;
    if (found) errors.push(forbiddenField(`${path}.${name}`, "may not specify more than 1 handler type"));
    else errors.push(...validate());
    found = true;
  };
  check("exec", () => (handler.exec?.command?.length ? [] : [required(`${path}.exec.command`)]));
  check("httpGet", () => validateHttpGet(handler.httpGet, `${path}.httpGet`));
  check("tcpSocket", () => validatePort(handler.tcpSocket?.port, `${path}.tcpSocket.port`));
  check("grpc", () => validatePort(handler.grpc?.port, `${path}.grpc.port`));
  check("sleep", () => validateSleep(handler.sleep?.seconds ?? 0, context, `${path}.sleep`));
  if (!found) errors.push(required(path, "must specify a handler type"));
  return errors;
}

const SCHEMES: readonly string[] = ["HTTP", "HTTPS"];

function validateHttpGet(action: HTTPGetAction | undefined, path: string): FieldError[] {
  const errors = action?.path ? [] : [required(`${path}.path`)];
  errors.push(...validatePort(action?.port, `${path}.port`));
  const scheme = action?.scheme ?? "";
  if (!SCHEMES.includes(scheme)) errors.push(notSupported(`${path}.scheme`, scheme, SCHEMES));
  for (const { name = "" } of action?.httpHeaders ?? []) {
    for (const problem of httpHeaderName(name)) errors.push(invalid(`${path}.httpHeaders`, name, problem));
  }
  return errors;
}

/** A port by number or name. Source: validation.go, ValidatePortNumOrName. */
export function validatePort(port: number | string | undefined, path: string): FieldError[] {
  const value = port ?? 0;
  const problems = typeof value === "number" ? portNumber(value) : portName(value);
  return problems.map((problem) => invalid(path, value, problem));
}

function validateSleep(seconds: number, { gracePeriod }: HandlerContext, path: string): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(path, seconds, why)];
}

function validateLifecycle(
  lifecycle: Lifecycle | undefined,
  context: HandlerContext,
  path: string,
): FieldError[] {
  if (lifecycle === undefined) return [];
  const { postStart, preStop, stopSignal } = lifecycle;
  return [
    ...(postStart === undefined ? [] : validateHandler(postStart, context, `${path}.postStart`)),
    ...(preStop === undefined ? [] : validateHandler(preStop, context, `${path}.preStop`)),
    ...(stopSignal === undefined ? [] : validateStopSignal(stopSignal, context.os, `${path}.stopSignal`)),
  ];
}

function realTimeSignals(): string[] {
  const from = (start: string, sign: string, last: number): string[] =>
    Array.from({ length: last }, (_, i) => `${start}${sign}${i + 1}`);
  return ["SIGRTMIN", ...from("SIGRTMIN", "+", 15), ...from("SIGRTMAX", "-", 14), "SIGRTMAX"];
}

const LINUX_SIGNALS: readonly string[] = [
  ...["ABRT", "ALRM", "BUS", "CHLD", "CLD", "CONT", "FPE", "HUP", "ILL", "INT", "IO", "IOT", "KILL", "PIPE"],
  ...["POLL", "PROF", "PWR", "QUIT", "SEGV", "STKFLT", "STOP", "SYS", "TERM", "TRAP", "TSTP", "TTIN"],
  ...["TTOU", "URG", "USR1", "USR2", "VTALRM", "WINCH", "XCPU", "XFSZ"],
]
  .map((name) => `SIG${name}`)
  .concat(realTimeSignals())
  .sort();
const WINDOWS_SIGNALS: readonly string[] = ["SIGKILL", "SIGTERM"];

function validateStopSignal(signal: string, os: string | undefined, path: string): FieldError[] {
  if (os === undefined) {
    return [forbiddenField(path, "may not be set for containers with empty `spec.os.name`")];
  }
  const supported = os === "windows" ? WINDOWS_SIGNALS : os === "linux" ? LINUX_SIGNALS : undefined;
  if (supported === undefined || supported.includes(signal)) return [];
  return [notSupported(path, signal, supported)];
}
