import type { KubeObject } from "@binnacle/apimachinery";
import { text } from "../column-builders.ts";
import type { ParamRef } from "../generated/admissionregistration-v1.generated.ts";

/** The parameters of a policy's binding. Source: kubernetes v1.36 pkg/printers/internalversion/printers.go. */
export const paramRefColumn = text<KubeObject & { spec?: { paramRef?: ParamRef } }>(
  "ParamRef",
  ({ spec }) => {
    const reference = spec?.paramRef;
    if (reference === undefined) return "<unset>";
    if (reference.selector !== undefined) return "<selector>";
    const namespace = reference.namespace ? reference.namespace : "*";
    return `${namespace}/${reference.name ?? ""}`;
  },
);
