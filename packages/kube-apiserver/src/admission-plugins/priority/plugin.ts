import type { Pod, PriorityClass } from "@binnacle/api";
import { forbidden } from "@binnacle/apimachinery";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { findObject, listObjects } from "../lookup.ts";
import { refusal } from "../refusal.ts";

const CLASSES = { group: "scheduling.k8s.io", resource: "priorityclasses" };

/**
 * Turns a pod's priority class into its priority, and keeps the default class the only one.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/priority/admission.go.
 */
export const priority: AdmissionPlugin = {
  name: "Priority",
  operations: ["CREATE", "UPDATE", "DELETE"],
  mutate(attributes, core) {
    const { served, subresource, object, operation } = attributes;
    if (served.group !== "" || served.resource !== "pods" || subresource !== "" || object === undefined)
      return;
    if (operation === "CREATE")
      setPriority(object as unknown as Pod, attributes, core); // Decoded as a Pod.
    else keepPriority(object as unknown as Pod, attributes.oldObject as unknown as Pod);
  },
  validate(attributes, core) {
    const { served, operation, object, name } = attributes;
    if (served.resource !== CLASSES.resource || served.group !== CLASSES.group || operation === "DELETE")
      return;
    const added = object as unknown as PriorityClass; // Decoded as a PriorityClass.
    if (added.globalDefault !== true) return;
    const other = listObjects<PriorityClass>(core, CLASSES).find(
      (each) => each.globalDefault === true && each.metadata.name !== name,
    );
    if (other === undefined) return;
    throw forbidden(
      CLASSES,
      name,
      `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
    );
  },
};

function setPriority(pod: Pod, attributes: AdmissionAttributes, core: ApiServerCore): void {
  const { spec } = pod;
  let name = spec.priorityClassName ?? "";
  let chosen: PriorityClass | undefined;
  if (name === "") {
    chosen = defaultClass(core);
    name = chosen?.metadata.name ?? "";
  } else {
    chosen = findObject<PriorityClass>(core, CLASSES, name);
    if (chosen === undefined) {
      throw refusal(attributes, `no PriorityClass with name ${name} was found`);
    }
  }
  const value = chosen?.value ?? 0;
  const policy = chosen?.preemptionPolicy ?? "PreemptLowerPriority";
  if (spec.priority !== undefined && spec.priority !== value) {
    throw refusal(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw refusal(
      attributes,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  if (name !== "") spec.priorityClassName = name;
  spec.priority = value;
  spec.preemptionPolicy = policy;
}

/** An update that leaves the priority out keeps it. */
function keepPriority(pod: Pod, old: Pod): void {
  if (pod.spec.priority === undefined && old.spec.priority !== undefined)
    pod.spec.priority = old.spec.priority;
  if (pod.spec.preemptionPolicy === undefined && old.spec.preemptionPolicy !== undefined) {
    pod.spec.preemptionPolicy = old.spec.preemptionPolicy;
  }
}

/** The lowest of the classes marked as default. */
function defaultClass(core: ApiServerCore): PriorityClass | undefined {
  return listObjects<PriorityClass>(core, CLASSES)
    .filter((each) => each.globalDefault === true)
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}
