import type { Column } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, formatLabels, nameColumn, text, wide } from "../../column-builders.ts";
import type { Service, ServicePort } from "../../generated/core-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printService. */
export const serviceColumns: readonly Column<Service>[] = columnsFor<Service>("services", [
  nameColumn,
  text("Type", ({ spec }) => spec?.type ?? ""),
  text("Cluster-IP", ({ spec }) => spec?.clusterIPs?.[0] ?? "<none>"),
  text("External-IP", externalIp),
  text("Port(s)", ({ spec }) => formatPorts(spec?.ports ?? [])),
  ageColumn,
  wide("Selector", ({ spec }) => formatLabels(spec?.selector)),
]);

function externalIp({ spec = {}, status }: Service): string {
  const own = spec.externalIPs ?? [];
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return own.length > 0 ? own.join(",") : "<none>";
    case "LoadBalancer": {
      const given = new Set(
        (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || ""),
      );
      given.delete("");
      const all = [...[...given].sort(), ...own];
      return all.length > 0 ? all.join(",") : "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function formatPorts(ports: readonly ServicePort[]): string {
  if (ports.length === 0) return "<none>";
  return ports
    .map(({ port, nodePort, protocol }) =>
      nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    )
    .join(",");
}
