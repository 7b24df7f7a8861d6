import {
  type FieldError,
  invalid,
  type StrategyContext,
  validateFinalizers,
  validateStandardFinalizer,
} from "@binnacle/apimachinery";
import type { Namespace } from "../../generated/core-v1.generated.ts";

/** The label that names the namespace, so that selectors can. */
export const NAMESPACE_NAME_LABEL = "kubernetes.io/metadata.name";

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Namespace and SetDefaults_NamespaceStatus. */
export function setNamespaceDefaults(namespace: Namespace): void {
  const { metadata } = namespace;
  // A name that is still to be generated gets its label after it has been.
  if (metadata.name) {
    metadata.labels ??= {};
    metadata.labels[NAMESPACE_NAME_LABEL] = metadata.name;
  }
  namespace.status ??= {};
  namespace.status.phase ??= "Active";
}

/** Source: kubernetes v1.36 pkg/registry/core/namespace/strategy.go, PrepareForCreate. */
export function prepareNamespaceForCreate(namespace: Namespace, _context: StrategyContext): void {
  namespace.status = { phase: "Active" };
  namespace.spec ??= {};
  const finalizers = namespace.spec.finalizers ?? [];
  if (!finalizers.includes("kubernetes")) namespace.spec.finalizers = [...finalizers, "kubernetes"];
}

/** Finalizers of the spec change through `/finalize` only. Source: strategy.go, PrepareForUpdate. */
export function prepareNamespaceForUpdate(updated: Namespace, old: Namespace): void {
  updated.spec ??= {};
  if (old.spec?.finalizers === undefined) delete updated.spec.finalizers;
  else updated.spec.finalizers = [...old.spec.finalizers];
  updated.status = old.status ?? {};
}

/** What `/finalize` takes over: the finalizers of the spec. Source: strategy.go, namespaceFinalizeStrategy. */
export function prepareNamespaceForFinalize(updated: Namespace, old: Namespace): void {
  updated.status = old.status ?? {};
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNamespace. */
export function validateNamespace(namespace: Namespace): FieldError[] {
  return validateNamespaceFinalizers(namespace);
}

/** Source: validation.go, ValidateNamespaceFinalizeUpdate. */
export function validateNamespaceFinalizers(namespace: Namespace): FieldError[] {
  return (namespace.spec?.finalizers ?? []).flatMap((finalizer, i) => {
    const path = `spec.finalizers[${i}]`;
    return [...validateFinalizers([finalizer], path), ...validateStandardFinalizer(finalizer, path)];
  });
}

/** Source: validation.go, ValidateNamespaceStatusUpdate. The capital in the path is upstream's. */
export function validateNamespaceStatus(updated: Namespace): FieldError[] {
  const phase = updated.status?.phase ?? "";
  if (updated.metadata.deletionTimestamp === undefined) {
    if (phase === "Active") return [];
    return [invalid("status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  if (phase === "Terminating") return [];
  return [invalid("status.Phase", phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
