import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { Ingress, IngressRule } from "../../generated/networking-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import {
  validateIngress,
  validateIngressCreate,
  validateIngressStatus,
  warningsForIngress,
} from "./validation.ts";

/** How requests from outside find services. */
export const ingresses: ResourceDefinition<Ingress> = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  resource: "ingresses",
  singular: "ingress",
  listKind: "IngressList",
  namespaced: true,
  shortNames: ["ing"],
  schema: builtinSchema("networking.v1.Ingress"),
  strategy: {
    hasGeneration: true,
    prepareForCreate: (ingress) => {
      ingress.status = { loadBalancer: {} };
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? { loadBalancer: {} };
    },
    validate: validateIngressCreate,
    validateUpdate: validateIngress,
    warningsOnCreate: warningsForIngress,
  },
  status: { validateUpdate: validateIngressStatus },
  columns: columnsFor<Ingress>("ingresses", [
    nameColumn,
    text("Class", ({ metadata, spec }) => {
      return spec?.ingressClassName ?? metadata.annotations?.["kubernetes.io/ingress.class"] ?? "<none>";
    }),
    text("Hosts", ({ spec }) => formatHosts(spec?.rules ?? [])),
    text("Address", ({ status }) => {
      const all = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "");
      return all.filter((address) => address !== "").join(",");
    }),
    text("Ports", ({ spec }) => ((spec?.tls ?? []).length > 0 ? "80, 443" : "80")),
    ageColumn,
  ]),
};

const SHOWN = 3;

function formatHosts(rules: readonly IngressRule[]): string {
  const hosts = rules.flatMap(({ host }) => (host ? [host] : []));
  if (hosts.length === 0) return "*";
  const shown = hosts.slice(0, SHOWN).join(",");
  return hosts.length > SHOWN ? `${shown} + ${hosts.length - SHOWN} more...` : shown;
}
