import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { ResourceClaim } from "../../generated/resource-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setDeviceClaimDefaults, validateResourceClaim, validateResourceClaimUpdate } from "./validation.ts";

/** A request for devices. */
export const resourceClaims: ResourceDefinition<ResourceClaim> = {
  group: "resource.k8s.io",
  version: "v1",
  kind: "ResourceClaim",
  resource: "resourceclaims",
  singular: "resourceclaim",
  listKind: "ResourceClaimList",
  namespaced: true,
  schema: builtinSchema("resource.v1.ResourceClaim"),
  defaults: ({ spec }) => setDeviceClaimDefaults(spec.devices),
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: (claim) => {
      claim.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateResourceClaim,
    validateUpdate: validateResourceClaimUpdate,
  },
  status: {},
  columns: columnsFor<ResourceClaim>("resourceclaims", [nameColumn, text("State", formatState), ageColumn]),
};

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, resourceClaimState. */
function formatState({ metadata, status }: ResourceClaim): string {
  const states: string[] = [];
  if (metadata.deletionTimestamp !== undefined) states.push("deleted");
  if (status?.allocation === undefined) {
    if (metadata.deletionTimestamp === undefined) states.push("pending");
  } else {
    states.push("allocated");
    states.push((status.reservedFor ?? []).length > 0 ? "reserved" : "");
  }
  return states.filter((state) => state !== "").join(",");
}
