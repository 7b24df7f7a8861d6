import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { EndpointSubset, Endpoints } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setEndpointsDefaults, validateEndpoints } from "./validation.ts";

/** The addresses behind a service, in the old form; EndpointSlices replace it. */
export const endpoints: ResourceDefinition<Endpoints> = {
  group: "",
  version: "v1",
  kind: "Endpoints",
  resource: "endpoints",
  singular: "endpoints",
  listKind: "EndpointsList",
  namespaced: true,
  shortNames: ["ep"],
  schema: builtinSchema("core.v1.Endpoints"),
  defaults: setEndpointsDefaults,
  strategy: { allowCreateOnUpdate: true, validate: validateEndpoints },
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  columns: columnsFor<Endpoints>("endpoints", [
    nameColumn,
    text("Endpoints", ({ subsets }) => formatSubsets(subsets ?? [])),
    ageColumn,
  ]),
};

const SHOWN = 3;

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, formatEndpoints. */
function formatSubsets(subsets: readonly EndpointSubset[]): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port))),
  );
  if (all.length === 0) return "<none>";
  const shown = all.slice(0, SHOWN).join(",");
  return all.length > SHOWN ? `${shown} + ${all.length - SHOWN} more...` : shown;
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
