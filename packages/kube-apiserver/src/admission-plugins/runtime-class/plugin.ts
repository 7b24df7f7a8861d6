import type { Pod, RuntimeClass } from "@binnacle/api";
import { compareQuantities } from "@binnacle/apimachinery";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { cloneJson } from "@binnacle/base";
import { findObject } from "../lookup.ts";
import { refusal } from "../refusal.ts";
import { mergeTolerations } from "./merge-tolerations.ts";

const CLASSES = { group: "node.k8s.io", resource: "runtimeclasses" };

/**
 * Gives a pod what its runtime class says of overhead and of the nodes that have the runtime.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass/admission.go.
 */
export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  operations: ["CREATE"],
  mutate(attributes, core) {
    const pod = podOf(attributes);
    const found = pod === undefined ? undefined : classOf(pod, attributes, core);
    if (pod === undefined || found === undefined) return;
    setOverhead(pod, found, attributes);
    setScheduling(pod, found, attributes);
  },
  validate(attributes, core) {
    const pod = podOf(attributes);
    if (pod === undefined) return;
    const overhead = classOf(pod, attributes, core)?.overhead;
    const hasOverhead = Object.keys(pod.spec.overhead ?? {}).length > 0;
    if (overhead === undefined && hasOverhead) {
      throw refusal(
        attributes,
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
      );
    }
    if (overhead !== undefined && !sameAmounts(overhead.podFixed, pod.spec.overhead)) {
      throw refusal(attributes, OTHER_OVERHEAD);
    }
  },
};

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function podOf({ served, subresource, object }: AdmissionAttributes): Pod | undefined {
  if (served.group !== "" || served.resource !== "pods" || subresource !== "") return undefined;
  return object as unknown as Pod | undefined; // Decoded as a Pod.
}

function classOf(pod: Pod, attributes: AdmissionAttributes, core: ApiServerCore): RuntimeClass | undefined {
  const name = pod.spec.runtimeClassName ?? "";
  if (name === "") return undefined;
  const found = findObject<RuntimeClass>(core, CLASSES, name);
  if (found === undefined)
    throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function setOverhead(pod: Pod, { overhead }: RuntimeClass, attributes: AdmissionAttributes): void {
  if (overhead === undefined) return;
  const given = pod.spec.overhead ?? {};
  if (Object.keys(given).length > 0 && !sameAmounts(overhead.podFixed, given)) {
    throw refusal(attributes, OTHER_OVERHEAD);
  }
  if (overhead.podFixed === undefined) delete pod.spec.overhead;
  else pod.spec.overhead = cloneJson(overhead.podFixed);
}

function setScheduling(pod: Pod, { scheduling }: RuntimeClass, attributes: AdmissionAttributes): void {
  if (scheduling === undefined) return;
  const selector = { ...pod.spec.nodeSelector };
  for (const [key, wanted] of Object.entries(scheduling.nodeSelector ?? {})) {
    const given = Object.hasOwn(selector, key) ? selector[key] : undefined;
    if (given !== undefined && given !== wanted) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted}; pod.spec.nodeSelector[${key}] = ${given}`;
      throw refusal(attributes, why);
    }
    selector[key] = wanted;
  }
  if (Object.keys(selector).length > 0) pod.spec.nodeSelector = selector;
  const tolerations = mergeTolerations(pod.spec.tolerations ?? [], cloneJson(scheduling.tolerations ?? []));
  if (tolerations.length > 0) pod.spec.tolerations = tolerations;
}

type Amounts = Readonly<Record<string, string>> | undefined;

function sameAmounts(a: Amounts = {}, b: Amounts = {}): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => {
    const [left, right] = [a[name], b[name]];
    return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
  });
}
