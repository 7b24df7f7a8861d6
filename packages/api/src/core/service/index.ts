import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { Service } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { serviceColumns } from "./columns.ts";
import { setServiceDefaults } from "./defaults.ts";
import { prepareServiceForCreate, prepareServiceForUpdate } from "./strategy.ts";
import {
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
  warningsForService,
} from "./validation.ts";

/** One name and address for a changing set of pods. Addresses and ports are allocated by the server. */
export const services: ResourceDefinition<Service> = {
  group: "",
  version: "v1",
  kind: "Service",
  resource: "services",
  singular: "service",
  listKind: "ServiceList",
  namespaced: true,
  shortNames: ["svc"],
  categories: ["all"],
  schema: builtinSchema("core.v1.Service"),
  defaults: setServiceDefaults,
  strategy: {
    repeatsMetadataChecks: true,
    nameFormat: "dnsLabel",
    allowCreateOnUpdate: true,
    returnsDeletedObject: true,
    prepareForCreate: prepareServiceForCreate,
    prepareForUpdate: prepareServiceForUpdate,
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    warningsOnCreate: warningsForService,
    warningsOnUpdate: warningsForService,
  },
  status: { validateUpdate: validateServiceStatus },
  columns: serviceColumns,
  selectableFieldNames: ["spec.clusterIP", "spec.type"],
  selectableFields: ({ spec }) => ({
    "spec.clusterIP": spec?.clusterIP ?? "",
    "spec.type": spec?.type ?? "",
  }),
};
