import {
  applyRule,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  parseIp,
  qualifiedName,
  required,
  tooLong,
  userOrGroupId,
  validateImmutable,
  validateLegacyIp,
} from "@binnacle/apimachinery";
import type {
  Container,
  ContainerStatus,
  Pod,
  PodIP,
  PodSpec,
  PodStatus,
} from "../../generated/core-v1.generated.ts";
import { allContainersCouldRestart, containerShouldRestart } from "./restart.ts";
import { validatePodAnnotationsUpdate } from "./validate-annotations.ts";
import { validateClaimStatuses } from "./validate-claim-status.ts";

/**
 * Everything but status is the old pod's; of the status, what only the server knows is kept.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, podStatusStrategy.PrepareForUpdate.
 */
export function preparePodStatusForUpdate(updated: Pod, old: Pod): void {
  const { metadata } = updated;
  if (old.metadata.ownerReferences === undefined) delete metadata.ownerReferences;
  else metadata.ownerReferences = old.metadata.ownerReferences;
  updated.status ??= {};
  const { status } = updated;
  const before = old.status ?? {};
  if (!status.qosClass && before.qosClass !== undefined) status.qosClass = before.qosClass;
  if (!status.observedGeneration && before.observedGeneration !== undefined) {
    status.observedGeneration = before.observedGeneration;
  }
  // Conditions may have the same type twice, so the old numbers are used up in order.
  const remaining = [...(before.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const i = remaining.findIndex(({ type }) => type === condition.type);
    const [known] = i < 0 ? [] : remaining.splice(i, 1);
    if (!condition.observedGeneration && known?.observedGeneration) {
      condition.observedGeneration = known.observedGeneration;
    }
  }
}

const CONTAINER_LISTS = [
  ["containerStatuses", "containers"],
  ["initContainerStatuses", "initContainers"],
  ["ephemeralContainerStatuses", "ephemeralContainers"],
] as const;

const SYSTEM_CONDITIONS: readonly string[] = ["PodScheduled", "Ready", "Initialized"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodStatusUpdate. */
export function validatePodStatusUpdate(updated: Pod, old: Pod): FieldError[] {
  const { spec, status = {} } = updated;
  const before = old.status ?? {};
  return [
    ...validatePodAnnotationsUpdate(updated, old, "metadata.annotations"),
    ...validateConditions(status),
    ...validateNomination(status, old),
    ...validateGeneration(status.observedGeneration, "status.observedGeneration"),
    ...validateImmutable(status.qosClass ?? "", before.qosClass ?? "", "status.qosClass"),
    ...validateTransitions(status, before, old.spec),
    ...validateClaimStatuses(status, spec),
    ...validateAddresses(status.podIPs ?? [], before.podIPs ?? [], "status.podIPs"),
    ...validateHostIps(status, before),
    ...CONTAINER_LISTS.flatMap(([list]) =>
      validateUsers(status[list] ?? [], spec.os?.name ?? "linux", `status.${list}`),
    ),
    ...CONTAINER_LISTS.flatMap(([list, of]) =>
      of === "ephemeralContainers"
        ? validateNoAllocated(status[list] ?? [], `status.${list}`)
        : validateAllocated(status[list] ?? [], spec[of] ?? [], `status.${list}`),
    ),
    ...CONTAINER_LISTS.flatMap(([list]) => validateVolumeStatuses(status[list] ?? [], `status.${list}`)),
  ];
}

function validateConditions({ conditions = [] }: PodStatus): FieldError[] {
  return conditions.flatMap(({ type = "", observedGeneration }, i) => {
    const at = `status.conditions[${i}]`;
    return [
      ...validateGeneration(observedGeneration, `${at}.observedGeneration`),
      // The capital is upstream's.
      ...(SYSTEM_CONDITIONS.includes(type) ? [] : applyRule(qualifiedName, type, `${at}.Type`)),
    ];
  });
}

function validateGeneration(generation: number | undefined, path: string): FieldError[] {
  if (generation === undefined || generation >= 0) return [];
  return [invalid(path, generation, "must be a non-negative integer")];
}

function validateNomination({ nominatedNodeName }: PodStatus, old: Pod): FieldError[] {
  if (!nominatedNodeName || nominatedNodeName === old.status?.nominatedNodeName) return [];
  const at = "status.nominatedNodeName";
  const errors = applyRule(dnsSubdomain, nominatedNodeName, at);
  if (old.spec.nodeName) {
    errors.push(forbiddenField(at, "may not be set on pods that are already bound to a node"));
  }
  return errors;
}

/** A container that has ended for good stays so. Source: validation.go, ValidateContainerStateTransition and others. */
function validateTransitions(status: PodStatus, before: PodStatus, spec: PodSpec): FieldError[] {
  const anyMayRestart = allContainersCouldRestart(spec);
  return CONTAINER_LISTS.flatMap(([list, of]) => {
    if (anyMayRestart && of !== "ephemeralContainers") return [];
    return (before[list] ?? []).flatMap((old, i) => {
      const terminated = old.state?.terminated;
      const now = status[list]?.find(({ name }) => name === old.name);
      if (terminated === undefined || now === undefined || now.state?.terminated !== undefined) return [];
      const container =
        of === "ephemeralContainers" ? undefined : spec[of]?.find(({ name }) => name === old.name);
      if (container !== undefined && containerShouldRestart(container, spec, terminated.exitCode ?? 0))
        return [];
      return [
        forbiddenField(`status.${list}[${i}].state`, "may not be transitioned to non-terminated state"),
      ];
    });
  });
}

/** At most one address per family. What is there already may stay as it is. */
function validateAddresses(
  addresses: readonly PodIP[],
  before: readonly PodIP[],
  path: string,
): FieldError[] {
  const errors = addresses.flatMap(({ ip = "" }, i) =>
    before.some((old) => old.ip === ip) ? [] : validateLegacyIp(`${path}[${i}]`, ip),
  );
  if (addresses.length < 2) return errors;
  const parsed = addresses.map(({ ip }) => parseIp(ip ?? ""));
  const bad = addresses.find((_, i) => parsed[i] === undefined);
  const isDual = bad === undefined && new Set(parsed.map((ip) => ip?.family)).size === 2;
  if (!isDual || addresses.length > 2) {
    const shown = addresses.map(({ ip }) => ({ IP: ip ?? "" }));
    errors.push(invalid(path, shown, "may specify no more than one IP for each IP family"));
  }
  return errors;
}

function validateHostIps({ hostIP = "", hostIPs = [] }: PodStatus, before: PodStatus): FieldError[] {
  const first = hostIPs[0];
  if (first === undefined) return [];
  const at = "status.hostIPs";
  const errors: FieldError[] = [];
  const ips = hostIPs.map(({ ip }) => ({ ip: ip ?? "" }));
  if (hostIP !== first.ip) errors.push(invalid(`${at}[0].ip`, first.ip ?? "", "must be equal to `hostIP`"));
  const old = (before.hostIPs ?? []).map(({ ip }) => ({ ip: ip ?? "" }));
  return [...errors, ...validateAddresses(ips, old, at)];
}

function validateUsers(statuses: readonly ContainerStatus[], os: string, path: string): FieldError[] {
  return statuses.flatMap(({ user }, i) => {
    const linux = user?.linux;
    const at = `${path}[${i}].user.linux`;
    if (linux === undefined) return [];
    if (os === "windows") return [forbiddenField(at, "cannot be set for a windows pod")];
    const check = (id: number, where: string): FieldError[] =>
      userOrGroupId(id).map((problem) => invalid(where, id, problem));
    return [
      ...check(linux.uid ?? 0, `${at}.uid`),
      ...check(linux.gid ?? 0, `${at}.gid`),
      ...(linux.supplementalGroups ?? []).flatMap((id, j) => check(id, `${at}.supplementalGroups[${j}]`)),
    ];
  });
}

function validateNoAllocated(statuses: readonly ContainerStatus[], path: string): FieldError[] {
  return statuses.flatMap(({ allocatedResourcesStatus }, i) =>
    allocatedResourcesStatus?.length
      ? [
          forbiddenField(
            `${path}[${i}].allocatedResourcesStatus`,
            "must not be specified in container status",
          ),
        ]
      : [],
  );
}

const HEALTHS: readonly string[] = ["Healthy", "Unhealthy", "Unknown"];
const MAX_MESSAGE = 256;

/** Source: validation.go, validateContainerStatusAllocatedResourcesStatus. */
function validateAllocated(
  statuses: readonly ContainerStatus[],
  containers: readonly Container[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { name, allocatedResourcesStatus }] of statuses.entries()) {
    const container = containers.find((candidate) => candidate.name === name);
    for (const [j, allocated] of (allocatedResourcesStatus ?? []).entries()) {
      const at = `${path}[${i}].allocatedResourcesStatus[${j}]`;
      if (container !== undefined) errors.push(...matchResource(allocated.name ?? "", container, at));
      const seen = new Set<string>();
      for (const [k, { resourceID = "", health = "", message }] of (allocated.resources ?? []).entries()) {
        const where = `${at}.resources[${k}]`;
        if (!HEALTHS.includes(health)) errors.push(notSupported(`${where}.health`, health, HEALTHS));
        if (message === "") errors.push(required(`${where}.message`, "must be non-empty if specified"));
        else if ((message ?? "").length > MAX_MESSAGE) errors.push(tooLong(`${where}.message`, MAX_MESSAGE));
        if (seen.has(resourceID)) errors.push(duplicate(`${where}.resourceID`, resourceID));
        seen.add(resourceID);
      }
    }
  }
  return errors;
}

function matchResource(name: string, { resources }: Container, path: string): FieldError[] {
  if (name.startsWith("claim:")) {
    const names = (resources?.claims ?? []).map((claim) =>
      claim.request ? `claim:${claim.name}/${claim.request}` : `claim:${claim.name}`,
    );
    if (names.includes(name)) return [];
    const why =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    return [invalid(`${path}.name`, name, why)];
  }
  if (Object.hasOwn(resources?.requests ?? {}, name)) return [];
  return [invalid(`${path}.name`, name, "must match one of the container's resource requests")];
}

const MAX_IMAGE_REFERENCE = 256;

function validateVolumeStatuses(statuses: readonly ContainerStatus[], path: string): FieldError[] {
  return statuses.flatMap(({ volumeMounts }, i) =>
    (volumeMounts ?? []).flatMap(({ volumeStatus }, j) => {
      const image = volumeStatus?.image;
      if (image === undefined) return [];
      const at = `${path}[${i}].volumeMounts[${j}].volumeStatus.image.imageRef`;
      if (!image.imageRef) return [required(at, "imageRef must not be empty")];
      return image.imageRef.length > MAX_IMAGE_REFERENCE ? [tooLong(at, MAX_IMAGE_REFERENCE)] : [];
    }),
  );
}
