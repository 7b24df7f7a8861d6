import {
  type FieldError,
  forbiddenField,
  notSupported,
  type ResourceDefinition,
  validateImmutable,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text } from "../../column-builders.ts";
import type { PriorityClass } from "../../generated/scheduling-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** The priorities that no user may give. Source: kubernetes v1.36 pkg/apis/scheduling/types.go and helpers.go. */
export const HIGHEST_USER_PRIORITY = 1_000_000_000;
export const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** How much a pod matters compared with others. */
export const priorityClasses: ResourceDefinition<PriorityClass> = {
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  resource: "priorityclasses",
  singular: "priorityclass",
  listKind: "PriorityClassList",
  namespaced: false,
  shortNames: ["pc"],
  schema: builtinSchema("scheduling.v1.PriorityClass"),
  defaults: (priorityClass) => {
    priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
  },
  strategy: {
    // Set once and never raised.
    prepareForCreate: ({ metadata }) => {
      metadata.generation = 1;
    },
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
  columns: columnsFor<PriorityClass>("priorityclasses", [
    nameColumn,
    integer("Value", ({ value }) => value ?? 0),
    { name: "Global-Default", type: "boolean", cell: ({ globalDefault }) => globalDefault === true },
    ageColumn,
    text("PreemptionPolicy", ({ preemptionPolicy }) => preemptionPolicy ?? "PreemptLowerPriority"),
  ]),
};

const PREEMPTION_POLICIES = ["PreemptLowerPriority", "Never"];

/** Source: kubernetes v1.36 pkg/apis/scheduling/validation/validation.go, ValidatePriorityClass. */
function validatePriorityClass({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  const name = metadata.name ?? "";
  if (name.startsWith("system-")) {
    const problem = systemClassProblem(name, value, globalDefault === true);
    if (problem !== undefined) {
      const why = "priority class names with 'system-' prefix are reserved for system use only. error:";
      errors.push(forbiddenField("metadata.name", `${why} ${problem}`));
    }
  } else if (value > HIGHEST_USER_PRIORITY) {
    const why = `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`;
    errors.push(forbiddenField("value", why));
  }
  if (preemptionPolicy !== undefined && !PREEMPTION_POLICIES.includes(preemptionPolicy)) {
    errors.push(notSupported("preemptionPolicy", preemptionPolicy, PREEMPTION_POLICIES));
  }
  return errors;
}

function systemClassProblem(name: string, value: number, isGlobalDefault: boolean): string | undefined {
  const known = SYSTEM_PRIORITIES.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  return isGlobalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Source: validation.go, ValidatePriorityClassUpdate. */
function validatePriorityClassUpdate(updated: PriorityClass, old: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  if ((updated.value ?? 0) !== (old.value ?? 0)) {
    errors.push(forbiddenField("value", "may not be changed in an update."));
  }
  errors.push(...validateImmutable(updated.preemptionPolicy, old.preemptionPolicy, "preemptionPolicy"));
  return errors;
}
