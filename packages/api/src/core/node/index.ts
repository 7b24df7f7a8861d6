import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import type { Node } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setNodeDefaults } from "./defaults.ts";
import { validateNode, validateNodeUpdate } from "./validation.ts";

/** A machine that runs pods. */
export const nodes: ResourceDefinition<Node> = {
  group: "",
  version: "v1",
  kind: "Node",
  resource: "nodes",
  singular: "node",
  listKind: "NodeList",
  namespaced: false,
  shortNames: ["no"],
  schema: builtinSchema("core.v1.Node"),
  defaults: setNodeDefaults,
  strategy: {
    // A node is created by its kubelet, status included.
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateNode,
    validateUpdate: validateNodeUpdate,
  },
  status: { validateUpdate: validateNodeUpdate },
  columns: columnsFor<Node>("nodes", [
    nameColumn,
    text("Status", nodeStatus),
    text("Roles", ({ metadata }) => rolesOf(metadata.labels ?? {})),
    ageColumn,
    text("Version", ({ status }) => status?.nodeInfo?.kubeletVersion ?? ""),
    wide("Internal-IP", (node) => addressOf(node, "InternalIP")),
    wide("External-IP", (node) => addressOf(node, "ExternalIP")),
    wide("OS-Image", ({ status }) => status?.nodeInfo?.osImage || "<unknown>"),
    wide("Kernel-Version", ({ status }) => status?.nodeInfo?.kernelVersion || "<unknown>"),
    wide("Container-Runtime", ({ status }) => status?.nodeInfo?.containerRuntimeVersion || "<unknown>"),
  ]),
  selectableFieldNames: ["spec.unschedulable"],
  selectableFields: ({ spec }) => ({ "spec.unschedulable": String(spec?.unschedulable === true) }),
};

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printNode. */
function nodeStatus({ spec, status }: Node): string {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const words = [ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady"];
  if (spec?.unschedulable) words.push("SchedulingDisabled");
  return words.join(",");
}

const ROLE_PREFIX = "node-role.kubernetes.io/";

function rolesOf(labels: Readonly<Record<string, string>>): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length)
      roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === "kubernetes.io/role" && value !== "") roles.add(value);
  }
  return roles.size === 0 ? "<none>" : [...roles].sort().join(",");
}

function addressOf({ status }: Node, type: string): string {
  return status?.addresses?.find((address) => address.type === type)?.address ?? "<none>";
}
