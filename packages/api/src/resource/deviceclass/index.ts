import { type FieldError, type ResourceDefinition, tooMany } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn } from "../../column-builders.ts";
import type { DeviceClass } from "../../generated/resource-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateOpaque, validateSelectors } from "../resourceclaim/validation.ts";

/** Devices that are alike, and how they are set up. */
export const deviceClasses: ResourceDefinition<DeviceClass> = {
  group: "resource.k8s.io",
  version: "v1",
  kind: "DeviceClass",
  resource: "deviceclasses",
  singular: "deviceclass",
  listKind: "DeviceClassList",
  namespaced: false,
  schema: builtinSchema("resource.v1.DeviceClass"),
  strategy: { hasGeneration: true, returnsDeletedObject: true, validate: validateDeviceClass },
  columns: columnsFor<DeviceClass>("deviceclasses", [nameColumn, ageColumn]),
};

const MAX_CONFIGURATIONS = 32;

/** Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateDeviceClass. */
function validateDeviceClass({ spec }: DeviceClass): FieldError[] {
  const errors = validateSelectors(spec.selectors ?? [], "spec.selectors");
  const config = spec.config ?? [];
  if (config.length > MAX_CONFIGURATIONS)
    errors.push(tooMany("spec.config", config.length, MAX_CONFIGURATIONS));
  for (const [i, { opaque }] of config.entries()) errors.push(...validateOpaque(opaque, `spec.config[${i}]`));
  return errors;
}
