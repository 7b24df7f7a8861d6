import {
  applyRule,
  dnsLabel1035,
  dnsSubdomain,
  type FieldError,
  invalid,
  pathSegment,
  portNumber,
  type ResourceDefinition,
  required,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { APIService } from "../../generated/apiregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Who serves a group and version. */
export const apiServices: ResourceDefinition<APIService> = {
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  resource: "apiservices",
  singular: "apiservice",
  listKind: "APIServiceList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("apiregistration.v1.APIService"),
  // Source: kubernetes v1.36 kube-aggregator/pkg/apis/apiregistration/v1/defaults.go.
  defaults: ({ spec }) => {
    if (spec?.service !== undefined) spec.service.port ??= 443;
  },
  strategy: {
    nameFormat: "path",
    prepareForCreate: (service) => {
      service.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateApiService,
  },
  status: {},
  columns: columnsFor<APIService>("apiservices", [
    nameColumn,
    text("Service", ({ spec }) => {
      return spec?.service === undefined
        ? "Local"
        : `${spec.service.namespace ?? ""}/${spec.service.name ?? ""}`;
    }),
    text("Available", ({ status }) => {
      const available = status?.conditions?.find(({ type }) => type === "Available");
      if (available === undefined) return "Unknown";
      return available.status === "True" ? "True" : `${available.status} (${available.reason ?? ""})`;
    }),
    ageColumn,
  ]),
};

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

/** Source: kubernetes v1.36 kube-aggregator/pkg/apis/apiregistration/validation/validation.go, ValidateAPIService. */
function validateApiService({ metadata, spec }: APIService): FieldError[] {
  const errors: FieldError[] = [];
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0 } = spec ?? {};
  const wanted = `${version}.${group}`;
  if (metadata.name !== wanted && pathSegment(metadata.name ?? "").length === 0) {
    const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
    errors.push(invalid("metadata.name", metadata.name, why));
  }
  if (group === "" && version !== "v1") {
    errors.push(required("spec.group", "only v1 may have an empty group and it better be legacy kube"));
  }
  if (group !== "") errors.push(...applyRule(dnsSubdomain, group, "spec.group"));
  errors.push(...applyRule(dnsLabel1035, version, "spec.version"));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > MAX_GROUP_PRIORITY) {
    const why = `must be positive and less than ${MAX_GROUP_PRIORITY}`;
    errors.push(invalid("spec.groupPriorityMinimum", groupPriorityMinimum, why));
  }
  if (versionPriority <= 0 || versionPriority > MAX_VERSION_PRIORITY) {
    const why = `must be positive and less than ${MAX_VERSION_PRIORITY}`;
    errors.push(invalid("spec.versionPriority", versionPriority, why));
  }
  const bundleBytes = Buffer.byteLength(spec?.caBundle ?? "", "base64");
  const isInsecure = spec?.insecureSkipTLSVerify === true;
  const service = spec?.service;
  if (service === undefined) {
    if (bundleBytes > 0) {
      const why = "local APIServices may not have a caBundle";
      errors.push(invalid("spec.caBundle", `${bundleBytes} bytes`, why));
    }
    if (isInsecure) {
      const why = "local APIServices may not have insecureSkipTLSVerify";
      errors.push(invalid("spec.insecureSkipTLSVerify", true, why));
    }
    return errors;
  }
  if (!service.namespace) errors.push(required("spec.service.namespace"));
  if (!service.name) errors.push(required("spec.service.name"));
  const port = service.port ?? 443;
  for (const problem of portNumber(port)) {
    errors.push(invalid("spec.service.port", port, `port is not valid: ${problem}`));
  }
  if (isInsecure && bundleBytes > 0) {
    errors.push(invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present"));
  }
  return errors;
}
