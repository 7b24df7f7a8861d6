import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  quantitySign,
  required,
} from "@binnacle/apimachinery";
import type {
  EphemeralVolumeSource,
  HostPathVolumeSource,
  Volume,
} from "../../generated/core-v1.generated.ts";
import { validateLocalDescendingPath, validatePathNoBacksteps } from "./paths.ts";
import { validateClaimTemplate } from "./validate-claim-template.ts";
import { validateProjected } from "./validate-projected.ts";
import { validateDownwardFile, validateItems, validateMode } from "./validate-volume-files.ts";
import * as network from "./validate-volume-sources.ts";

export interface ValidatedVolumes {
  readonly errors: FieldError[];
  /** The volumes without error, by name: what containers may mount. */
  readonly byName: ReadonlyMap<string, Volume>;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumes. */
export function validateVolumes(
  volumes: readonly Volume[],
  podName: string | undefined,
  path: string,
): ValidatedVolumes {
  const created = new Set(
    podName
      ? volumes.filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`)
      : [],
  );
  const byName = new Map<string, Volume>();
  const errors: FieldError[] = [];
  for (const [i, volume] of volumes.entries()) {
    const at = `${path}[${i}]`;
    const name = volume.name ?? "";
    const own = validateSource(volume, podName, at);
    own.push(...(name === "" ? [required(`${at}.name`)] : applyRule(dnsLabel, name, `${at}.name`)));
    if (byName.has(name)) own.push(duplicate(`${at}.name`, name));
    if (own.length === 0) byName.set(name, volume);
    errors.push(...own);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      const why = "must not reference a PVC that gets created for an ephemeral volume";
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim, why));
    }
  }
  return { errors, byName };
}

type Source = Exclude<keyof Volume, "name">;

interface SourceRule {
  readonly source: Source;
  readonly validate: (volume: Volume, path: string, podName: string | undefined) => FieldError[];
  /** The path below the volume; default: the name of the field. */
  readonly path?: string;
  /** The path that a second source is reported at. */
  readonly extraPath?: string;
}

function rule<S extends Source>(
  source: S,
  validate: (
    value: NonNullable<Volume[S]>,
    path: string,
    volume: Volume,
    podName: string | undefined,
  ) => FieldError[],
  paths: { path?: string; extraPath?: string } = {},
): SourceRule {
  return {
    source,
    ...paths,
    validate: (volume, path, podName) => {
      const value = volume[source];
      return value === undefined ? [] : validate(value, path, volume, podName);
    },
  };
}

/** In the order upstream looks at them: of several sources the first counts. The odd paths are upstream's, too. */
const SOURCES: readonly SourceRule[] = [
  rule("emptyDir", ({ sizeLimit }, path) =>
    sizeLimit !== undefined && quantitySign(sizeLimit) < 0
      ? [forbiddenField(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : [],
  ),
  rule("hostPath", validateHostPath),
  rule("gitRepo", ({ repository, directory }, path) => [
    ...(repository ? [] : [required(`${path}.repository`)]),
    ...validateLocalDescendingPath(directory ?? "", `${path}.directory`),
  ]),
  rule("gcePersistentDisk", network.validateGcePersistentDisk, { path: "persistentDisk" }),
  rule("awsElasticBlockStore", network.validateAwsElasticBlockStore),
  rule("secret", ({ secretName, defaultMode, items }, path) => [
    ...(secretName ? [] : [required(`${path}.secretName`)]),
    ...validateMode(defaultMode, `${path}.defaultMode`),
    ...validateItems(items, `${path}.items`),
  ]),
  rule("nfs", network.validateNfs),
  rule("iscsi", (iscsi, path, volume) => network.validateIscsi(iscsi, path, volume.name ?? "")),
  rule("glusterfs", network.validateGlusterfs),
  rule("flocker", network.validateFlocker),
  rule("persistentVolumeClaim", ({ claimName }, path) => (claimName ? [] : [required(`${path}.claimName`)])),
  rule("rbd", network.validateRbd),
  rule("cinder", network.validateCinder),
  rule("cephfs", ({ monitors }, path) => (monitors?.length ? [] : [required(`${path}.monitors`)]), {
    extraPath: "cephFS",
  }),
  rule("quobyte", network.validateQuobyte),
  rule(
    "downwardAPI",
    ({ defaultMode, items }, path) => [
      ...validateMode(defaultMode, `${path}.defaultMode`),
      ...(items ?? []).flatMap((item) => validateDownwardFile(item, path)),
    ],
    { extraPath: "downwarAPI" },
  ),
  rule("fc", network.validateFc),
  rule("flexVolume", network.validateFlexVolume),
  rule("configMap", ({ name, defaultMode, items }, path) => [
    ...(name ? [] : [required(`${path}.name`)]),
    ...validateMode(defaultMode, `${path}.defaultMode`),
    ...validateItems(items, `${path}.items`),
  ]),
  rule("azureFile", ({ secretName, shareName }, path) => [
    ...(secretName ? [] : [required(`${path}.secretName`)]),
    ...(shareName ? [] : [required(`${path}.shareName`)]),
  ]),
  rule("vsphereVolume", ({ volumePath }, path) => (volumePath ? [] : [required(`${path}.volumePath`)])),
  rule("photonPersistentDisk", ({ pdID }, path) => (pdID ? [] : [required(`${path}.pdID`)])),
  rule("portworxVolume", ({ volumeID }, path) => (volumeID ? [] : [required(`${path}.volumeID`)])),
  rule("azureDisk", network.validateAzureDisk),
  rule("storageos", network.validateStorageos),
  rule("projected", ({ defaultMode, sources }, path) => [
    ...validateMode(defaultMode, `${path}.defaultMode`),
    ...validateProjected(sources ?? [], path),
  ]),
  rule("scaleIO", ({ gateway, system, volumeName }, path) => [
    ...(gateway ? [] : [required(`${path}.gateway`)]),
    ...(system ? [] : [required(`${path}.system`)]),
    ...(volumeName ? [] : [required(`${path}.volumeName`)]),
  ]),
  rule("csi", network.validateCsi),
  rule("ephemeral", validateEphemeral),
  rule("image", ({ reference, pullPolicy }, path) => [
    ...(reference ? [] : [required(`${path}.reference`)]),
    ...validatePullPolicy(pullPolicy, `${path}.pullPolicy`),
  ]),
];

function validateSource(volume: Volume, podName: string | undefined, at: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const { source, validate, path, extraPath } of SOURCES) {
    if (volume[source] === undefined) continue;
    if (found) {
      errors.push(forbiddenField(`${at}.${extraPath ?? source}`, "may not specify more than 1 volume type"));
    } else {
      found = true;
      errors.push(...validate(volume, `${at}.${path ?? source}`, podName));
    }
  }
  if (!found) errors.push(required(at, "must specify a volume type"));
  return errors;
}

const HOST_PATH_TYPES: readonly string[] = [
  ...["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"],
];

function validateHostPath(hostPath: HostPathVolumeSource, path: string): FieldError[] {
  if (!hostPath.path) return [required(`${path}.path`)];
  const errors = validatePathNoBacksteps(hostPath.path, `${path}.path`);
  if (hostPath.type !== undefined && !HOST_PATH_TYPES.includes(hostPath.type)) {
    errors.push(notSupported(`${path}.type`, hostPath.type, HOST_PATH_TYPES));
  }
  return errors;
}

const PULL_POLICIES: readonly string[] = ["Always", "IfNotPresent", "Never"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePullPolicy. */
export function validatePullPolicy(policy: string | undefined, path: string): FieldError[] {
  if (!policy) return [required(path)];
  return PULL_POLICIES.includes(policy) ? [] : [notSupported(path, policy, PULL_POLICIES)];
}

function validateEphemeral(
  { volumeClaimTemplate }: EphemeralVolumeSource,
  path: string,
  volume: Volume,
  podName: string | undefined,
): FieldError[] {
  if (volumeClaimTemplate === undefined) return [required(`${path}.volumeClaimTemplate`)];
  const errors = validateClaimTemplate(volumeClaimTemplate, `${path}.volumeClaimTemplate`);
  if (podName && volume.name) {
    const claimName = `${podName}-${volume.name}`;
    for (const problem of dnsSubdomain(claimName)) {
      errors.push(
        invalid(
          path.replace(/\.ephemeral$/, ".name"),
          volume.name,
          `PVC name ${JSON.stringify(claimName)}: ${problem}`,
        ),
      );
    }
  }
  return errors;
}

/** Whether a container may use the volume as a block device. */
export function isClaimVolume(volume: Volume): boolean {
  return volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined;
}
