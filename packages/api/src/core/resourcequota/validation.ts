import {
  applyRule,
  type FieldError,
  invalid,
  qualifiedName,
  required,
  validateImmutable,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { ResourceQuota, ScopedResourceSelectorRequirement } from "../../generated/core-v1.generated.ts";
import { roundUpResources } from "../node/defaults.ts";
import { validateResourceAmount } from "../node/validation.ts";

/** Source: kubernetes v1.36 pkg/apis/core/v1/zz_generated.defaults.go, SetObjectDefaults_ResourceQuota. */
export function setResourceQuotaDefaults({ spec, status }: ResourceQuota): void {
  for (const list of [spec?.hard, status?.hard, status?.used]) roundUpResources(list);
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuota. */
export function validateResourceQuota({ spec }: ResourceQuota): FieldError[] {
  return [
    ...validateAmounts(spec?.hard, "spec.hard"),
    ...validateScopes(spec?.scopes ?? [], Object.keys(spec?.hard ?? {}), "spec.scopes"),
    ...validateScopeSelector(
      spec?.scopeSelector?.matchExpressions ?? [],
      Object.keys(spec?.hard ?? {}),
      "spec.scopeSelector.matchExpressions",
    ),
  ];
}

/** Source: validation.go, ValidateResourceQuotaUpdate: what a quota counts never changes. */
export function validateResourceQuotaUpdate(updated: ResourceQuota, old: ResourceQuota): FieldError[] {
  const errors = validateResourceQuota(updated);
  const sorted = (quota: ResourceQuota): string[] => [...(quota.spec?.scopes ?? [])].sort();
  if (!jsonEquals(sorted(updated), sorted(old))) {
    errors.push(invalid("spec.scopes", updated.spec?.scopes, "field is immutable"));
  }
  const after = updated.spec?.scopeSelector;
  const before = old.spec?.scopeSelector;
  if (after !== undefined || before !== undefined) {
    errors.push(...validateImmutable(after, before, "spec.scopeSelector"));
  }
  return errors;
}

/** Source: validation.go, ValidateResourceQuotaStatusUpdate. */
export function validateResourceQuotaStatus({ status }: ResourceQuota): FieldError[] {
  return [...validateAmounts(status?.hard, "status.hard"), ...validateAmounts(status?.used, "status.used")];
}

function validateAmounts(list: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, amount]) => [
    ...validateQuotaResource(name, `${path}[${name}]`),
    ...validateResourceAmount(name, amount, `${path}[${name}]`),
  ]);
}

const STANDARD_RESOURCES: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Source: validation.go, ValidateResourceQuotaResourceName. */
function validateQuotaResource(name: string, path: string): FieldError[] {
  const errors = applyRule(qualifiedName, name, path);
  if (name.includes("/") || STANDARD_RESOURCES.has(name) || /^(requests\.)?hugepages-/.test(name))
    return errors;
  return [
    ...errors,
    invalid(path, name, "must be a standard resource type or fully qualified"),
    invalid(path, name, "must be a standard resource for quota"),
  ];
}

const SCOPES = [
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "CrossNamespacePodAffinity",
  "VolumeAttributesClass",
];

/** What pods that ask for nothing can be counted by. */
const BEST_EFFORT_RESOURCES = ["pods"];

/** Pairs of scopes that no object is in at once. */
const CONFLICTS = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** Source: validation.go, validateResourceQuotaScopes. */
function validateScopes(scopes: readonly string[], hard: readonly string[], path: string): FieldError[] {
  if (scopes.length === 0) return [];
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) errors.push(invalid(path, scopes, "unsupported scope"));
    if (
      scope === "BestEffort" &&
      hard.some((name) => !BEST_EFFORT_RESOURCES.includes(name) && STANDARD_RESOURCES.has(name))
    ) {
      errors.push(invalid(path, scopes, "unsupported scope applied to resource"));
    }
  }
  return [...errors, ...conflictsOf(scopes, scopes, path)];
}

function conflictsOf(scopes: readonly string[], shown: unknown, path: string): FieldError[] {
  return CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    invalid(path, shown, "conflicting scopes"),
  );
}

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist"];
const EXISTS_ONLY = [
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
];

/** Source: validation.go, validateScopedResourceSelectorRequirement. */
function validateScopeSelector(
  requirements: readonly ScopedResourceSelectorRequirement[],
  _hard: readonly string[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!SCOPES.includes(scopeName))
      errors.push(invalid(`${path}.scopeName`, scopeName, "unsupported scope"));
    if (EXISTS_ONLY.includes(scopeName) && operator !== "Exists") {
      const why =
        "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(`${path}.operator`, operator, why));
    }
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) {
        const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(required(`${path}.values`, why));
      }
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0) {
        const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        errors.push(invalid(`${path}.values`, values, why));
      }
    }
    if (!OPERATORS.includes(operator))
      errors.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  }
  return [
    ...errors,
    ...conflictsOf(
      requirements.map(({ scopeName }) => scopeName),
      requirements,
      path,
    ),
  ];
}
