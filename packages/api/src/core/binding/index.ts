import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { Binding } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateBindingTarget } from "./validation.ts";

/** Puts a pod on a node. */
export const bindings: ResourceDefinition<Binding> = {
  group: "",
  version: "v1",
  kind: "Binding",
  resource: "bindings",
  singular: "binding",
  listKind: "BindingList",
  namespaced: true,
  schema: builtinSchema("core.v1.Binding"),
  strategy: { validate: validateBindingTarget },
  verbs: ["create"],
  virtual: true,
};
