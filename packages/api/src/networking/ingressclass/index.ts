import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  pathSegment,
  type ResourceDefinition,
  required,
  tooLong,
  validateImmutable,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { IngressClass } from "../../generated/networking-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Marks the class that ingresses without one get. */
export const DEFAULT_INGRESS_CLASS_ANNOTATION = "ingressclass.kubernetes.io/is-default-class";

/** Which controller serves an ingress. */
export const ingressClasses: ResourceDefinition<IngressClass> = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  resource: "ingressclasses",
  singular: "ingressclass",
  listKind: "IngressClassList",
  namespaced: false,
  schema: builtinSchema("networking.v1.IngressClass"),
  // Source: kubernetes v1.36 pkg/apis/networking/v1/defaults.go, SetDefaults_IngressClass.
  defaults: ({ spec }) => {
    if (spec?.parameters !== undefined) spec.parameters.scope ??= "Cluster";
  },
  strategy: {
    hasGeneration: true,
    validate: validateIngressClass,
    validateUpdate: (updated, old) => [
      ...validateImmutable(updated.spec?.controller, old.spec?.controller, "spec.controller"),
      ...validateParameters(updated),
    ],
  },
  columns: columnsFor<IngressClass>("ingressclasses", [
    nameColumn,
    text("Controller", ({ spec }) => spec?.controller ?? ""),
    text("Parameters", ({ spec }) => {
      const parameters = spec?.parameters;
      if (parameters === undefined) return "<none>";
      const group = parameters.apiGroup === undefined ? "" : `.${parameters.apiGroup}`;
      return `${parameters.kind}${group}/${parameters.name}`;
    }),
    ageColumn,
  ]),
};

const MAX_CONTROLLER = 250;

/** Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIngressClass. */
function validateIngressClass(ingressClass: IngressClass): FieldError[] {
  const controller = ingressClass.spec?.controller ?? "";
  const errors: FieldError[] = [];
  if (controller.length > MAX_CONTROLLER) errors.push(tooLong("spec.controller", MAX_CONTROLLER));
  errors.push(...validateDomainPath(controller, "spec.controller"));
  return [...errors, ...validateParameters(ingressClass)];
}

/** `acme.io/foo`. Source: kubernetes v1.36 apimachinery/pkg/util/validation/validation.go, IsDomainPrefixedPath. */
function validateDomainPath(value: string, path: string): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  if (slash <= 0 || slash === value.length - 1) {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const host = value.slice(0, slash);
  const problems = dnsSubdomain(host).map((problem) => invalid(path, host, problem));
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(value.slice(slash + 1))) {
    problems.push(invalid(path, value.slice(slash + 1), "Invalid path"));
  }
  return problems;
}

/** Source: validation.go, validateIngressClassParametersReference. */
function validateParameters({ spec }: IngressClass): FieldError[] {
  const parameters = spec?.parameters;
  if (parameters === undefined) return [];
  const path = "spec.parameters";
  const errors: FieldError[] = [];
  if (parameters.apiGroup) errors.push(...applyRule(dnsSubdomain, parameters.apiGroup, `${path}.apiGroup`));
  for (const field of ["kind", "name"] as const) {
    if (parameters[field] === "") errors.push(required(`${path}.${field}`));
    else errors.push(...applyRule(pathSegment, parameters[field], `${path}.${field}`));
  }
  const { scope, namespace } = parameters;
  if (scope === undefined) errors.push(required(`${path}.scope`));
  else if (scope === "Namespace") {
    if (!namespace) errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...applyRule(dnsLabel, namespace, `${path}.namespace`));
  } else if (scope === "Cluster") {
    if (namespace !== undefined) {
      errors.push(forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
    }
  } else errors.push(notSupported(`${path}.scope`, scope, ["Cluster", "Namespace"]));
  return errors;
}
