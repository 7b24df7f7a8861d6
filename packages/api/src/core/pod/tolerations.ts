import type { Taint, Toleration } from "../../generated/core-v1.generated.ts";

/** Whether a toleration covers a taint. Source: kubernetes v1.36 k8s.io/api/core/v1/toleration.go, ToleratesTaint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = "", operator = "", value = "", effect = "" } = toleration;
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  // Without a key only Exists is valid; such a toleration covers nothing.
  return (operator === "" || operator === "Equal") && key !== "" && value === (taint.value ?? "");
}

/** Whether any toleration covers the taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}
