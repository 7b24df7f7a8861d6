import {
  applyRule,
  dnsLabel,
  type FieldError,
  type ResourceDefinition,
  validateImmutable,
  validateLabels,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { roundUpResources } from "../../core/node/defaults.ts";
import { validateResourceAmount } from "../../core/node/validation.ts";
import type { RuntimeClass } from "../../generated/node-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Which runtime runs a pod's containers. */
export const runtimeClasses: ResourceDefinition<RuntimeClass> = {
  group: "node.k8s.io",
  version: "v1",
  kind: "RuntimeClass",
  resource: "runtimeclasses",
  singular: "runtimeclass",
  listKind: "RuntimeClassList",
  namespaced: false,
  schema: builtinSchema("node.v1.RuntimeClass"),
  defaults: ({ overhead }) => roundUpResources(overhead?.podFixed),
  strategy: {
    validate: validateRuntimeClass,
    validateUpdate: (updated, old) => validateImmutable(updated.handler, old.handler, "handler"),
  },
  columns: columnsFor<RuntimeClass>("runtimeclasses", [
    nameColumn,
    text("Handler", ({ handler }) => handler),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, ValidateRuntimeClass. */
function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  const errors = applyRule(dnsLabel, handler, "handler");
  for (const [name, amount] of Object.entries(overhead?.podFixed ?? {})) {
    errors.push(...validateResourceAmount(name, amount, `overhead.podFixed[${name}]`));
  }
  errors.push(...validateLabels(scheduling?.nodeSelector, "scheduling.nodeSelector"));
  return errors;
}
