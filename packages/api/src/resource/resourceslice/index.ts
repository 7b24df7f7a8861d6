import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  type ResourceDefinition,
  required,
  tooMany,
  validateImmutable,
  validateNonNegative,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { validateDriverName } from "../../core/persistentvolume/volume-sources.ts";
import type { Device, ResourceSlice } from "../../generated/resource-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Some of the devices a driver offers. */
export const resourceSlices: ResourceDefinition<ResourceSlice> = {
  group: "resource.k8s.io",
  version: "v1",
  kind: "ResourceSlice",
  resource: "resourceslices",
  singular: "resourceslice",
  listKind: "ResourceSliceList",
  namespaced: false,
  schema: builtinSchema("resource.v1.ResourceSlice"),
  strategy: {
    hasGeneration: true,
    returnsDeletedObject: true,
    validate: validateResourceSlice,
    validateUpdate: (updated, old) => [
      ...validateResourceSlice(updated),
      ...validateImmutable(updated.spec.driver, old.spec.driver, "spec.driver"),
      ...validateImmutable(updated.spec.nodeName, old.spec.nodeName, "spec.nodeName"),
      ...validateImmutable(updated.spec.pool.name, old.spec.pool.name, "spec.pool.name"),
    ],
  },
  columns: columnsFor<ResourceSlice>("resourceslices", [
    nameColumn,
    text("Node", ({ spec }) => spec.nodeName ?? ""),
    text("Driver", ({ spec }) => spec.driver),
    text("Pool", ({ spec }) => spec.pool.name),
    ageColumn,
  ]),
  selectableFieldNames: ["spec.driver", "spec.nodeName"],
  selectableFields: ({ spec }) => ({ "spec.driver": spec.driver, "spec.nodeName": spec.nodeName ?? "" }),
};

const MAX_DEVICES = 128;

/** Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateResourceSlice. */
function validateResourceSlice({ spec }: ResourceSlice): FieldError[] {
  const errors =
    spec.driver === "" ? [required("spec.driver")] : validateDriverName(spec.driver, "spec.driver");
  const { pool } = spec;
  if (pool.name === "") errors.push(required("spec.pool.name"));
  else
    for (const part of pool.name.split("/")) errors.push(...applyRule(dnsSubdomain, part, "spec.pool.name"));
  if (pool.resourceSliceCount <= 0) {
    errors.push(
      invalid("spec.pool.resourceSliceCount", pool.resourceSliceCount, "must be greater than zero"),
    );
  }
  errors.push(...validateNonNegative(pool.generation, "spec.pool.generation"));
  const places = [spec.nodeName, spec.nodeSelector, spec.allNodes, spec.perDeviceNodeSelection].filter(
    (place) => place !== undefined,
  );
  const rule = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (places.length === 0) errors.push(required("spec", rule));
  else if (places.length > 1) errors.push(invalid("spec", null, rule));
  if (spec.nodeName !== undefined) {
    if (spec.nodeName === "")
      errors.push(invalid("spec.nodeName", "", "must be either unset or set to a non-empty string"));
    else errors.push(...applyRule(dnsSubdomain, spec.nodeName, "spec.nodeName"));
  }
  if (spec.allNodes === false)
    errors.push(invalid("spec.allNodes", false, "must be either unset or set to true"));
  return [...errors, ...validateDevices(spec.devices ?? [])];
}

function validateDevices(devices: readonly Device[]): FieldError[] {
  const errors: FieldError[] = [];
  if (devices.length > MAX_DEVICES) errors.push(tooMany("spec.devices", devices.length, MAX_DEVICES));
  const names = new Set<string>();
  for (const [i, { name, attributes }] of devices.entries()) {
    const path = `spec.devices[${i}]`;
    errors.push(...(name === "" ? [required(`${path}.name`)] : applyRule(dnsLabel, name, `${path}.name`)));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      const at = `${path}.attributes[${key}]`;
      const given = Object.keys(value).length;
      if (given === 0) errors.push(required(at, "exactly one value must be specified"));
      else if (given > 1) errors.push(invalid(at, value, "exactly one value must be specified"));
    }
  }
  return errors;
}
