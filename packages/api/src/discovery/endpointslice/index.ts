import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { Endpoint, EndpointPort, EndpointSlice } from "../../generated/discovery-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import {
  setEndpointSliceDefaults,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
  warningsForEndpointSlice,
} from "./validation.ts";

/** Some of the addresses behind a service. */
export const endpointSlices: ResourceDefinition<EndpointSlice> = {
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  resource: "endpointslices",
  singular: "endpointslice",
  listKind: "EndpointSliceList",
  namespaced: true,
  schema: builtinSchema("discovery.v1.EndpointSlice"),
  defaults: setEndpointSliceDefaults,
  strategy: {
    hasGeneration: true,
    validate: validateEndpointSlice,
    validateUpdate: validateEndpointSliceUpdate,
    warningsOnCreate: warningsForEndpointSlice,
  },
  columns: columnsFor<EndpointSlice>("endpointslices", [
    nameColumn,
    text("AddressType", ({ addressType }) => addressType),
    text("Ports", ({ ports }) => formatPorts(ports ?? [])),
    text("Endpoints", ({ endpoints }) => formatEndpoints(endpoints ?? [])),
    ageColumn,
  ]),
};

const SHOWN = 3;

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, formatDiscoveryPorts. */
function formatPorts(ports: readonly EndpointPort[]): string {
  return shorten(
    ports.map(({ name, port }) => (port === undefined ? name || "*" : `${port}`)),
    "<unset>",
  );
}

function formatEndpoints(endpoints: readonly Endpoint[]): string {
  return shorten(
    endpoints.flatMap(({ addresses }) => addresses ?? []),
    "<unset>",
  );
}

function shorten(all: readonly string[], none: string): string {
  if (all.length === 0) return none;
  const shown = all.slice(0, SHOWN).join(",");
  return all.length > SHOWN ? `${shown} + ${all.length - SHOWN} more...` : shown;
}
