import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  goForm,
  invalid,
  notSupported,
  qualifiedName,
  required,
  tooMany,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { validateDriverName } from "../../core/persistentvolume/volume-sources.ts";
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  OpaqueDeviceConfiguration,
  ResourceClaim,
} from "../../generated/resource-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

const MAX_REQUESTS = 32;
const MAX_SELECTORS = 32;
const MODES = ["All", "ExactCount"];

/** Source: kubernetes v1.36 pkg/apis/resource/v1/defaults.go. */
export function setDeviceClaimDefaults(claim: DeviceClaim | undefined): void {
  for (const request of claim?.requests ?? []) {
    for (const device of [request.exactly, ...(request.firstAvailable ?? [])]) {
      if (device === undefined) continue;
      device.allocationMode ??= "ExactCount";
      if (device.allocationMode === "ExactCount") device.count ||= 1;
      for (const toleration of device.tolerations ?? []) toleration.operator ??= "Equal";
    }
  }
}

/** Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateResourceClaim. */
export function validateResourceClaim({ spec }: ResourceClaim): FieldError[] {
  return validateDeviceClaim(spec.devices ?? {}, "spec.devices");
}

/** A claim is what it is. Source: validation.go, ValidateResourceClaimUpdate. */
export function validateResourceClaimUpdate(updated: ResourceClaim, old: ResourceClaim): FieldError[] {
  if (jsonEquals(updated.spec, old.spec)) return [];
  const shown = goForm(builtinSchema("resource.v1.ResourceClaimSpec"), updated.spec);
  return [invalid("spec", shown, "field is immutable")];
}

/** Also for templates. Source: validation.go, validateDeviceClaim. */
export function validateDeviceClaim(claim: DeviceClaim, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const requests = claim.requests ?? [];
  if (requests.length > MAX_REQUESTS) errors.push(tooMany(`${path}.requests`, requests.length, MAX_REQUESTS));
  const names = new Set<string>();
  for (const [i, request] of requests.entries()) {
    errors.push(...validateRequest(request, `${path}.requests[${i}]`));
    if (names.has(request.name)) errors.push(duplicate(`${path}.requests[${i}].name`, request.name));
    names.add(request.name);
    for (const sub of request.firstAvailable ?? []) names.add(`${request.name}/${sub.name}`);
  }
  for (const [i, constraint] of (claim.constraints ?? []).entries()) {
    const at = `${path}.constraints[${i}]`;
    errors.push(...validateRequestNames(constraint.requests ?? [], names, `${at}.requests`));
    if (constraint.matchAttribute !== undefined) {
      errors.push(...validateAttributeName(constraint.matchAttribute, `${at}.matchAttribute`));
    } else if (constraint.distinctAttribute !== undefined) {
      errors.push(...validateAttributeName(constraint.distinctAttribute, `${at}.distinctAttribute`));
    } else errors.push(required(`${at}.matchAttribute`));
  }
  for (const [i, configuration] of (claim.config ?? []).entries()) {
    errors.push(...validateClaimConfiguration(configuration, names, `${path}.config[${i}]`));
  }
  return errors;
}

function validateRequest(request: DeviceRequest, path: string): FieldError[] {
  const errors = validateRequestName(request.name, `${path}.name`);
  const { exactly, firstAvailable = [] } = request;
  if (exactly !== undefined && firstAvailable.length > 0) {
    errors.push(invalid(path, null, "exactly one of `exactly` or `firstAvailable` is required"));
  } else if (exactly === undefined && firstAvailable.length === 0) {
    errors.push(required(path, "exactly one of `exactly` or `firstAvailable` is required"));
  }
  if (exactly !== undefined) errors.push(...validateDevice(exactly, `${path}.exactly`));
  for (const [i, sub] of firstAvailable.entries()) {
    const at = `${path}.firstAvailable[${i}]`;
    errors.push(...validateRequestName(sub.name, `${at}.name`));
    errors.push(...validateDevice(sub, at));
    if (firstAvailable.findIndex(({ name }) => name === sub.name) < i)
      errors.push(duplicate(`${at}.name`, sub.name));
  }
  return errors;
}

function validateRequestName(name: string, path: string): FieldError[] {
  return name === "" ? [required(path)] : applyRule(dnsLabel, name, path);
}

function validateDevice(device: ExactDeviceRequest | DeviceSubRequest, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { deviceClassName, selectors = [], allocationMode = "", count = 0, tolerations = [] } = device;
  if (deviceClassName === "") errors.push(required(`${path}.deviceClassName`));
  else errors.push(...applyRule(dnsSubdomain, deviceClassName, `${path}.deviceClassName`));
  errors.push(...validateSelectors(selectors, `${path}.selectors`));
  if (allocationMode === "All") {
    if (count !== 0) {
      const why = "must not be specified when allocationMode is 'All'";
      errors.push(invalid(`${path}.count`, count, why));
    }
  } else if (allocationMode === "ExactCount") {
    if (count <= 0) errors.push(invalid(`${path}.count`, count, "must be greater than zero"));
  } else errors.push(notSupported(`${path}.allocationMode`, allocationMode, MODES));
  for (const [i, toleration] of tolerations.entries()) {
    errors.push(...validateToleration(toleration, `${path}.tolerations[${i}]`));
  }
  return errors;
}

/** The expressions themselves are compiled elsewhere. */
export function validateSelectors(selectors: readonly DeviceSelector[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (selectors.length > MAX_SELECTORS) errors.push(tooMany(path, selectors.length, MAX_SELECTORS));
  for (const [i, { cel }] of selectors.entries()) {
    if (cel === undefined) errors.push(required(`${path}[${i}].cel`));
    else if (cel.expression === "") errors.push(required(`${path}[${i}].cel.expression`));
  }
  return errors;
}

function validateToleration(
  { key = "", operator = "", value = "", effect = "" }: DeviceToleration,
  path: string,
): FieldError[] {
  const errors = key === "" ? [] : applyRule(qualifiedName, key, `${path}.key`);
  if (operator === "Exists") {
    if (value !== "") errors.push(invalid(`${path}.value`, value, "must be empty for operator `Exists`"));
  } else if (operator === "Equal") {
    if (key === "") errors.push(required(`${path}.key`, "must not be empty for operator `Equal`"));
  } else errors.push(notSupported(`${path}.operator`, operator, ["Equal", "Exists"]));
  const effects = ["NoExecute", "NoSchedule", "None"];
  if (effect !== "" && !effects.includes(effect))
    errors.push(notSupported(`${path}.effect`, effect, effects));
  return errors;
}

function validateAttributeName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  if (!name.includes("/")) return [invalid(path, name, "must include a domain")];
  const slash = name.indexOf("/");
  return [
    ...validateDriverName(name.slice(0, slash), path),
    ...(/^[A-Za-z_][A-Za-z0-9_]*$/.test(name.slice(slash + 1))
      ? []
      : [invalid(path, name.slice(slash + 1), "must be a valid C identifier")]),
  ];
}

function validateRequestNames(
  given: readonly string[],
  known: ReadonlySet<string>,
  path: string,
): FieldError[] {
  return given.flatMap((name, i) =>
    known.has(name)
      ? []
      : [
          invalid(
            `${path}[${i}]`,
            name,
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
          ),
        ],
  );
}

function validateClaimConfiguration(
  configuration: DeviceClaimConfiguration,
  names: ReadonlySet<string>,
  path: string,
): FieldError[] {
  return [
    ...validateRequestNames(configuration.requests ?? [], names, `${path}.requests`),
    ...validateOpaque(configuration.opaque, path),
  ];
}

/** What only the driver understands. */
export function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, path: string): FieldError[] {
  if (opaque === undefined) return [required(path, "exactly one of opaque must be set")];
  const errors =
    opaque.driver === ""
      ? [required(`${path}.opaque.driver`)]
      : validateDriverName(opaque.driver, `${path}.opaque.driver`);
  const { parameters } = opaque;
  if (parameters === undefined || parameters === null) errors.push(required(`${path}.opaque.parameters`));
  else if (typeof parameters !== "object" || Array.isArray(parameters)) {
    errors.push(invalid(`${path}.opaque.parameters`, "<value omitted>", "must be a valid JSON object"));
  }
  return errors;
}
