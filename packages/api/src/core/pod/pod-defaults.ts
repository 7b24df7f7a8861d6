import { setOwn } from "@binnacle/base";
import type { Pod, PodSpec, PodStatus } from "../../generated/core-v1.generated.ts";
import { roundUpResources } from "../node/defaults.ts";
import { aggregateContainers, isHugePage, isPodLevelResource, type ResourceList } from "./pod-resources.ts";
import { roundRequirements, setPodSpecDefaults } from "./pod-spec-defaults.ts";

/**
 * Fills what a pod leaves out; templates get only {@link setPodSpecDefaults}.
 *
 * Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Pod, and conversion.go, Convert_v1_Pod_To_core_Pod.
 */
export function setPodDefaults(pod: Pod): void {
  // What decodes from nothing is a spec without containers; validation reports them.
  pod.spec ??= {} as PodSpec;
  const { spec } = pod;
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    if (resources?.limits === undefined) continue;
    resources.requests = fillFrom(resources.requests, resources.limits, () => true);
  }
  setPodLevelResources(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) {
    for (const { ports } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      for (const port of ports ?? []) port.hostPort ||= port.containerPort;
    }
  }
  setPodSpecDefaults(spec);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (pod.status !== undefined) setPodStatusDefaults(pod.status);
}

/** Source: kubernetes v1.36 pkg/apis/core/v1/conversion.go, Convert_v1_PodStatus_To_core_PodStatus. */
function setPodStatusDefaults(status: PodStatus): void {
  // `podIP` is the first of `podIPs`; a client that knows only the old field wins over the new one.
  if (status.podIP && status.podIP !== status.podIPs?.[0]?.ip) status.podIPs = [{ ip: status.podIP }];
  const first = status.podIPs?.[0]?.ip ?? "";
  if (first !== "") status.podIP = first;
  else delete status.podIP;
  for (const container of [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ]) {
    roundUpResources(container.allocatedResources);
    roundRequirements(container.resources);
  }
  roundUpResources(status.allocatedResources);
  roundRequirements(status.resources);
}

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, defaultHugePagePodLimits, defaultPodRequests, defaultPodLimits. */
function setPodLevelResources(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined || (isEmpty(resources.limits) && isEmpty(resources.requests))) return;
  const limits = aggregateContainers(spec, "limits");
  const given = resources.requests ?? {};
  const hugePages = fillFrom(
    resources.limits,
    limits,
    (name) => isHugePage(name) && !Object.hasOwn(given, name),
  );
  if (!isEmpty(hugePages)) resources.limits = hugePages;

  if (!isEmpty(resources.limits)) {
    const ofContainers = fillFrom(resources.requests, aggregateContainers(spec, "requests"), isSharable);
    const requests = fillFrom(ofContainers, resources.limits ?? {}, isPodLevelResource);
    if (!isEmpty(requests)) resources.requests = requests;
    return;
  }
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const everywhere = (name: string): boolean =>
    containers.every((container) => Object.hasOwn(container.resources?.limits ?? {}, name));
  const filled = fillFrom(undefined, limits, (name) => isSharable(name) && everywhere(name));
  if (!isEmpty(filled)) resources.limits = filled;
}

function isSharable(name: string): boolean {
  return isPodLevelResource(name) && !isHugePage(name);
}

function fillFrom(
  into: ResourceList | undefined,
  from: ResourceList,
  wanted: (name: string) => boolean,
): ResourceList {
  const filled = into ?? {};
  for (const [name, amount] of Object.entries(from)) {
    if (!Object.hasOwn(filled, name) && wanted(name)) setOwn(filled, name, amount);
  }
  return filled;
}

function isEmpty(list: ResourceList | undefined): boolean {
  return list === undefined || Object.keys(list).length === 0;
}
