import {
  duplicate,
  type FieldError,
  forbiddenField,
  type ResourceDefinition,
  required,
  tooLong,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { ageColumn, columnsFor, integer, nameColumn } from "../../column-builders.ts";
import { validateDriverName } from "../../core/persistentvolume/volume-sources.ts";
import type { CSINode } from "../../generated/storage-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Which storage drivers a node has. */
export const csiNodes: ResourceDefinition<CSINode> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSINode",
  resource: "csinodes",
  singular: "csinode",
  listKind: "CSINodeList",
  namespaced: false,
  schema: builtinSchema("storage.v1.CSINode"),
  strategy: { returnsDeletedObject: true, validate: validateCsiNode, validateUpdate: validateCsiNodeUpdate },
  columns: columnsFor<CSINode>("csinodes", [
    nameColumn,
    integer("Drivers", ({ spec }) => (spec.drivers ?? []).length),
    ageColumn,
  ]),
};

const MAX_NODE_ID = 192;

/** Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateCSINode. */
function validateCsiNode({ spec }: CSINode): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, driver] of (spec.drivers ?? []).entries()) {
    const path = `spec.drivers[${i}]`;
    if (driver.name === "") errors.push(required(`${path}.name`));
    errors.push(...validateDriverName(driver.name, `${path}.name`));
    if (driver.nodeID === "") errors.push(required(`${path}.nodeID`));
    if (driver.nodeID.length > MAX_NODE_ID) errors.push(tooLong(`${path}.nodeID`, MAX_NODE_ID));
    if (names.has(driver.name)) errors.push(duplicate(`${path}.name`, driver.name));
    names.add(driver.name);
  }
  return errors;
}

/** A driver that stays is the same driver. Source: validation.go, ValidateCSINodeUpdate. */
function validateCsiNodeUpdate(updated: CSINode, old: CSINode): FieldError[] {
  const errors = validateCsiNode(updated);
  for (const [i, driver] of (updated.spec.drivers ?? []).entries()) {
    const before = old.spec.drivers?.find(({ name }) => name === driver.name);
    if (before === undefined) continue;
    const { allocatable: _now, ...rest } = driver;
    const { allocatable: _then, ...restBefore } = before;
    if (!jsonEquals(rest, restBefore))
      errors.push(forbiddenField(`spec.drivers[${i}]`, "field is immutable"));
  }
  return errors;
}
