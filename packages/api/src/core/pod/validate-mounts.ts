import {
  type FieldError,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  required,
} from "@binnacle/apimachinery";
import type {
  Container,
  EphemeralContainer,
  Volume,
  VolumeMount,
} from "../../generated/core-v1.generated.ts";
import { validateLocalDescendingPath, validatePathNoBacksteps } from "./paths.ts";
import { isClaimVolume } from "./validate-volumes.ts";

type AnyContainer = Container | EphemeralContainer;

const PROPAGATIONS: readonly string[] = ["Bidirectional", "HostToContainer", "None"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumeMounts. */
export function validateVolumeMounts(
  container: AnyContainer,
  volumes: ReadonlyMap<string, Volume>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${i}]`;
    const { name = "", mountPath = "", subPath, subPathExpr, mountPropagation } = mount;
    if (name === "") errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${at}.name`, name));
    if (mountPath === "") errors.push(required(`${at}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, "must be unique"));
    paths.add(mountPath);
    if (devices.some((device) => device.name === name)) {
      errors.push(invalid(`${at}.name`, name, "must not already exist in volumeDevices"));
    }
    if (devices.some(({ devicePath }) => devicePath === mountPath)) {
      const why = "must not already exist as a path in volumeDevices";
      errors.push(invalid(`${at}.mountPath`, mountPath, why));
    }
    // From here on upstream names the list, not the item.
    if (subPath) errors.push(...validateLocalDescendingPath(subPath, `${path}.subPath`));
    if (subPathExpr) {
      if (subPath) {
        const why = "subPathExpr and subPath are mutually exclusive";
        errors.push(invalid(`${at}.subPathExpr`, subPathExpr, why));
      }
      errors.push(...validateLocalDescendingPath(subPathExpr, `${path}.subPathExpr`));
    }
    if (mountPropagation !== undefined) {
      const where = `${path}.mountPropagation`;
      if (!PROPAGATIONS.includes(mountPropagation)) {
        errors.push(notSupported(where, mountPropagation, PROPAGATIONS));
      }
      if (mountPropagation === "Bidirectional" && container.securityContext?.privileged !== true) {
        const why = "Bidirectional mount propagation is available only to privileged containers";
        errors.push(forbiddenField(where, why));
      }
    }
    errors.push(...validateRecursiveReadOnly(mount, `${path}.recursiveReadOnly`));
  }
  return errors;
}

function validateRecursiveReadOnly(mount: VolumeMount, path: string): FieldError[] {
  const { recursiveReadOnly, readOnly, mountPropagation = "None" } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === "Disabled") return [];
  if (recursiveReadOnly !== "Enabled" && recursiveReadOnly !== "IfPossible") {
    return [notSupported(path, recursiveReadOnly, ["Disabled", "Enabled", "IfPossible"])];
  }
  const errors: FieldError[] = [];
  if (readOnly !== true) errors.push(forbiddenField(path, "may only be specified when readOnly is true"));
  if (mountPropagation !== "None") {
    const why = "may only be specified when mountPropagation is None or not specified";
    errors.push(forbiddenField(path, why));
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumeDevices. */
export function validateVolumeDevices(
  container: AnyContainer,
  volumes: ReadonlyMap<string, Volume>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = container.volumeMounts ?? [];
  for (const [i, { name = "", devicePath = "" }] of (container.volumeDevices ?? []).entries()) {
    const namePath = `${path}[${i}].name`;
    const at = `${path}[${i}].devicePath`;
    const volume = volumes.get(name);
    if (name === "") errors.push(required(namePath));
    if (names.has(name)) errors.push(invalid(namePath, name, "must be unique"));
    if (volume === undefined) errors.push(notFoundValue(namePath, name));
    else if (!isClaimVolume(volume)) {
      const why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.push(invalid(namePath, name, why));
    }
    if (devicePath === "") errors.push(required(at));
    if (paths.has(devicePath)) errors.push(invalid(at, devicePath, "must be unique"));
    if (validatePathNoBacksteps(devicePath, at).length > 0) {
      errors.push(invalid(at, devicePath, "can not contain backsteps ('..')"));
    } else {
      paths.add(devicePath);
    }
    if (mounts.some((mount) => mount.name === name)) {
      errors.push(invalid(namePath, name, "must not already exist in volumeMounts"));
    }
    if (mounts.some(({ mountPath }) => mountPath === devicePath)) {
      errors.push(invalid(at, devicePath, "must not already exist as a path in volumeMounts"));
    }
    if (name !== "") names.add(name);
  }
  return errors;
}
