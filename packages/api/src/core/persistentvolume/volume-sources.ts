import {
  applyRule,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@binnacle/apimachinery";
import type { PersistentVolumeSpec } from "../../generated/core-v1.generated.ts";

/** The fields of PersistentVolumeSpec that name a kind of volume, in the order upstream checks them. */
export const VOLUME_SOURCES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "local",
  "storageos",
  "csi",
] as const satisfies readonly (keyof PersistentVolumeSpec)[];

type VolumeSource = (typeof VOLUME_SOURCES)[number];

/** What each kind cannot do without. */
const REQUIRED: Readonly<Record<VolumeSource, readonly string[]>> = {
  hostPath: ["path"],
  gcePersistentDisk: ["pdName"],
  awsElasticBlockStore: ["volumeID"],
  glusterfs: ["endpoints", "path"],
  flocker: [],
  nfs: ["server", "path"],
  rbd: ["monitors", "image"],
  quobyte: ["registry", "volume"],
  cephfs: ["monitors"],
  iscsi: ["targetPortal", "iqn"],
  cinder: ["volumeID"],
  fc: [],
  flexVolume: ["driver"],
  azureFile: ["secretName", "shareName"],
  vsphereVolume: ["volumePath"],
  azureDisk: ["diskName", "diskURI"],
  photonPersistentDisk: ["pdID"],
  portworxVolume: ["volumeID"],
  scaleIO: ["gateway", "system", "volumeName"],
  local: ["path"],
  storageos: ["volumeName"],
  csi: ["driver", "volumeHandle"],
};

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/**
 * Exactly one kind of volume, complete.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec.
 */
export function validateVolumeSource(spec: PersistentVolumeSpec, path: string): FieldError[] {
  const given = VOLUME_SOURCES.filter((source) => spec[source] !== undefined);
  const first = given[0];
  if (first === undefined) return [required(path, "must specify a volume type")];
  return [
    ...validateSource(spec, first, `${path}.${first}`),
    ...given
      .slice(1)
      .map((source) => forbiddenField(`${path}.${source}`, "may not specify more than 1 volume type")),
  ];
}

function validateSource(spec: PersistentVolumeSpec, source: VolumeSource, path: string): FieldError[] {
  const values = spec[source] as unknown as Readonly<Record<string, unknown>>; // The caller has seen it.
  const errors: FieldError[] = [];
  for (const field of REQUIRED[source]) {
    const value = values[field];
    if (
      value === undefined ||
      value === null ||
      value === "" ||
      (Array.isArray(value) && value.length === 0)
    ) {
      errors.push(required(`${path}.${field}`));
    }
  }
  switch (source) {
    case "hostPath":
      return [...errors, ...validateHostPath(spec, path)];
    case "nfs":
      if (spec.nfs?.path && !spec.nfs.path.startsWith("/")) {
        errors.push(invalid(`${path}.path`, spec.nfs.path, "must be an absolute path"));
      }
      return errors;
    case "local":
      if (spec.local?.path) errors.push(...validateNoBackstep(spec.local.path, `${path}.path`));
      if (spec.nodeAffinity?.required === undefined) {
        errors.push(required("spec.nodeAffinity", "Local volume requires node affinity"));
      }
      return errors;
    case "csi":
      return [...errors, ...validateDriverName(spec.csi?.driver ?? "", `${path}.driver`)];
    default:
      return errors;
  }
}

function validateHostPath({ hostPath }: PersistentVolumeSpec, path: string): FieldError[] {
  const errors = validateNoBackstep(hostPath?.path ?? "", `${path}.path`);
  const type = hostPath?.type ?? "";
  if (!HOST_PATH_TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, HOST_PATH_TYPES));
  return errors;
}

function validateNoBackstep(value: string, path: string): FieldError[] {
  return value.split("/").includes("..") ? [invalid(path, value, "must not contain '..'")] : [];
}

const MAX_DRIVER_NAME = 63;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateCSIDriverName. */
export function validateDriverName(name: string, path: string): FieldError[] {
  if (name === "") return [];
  const errors: FieldError[] = name.length > MAX_DRIVER_NAME ? [tooLong(path, MAX_DRIVER_NAME)] : [];
  for (const problem of dnsSubdomain(name.toLowerCase())) errors.push(invalid(path, name, problem));
  return errors;
}

/** An error per problem of a class name. */
export function validateClassName(name: string | undefined, path: string): FieldError[] {
  return name ? applyRule(dnsSubdomain, name, path) : [];
}
