import {
  applyRule,
  dnsSubdomain,
  type FieldError,
  invalid,
  notSupported,
  type ResourceDefinition,
  required,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from "../../generated/flowcontrol-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

const DEFAULT_PRECEDENCE = 1000;
const MAX_PRECEDENCE = 10_000;

/** Which requests belong together, and how urgent they are. */
export const flowSchemas: ResourceDefinition<FlowSchema> = {
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  kind: "FlowSchema",
  resource: "flowschemas",
  singular: "flowschema",
  listKind: "FlowSchemaList",
  namespaced: false,
  schema: builtinSchema("flowcontrol.v1.FlowSchema"),
  // Source: kubernetes v1.36 pkg/apis/flowcontrol/v1/defaults.go, SetDefaults_FlowSchemaSpec.
  defaults: ({ spec }) => {
    if (spec !== undefined) spec.matchingPrecedence ||= DEFAULT_PRECEDENCE;
  },
  strategy: {
    hasGeneration: true,
    prepareForCreate: (schema) => {
      schema.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateFlowSchema,
  },
  status: {},
  columns: columnsFor<FlowSchema>("flowschemas", [
    nameColumn,
    text("PriorityLevel", ({ spec }) => spec?.priorityLevelConfiguration.name ?? ""),
    text("MatchingPrecedence", ({ spec }) => spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", ({ spec }) => spec?.distinguisherMethod?.type ?? "<none>"),
    ageColumn,
    text(
      "MissingPL",
      ({ status }) => status?.conditions?.find(({ type }) => type === "Dangling")?.status ?? "?",
    ),
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaSpec. */
function validateFlowSchema({ metadata, spec }: FlowSchema): FieldError[] {
  if (spec === undefined) return [required("spec")];
  const errors: FieldError[] = [];
  const precedence = spec.matchingPrecedence ?? 0;
  if (precedence <= 0)
    errors.push(invalid("spec.matchingPrecedence", precedence, "must be a positive value"));
  if (precedence > MAX_PRECEDENCE) {
    const why = `must not be greater than ${MAX_PRECEDENCE}`;
    errors.push(invalid("spec.matchingPrecedence", precedence, why));
  }
  if (precedence === 1 && metadata.name !== "exempt") {
    errors.push(
      invalid(
        "spec.matchingPrecedence",
        precedence,
        "only the schema named 'exempt' may have matchingPrecedence 1",
      ),
    );
  }
  const method = spec.distinguisherMethod?.type;
  const methods = ["ByNamespace", "ByUser"];
  if (method !== undefined && !methods.includes(method)) {
    errors.push(notSupported("spec.distinguisherMethod.type", method, methods));
  }
  const level = spec.priorityLevelConfiguration.name;
  const path = "spec.priorityLevelConfiguration.name";
  if (level === "") errors.push(required(path, "must reference a priority level"));
  else errors.push(...applyRule(dnsSubdomain, level, path));
  for (const [i, rule] of (spec.rules ?? []).entries())
    errors.push(...validateRule(rule, `spec.rules[${i}]`));
  return errors;
}

function validateRule(rule: PolicyRulesWithSubjects, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const subjects = rule.subjects ?? [];
  if (subjects.length === 0)
    errors.push(required(`${path}.subjects`, "subjects must contain at least one value"));
  for (const [i, subject] of subjects.entries())
    errors.push(...validateSubject(subject, `${path}.subjects[${i}]`));
  const { resourceRules = [], nonResourceRules = [] } = rule;
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(required(path, "at least one of resourceRules and nonResourceRules has to be non-empty"));
  }
  for (const [i, inner] of resourceRules.entries()) {
    errors.push(...validateResourceRule(inner, `${path}.resourceRules[${i}]`));
  }
  for (const [i, inner] of nonResourceRules.entries()) {
    errors.push(...validateNonResourceRule(inner, `${path}.nonResourceRules[${i}]`));
  }
  return errors;
}

const SUBJECT_FIELDS = { User: "user", Group: "group", ServiceAccount: "serviceAccount" } as const;

function validateSubject(subject: Subject, path: string): FieldError[] {
  const kinds = Object.keys(SUBJECT_FIELDS);
  const field = Object.hasOwn(SUBJECT_FIELDS, subject.kind)
    ? SUBJECT_FIELDS[subject.kind as keyof typeof SUBJECT_FIELDS] // The line above has looked.
    : undefined;
  if (field === undefined) return [notSupported(`${path}.kind`, subject.kind, kinds.sort())];
  const errors: FieldError[] = [];
  if (subject[field] === undefined) {
    errors.push(required(`${path}.${field}`, `${field} is required when subject kind is '${subject.kind}'`));
  } else if (subject[field].name === "") errors.push(required(`${path}.${field}.name`));
  for (const other of Object.values(SUBJECT_FIELDS)) {
    if (other === field || subject[other] === undefined) continue;
    errors.push({
      type: "FieldValueForbidden",
      path: `${path}.${other}`,
      body: `Forbidden: ${other} is forbidden when subject kind is not '${kinds.find((kind) => SUBJECT_FIELDS[kind as keyof typeof SUBJECT_FIELDS] === other)}'`,
    });
  }
  return errors;
}

function validateResourceRule(rule: ResourcePolicyRule, path: string): FieldError[] {
  const errors = validateList(rule.verbs, `${path}.verbs`, "verbs must contain at least one value", "verbs");
  errors.push(
    ...validateList(
      rule.apiGroups,
      `${path}.apiGroups`,
      "resource rules must supply at least one api group",
      "api groups",
    ),
    ...validateList(
      rule.resources,
      `${path}.resources`,
      "resource rules must supply at least one resource",
      "resources",
    ),
  );
  const namespaces = rule.namespaces ?? [];
  if (namespaces.length === 0 && rule.clusterScope !== true) {
    const why = "resource rules that are not cluster scoped must supply at least one namespace";
    errors.push(required(`${path}.namespaces`, why));
  } else if (namespaces.length > 1 && namespaces.includes("*")) {
    const why = "if '*' is present, must not specify other namespaces";
    errors.push(invalid(`${path}.namespaces`, namespaces, why));
  }
  return errors;
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: string): FieldError[] {
  const errors = validateList(rule.verbs, `${path}.verbs`, "verbs must contain at least one value", "verbs");
  const urls = rule.nonResourceURLs ?? [];
  if (urls.length === 0) {
    errors.push(required(`${path}.nonResourceURLs`, "nonResourceURLs must contain at least one value"));
  }
  for (const [i, url] of urls.entries()) {
    const at = `${path}.nonResourceURLs[${i}]`;
    if (url === "*") {
      if (urls.length > 1) {
        const why = "if '*' is present, must not specify other non-resource URLs";
        errors.push(invalid(`${path}.nonResourceURLs`, urls, why));
      }
    } else if (!url.startsWith("/")) errors.push(invalid(at, url, "must start with slash"));
    else if (url.includes("*") && !/^[^*]*\/\*$/.test(url)) {
      errors.push(invalid(at, url, "wildcard can only do suffix matching"));
    }
  }
  return errors;
}

function validateList(
  list: readonly string[] | undefined,
  path: string,
  none: string,
  what: string,
): FieldError[] {
  const values = list ?? [];
  if (values.length === 0) return [required(path, none)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}
