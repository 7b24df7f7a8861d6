import {
  dnsLabel1035,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
  validateImmutable,
} from "@binnacle/apimachinery";
import { validateReviewVersions, validateWebhookClient } from "../../admissionregistration/webhook-client.ts";
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from "../../generated/apiextensions-v1.generated.ts";
import { validateStructuralSchema } from "./schema-validation.ts";

/** Source: kubernetes v1.36 apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go. */
export function validateCrd(crd: CustomResourceDefinition): FieldError[] {
  const { spec } = crd;
  const errors: FieldError[] = [];
  if (crd.metadata.name !== `${spec.names.plural}.${spec.group}`) {
    errors.push(invalid("metadata.name", crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  errors.push(...validateGroup(spec.group));
  const scopes = ["Cluster", "Namespaced"];
  if (spec.scope === "") errors.push(required("spec.scope"));
  else if (!scopes.includes(spec.scope)) errors.push(notSupported("spec.scope", spec.scope, scopes));
  if (spec.preserveUnknownFields === true) {
    const why =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    errors.push(invalid("spec.preserveUnknownFields", true, why));
  }
  errors.push(...validateVersions(spec.versions ?? []));
  errors.push(...validateNames(spec.names));
  errors.push(...validateConversion(spec.conversion));
  return [...errors, ...validateStoredVersions(crd)];
}

/** What may never change once objects exist. Source: validation.go, ValidateCustomResourceDefinitionUpdate. */
export function validateCrdUpdate(
  updated: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  const errors = validateCrd(updated);
  const isEstablished = old.status?.conditions?.some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  if (isEstablished) {
    errors.push(
      ...validateImmutable(updated.spec.scope, old.spec.scope, "spec.scope"),
      ...validateImmutable(updated.spec.names.kind, old.spec.names.kind, "spec.names.kind"),
    );
  }
  errors.push(
    ...validateImmutable(updated.spec.group, old.spec.group, "spec.group"),
    ...validateImmutable(updated.spec.names.plural, old.spec.names.plural, "spec.names.plural"),
  );
  // The group is part of the name, which says so already.
  return errors.filter(({ path }) => path !== "metadata.name");
}

function validateGroup(group: string): FieldError[] {
  if (group === "") return [required("spec.group")];
  const problems = dnsSubdomain(group);
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return group.includes(".")
    ? []
    : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function validateVersions(versions: readonly CustomResourceDefinitionVersion[]): FieldError[] {
  const errors: FieldError[] = [];
  const path = "spec.versions";
  for (const [i, version] of versions.entries()) errors.push(...validateVersion(version, `${path}[${i}]`));
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length)
    errors.push(invalid(path, versions, "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalid(path, versions, "must have exactly one version marked as storage version"));
  }
  return errors;
}

function validateVersion(version: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const problems = dnsLabel1035(version.name);
  const errors = problems.length === 0 ? [] : [invalid(`${path}.name`, version.name, problems.join(","))];
  if (version.deprecated !== true && version.deprecationWarning !== undefined) {
    errors.push(
      invalid(
        `${path}.deprecationWarning`,
        version.deprecationWarning,
        "can only be set for deprecated versions",
      ),
    );
  }
  const schema = version.schema?.openAPIV3Schema;
  if (schema === undefined) errors.push(required(`${path}.schema.openAPIV3Schema`, "schemas are required"));
  else errors.push(...validateStructuralSchema(schema, `${path}.schema.openAPIV3Schema`));
  const scale = version.subresources?.scale;
  if (scale !== undefined) {
    errors.push(
      ...validateScalePath(scale.specReplicasPath, ".spec.", `${path}.subresources.scale.specReplicasPath`),
    );
    errors.push(
      ...validateScalePath(
        scale.statusReplicasPath,
        ".status.",
        `${path}.subresources.scale.statusReplicasPath`,
      ),
    );
    const { labelSelectorPath } = scale;
    if (labelSelectorPath && !/^\.(spec|status)\./.test(labelSelectorPath)) {
      const why = "should be a json path under either .spec or .status";
      errors.push(invalid(`${path}.subresources.scale.labelSelectorPath`, labelSelectorPath, why));
    }
  }
  const columnTypes = ["boolean", "date", "integer", "number", "string"];
  for (const [i, column] of (version.additionalPrinterColumns ?? []).entries()) {
    const at = `${path}.additionalPrinterColumns[${i}]`;
    if (column.name === "") errors.push(required(`${at}.name`));
    if (column.type === "") errors.push(required(`${at}.type`, `must be one of ${columnTypes.join(",")}`));
    else if (!columnTypes.includes(column.type)) {
      errors.push(invalid(`${at}.type`, column.type, `must be one of ${columnTypes.join(",")}`));
    }
    if (column.jsonPath === "") errors.push(required(`${at}.JSONPath`));
    else if (!column.jsonPath.startsWith(".")) {
      errors.push(invalid(`${at}.JSONPath`, column.jsonPath, "must be a simple json path starting with ."));
    }
  }
  return errors;
}

function validateScalePath(value: string, start: string, path: string): FieldError[] {
  if (value === "") return [required(path)];
  if (value.startsWith(start)) return [];
  return [invalid(path, value, `should be a json path under ${start.slice(0, -1)}`)];
}

function validateNames(names: CustomResourceDefinitionNames): FieldError[] {
  const errors: FieldError[] = [];
  const path = "spec.names";
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    const name = names[field] ?? "";
    if (name === "") {
      errors.push(required(`${path}.${field}`));
      continue;
    }
    const isKind = field === "kind" || field === "listKind";
    const problems = dnsLabel1035(isKind ? name.toLowerCase() : name);
    if (problems.length === 0) continue;
    const start = isKind ? "may have mixed case, but should otherwise match: " : "";
    errors.push(invalid(`${path}.${field}`, name, start + problems.join(",")));
  }
  if (names.kind !== "" && names.kind === names.listKind) {
    errors.push(invalid(`${path}.listKind`, names.listKind, "kind and listKind may not be the same"));
  }
  for (const field of ["shortNames", "categories"] as const) {
    for (const [i, name] of (names[field] ?? []).entries()) {
      const problems = dnsLabel1035(name);
      if (problems.length > 0) errors.push(invalid(`${path}.${field}[${i}]`, name, problems.join(",")));
      if (names[field]!.indexOf(name) < i) errors.push(duplicate(`${path}.${field}[${i}]`, name));
    }
  }
  return errors;
}

function validateConversion(conversion: CustomResourceConversion | undefined): FieldError[] {
  if (conversion === undefined) return [];
  const path = "spec.conversion";
  const { strategy, webhook } = conversion;
  const strategies = ["None", "Webhook"];
  if (strategy === "") return [required(`${path}.strategy`)];
  if (!strategies.includes(strategy)) return [notSupported(`${path}.strategy`, strategy, strategies)];
  if (strategy === "None") {
    if (webhook === undefined) return [];
    return [forbiddenField(`${path}.webhook`, "should not be set when strategy is not set to Webhook")];
  }
  const clientPath = `${path}.webhook.clientConfig`;
  if (webhook?.clientConfig === undefined) {
    return [required(clientPath, "required when strategy is set to Webhook")];
  }
  return [
    ...validateWebhookClient(webhook.clientConfig, clientPath),
    ...validateReviewVersions(
      webhook.conversionReviewVersions ?? [],
      `${path}.webhook.conversionReviewVersions`,
    ),
  ];
}

/** Objects may still be stored in every version that once was the stored one. */
function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = "status.storedVersions";
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, stored, "must have at least one stored version")];
  const errors: FieldError[] = [];
  for (const [i, version] of stored.entries()) {
    if (spec.versions?.some(({ name }) => name === version)) continue;
    const why = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    errors.push(invalid(`${path}[${i}]`, version, why));
  }
  for (const { name, storage } of spec.versions ?? []) {
    if (storage && !stored.includes(name)) {
      errors.push(invalid(path, stored, `must have the storage version ${name}`));
    }
  }
  return errors;
}
