import { addQuantities, compareQuantities, formatQuantity } from "@binnacle/apimachinery";
import { setOwn } from "@binnacle/base";
import type { Container, PodSpec } from "../../generated/core-v1.generated.ts";

/** Amounts by resource name. */
export type ResourceList = Record<string, string>;

/** Whether the init container keeps running beside the main ones. */
export function isSidecar(container: Pick<Container, "restartPolicy">): boolean {
  return container.restartPolicy === "Always";
}

/**
 * What the containers of a pod ask for together: the sum of the main containers and sidecars, or the peak while init
 * containers run, whichever is more. Overhead and pod-level resources are left out.
 *
 * Source: kubernetes v1.36 component-helpers/resource/helpers.go, AggregateContainerRequests, AggregateContainerLimits.
 */
export function aggregateContainers(spec: PodSpec, what: "requests" | "limits"): ResourceList {
  const total: ResourceList = {};
  for (const { resources } of spec.containers ?? []) addAll(total, resources?.[what]);
  const sidecars: ResourceList = {};
  const peak: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[what];
    if (isSidecar(container)) {
      addAll(total, own);
      addAll(sidecars, own);
      raiseTo(peak, sidecars);
    } else {
      const running = { ...own };
      addAll(running, sidecars);
      raiseTo(peak, running);
    }
  }
  raiseTo(total, peak);
  return total;
}

/** cpu, memory and huge pages: what a pod as a whole may ask for. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePage(name);
}

export function isHugePage(name: string): boolean {
  return name.startsWith("hugepages-");
}

function addAll(total: ResourceList, added: ResourceList | undefined): void {
  for (const [name, amount] of Object.entries(added ?? {})) {
    const sum = Object.hasOwn(total, name) ? formatQuantity(addQuantities(total[name]!, amount)) : amount;
    setOwn(total, name, sum);
  }
}

function raiseTo(total: ResourceList, other: ResourceList): void {
  for (const [name, amount] of Object.entries(other)) {
    if (!Object.hasOwn(total, name) || compareQuantities(amount, total[name]!) > 0)
      setOwn(total, name, amount);
  }
}
