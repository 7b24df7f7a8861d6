import { type FieldError, forbiddenField, notSupported } from "@binnacle/apimachinery";

const MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go (the same for volumes and claims). */
export function validateAccessModes(modes: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = modes
    .filter((mode) => !MODES.includes(mode))
    .map((mode) => notSupported(path, mode, MODES));
  const others = modes.filter((mode) => mode !== "ReadWriteOncePod" && MODES.includes(mode));
  if (modes.includes("ReadWriteOncePod") && others.length > 0) {
    errors.push(forbiddenField(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

const SHORT: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** `RWO,ROX`, as tables show it. */
export function formatAccessModes(modes: readonly string[] | undefined): string {
  return SHORT.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
}
