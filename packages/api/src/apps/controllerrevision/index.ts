import {
  type FieldError,
  type ResourceDefinition,
  required,
  validateImmutable,
  validateNonNegative,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text } from "../../column-builders.ts";
import type { ControllerRevision } from "../../generated/apps-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** A past state of a StatefulSet or DaemonSet. */
export const controllerRevisions: ResourceDefinition<ControllerRevision> = {
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  resource: "controllerrevisions",
  singular: "controllerrevision",
  listKind: "ControllerRevisionList",
  namespaced: true,
  schema: builtinSchema("apps.v1.ControllerRevision"),
  strategy: {
    validate: validateControllerRevision,
    validateUpdate: (updated, old) => [
      ...validateControllerRevision(updated),
      ...validateImmutable(updated.data, old.data, "data"),
    ],
  },
  columns: columnsFor<ControllerRevision>("controllerrevisions", [
    nameColumn,
    text("Controller", ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
      if (owner === undefined) return "<none>";
      const group = owner.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0]}` : "";
      return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
    }),
    integer("Revision", ({ revision }) => revision),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateControllerRevision. */
function validateControllerRevision({ data, revision }: ControllerRevision): FieldError[] {
  const errors = data === undefined || data === null ? [required("data", "data is mandatory")] : [];
  return [...errors, ...validateNonNegative(revision, "revision")];
}
