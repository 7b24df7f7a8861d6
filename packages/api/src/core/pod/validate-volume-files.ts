import { type FieldError, invalid, required } from "@binnacle/apimachinery";
import type { DownwardAPIVolumeFile, KeyToPath } from "../../generated/core-v1.generated.ts";
import { validateLocalNonReservedPath } from "./paths.ts";
import { validateFieldSelector, validateResourceSelector } from "./validate-env.ts";

/** What is wrong with mode bits beyond 0777. */
const FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";

/** An error for mode bits out of 0 to 0777. */
export function validateMode(mode: number | undefined, path: string): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= 0o777) ? [] : [invalid(path, mode, FILE_MODE)];
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateKeyToPath. */
export function validateKeyToPath({ key, path: file, mode }: KeyToPath, path: string): FieldError[] {
  return [
    ...(key ? [] : [required(`${path}.key`)]),
    ...(file ? [] : [required(`${path}.path`)]),
    ...validateLocalNonReservedPath(file ?? "", `${path}.path`),
    ...validateMode(mode, `${path}.mode`),
  ];
}

/** {@link validateKeyToPath} for all of a list. */
export function validateItems(items: readonly KeyToPath[] | undefined, path: string): FieldError[] {
  return (items ?? []).flatMap((item, i) => validateKeyToPath(item, `${path}[${i}]`));
}

const VOLUME_FIELDS: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateDownwardAPIVolumeFile. */
export function validateDownwardFile(file: DownwardAPIVolumeFile, path: string): FieldError[] {
  const errors = file.path ? [] : [required(`${path}.path`)];
  errors.push(...validateLocalNonReservedPath(file.path ?? "", `${path}.path`));
  if (file.fieldRef !== undefined) {
    errors.push(...validateFieldSelector(file.fieldRef, VOLUME_FIELDS, `${path}.fieldRef`));
    if (file.resourceFieldRef !== undefined) {
      const why = "fieldRef and resourceFieldRef can not be specified simultaneously";
      errors.push(invalid(path, "resource", why));
    }
  } else if (file.resourceFieldRef !== undefined) {
    errors.push(...validateResourceSelector(file.resourceFieldRef, `${path}.resourceFieldRef`, true));
  } else {
    errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  }
  errors.push(...validateMode(file.mode, `${path}.mode`));
  return errors;
}
