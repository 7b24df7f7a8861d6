import type { Container, Namespace, Pod, PodTemplateSpec } from "@binnacle/api";
import { invalidObject } from "@binnacle/apimachinery";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { jsonEquals } from "@binnacle/base";
import { findObject, listObjects } from "../lookup.ts";
import { refusal } from "../refusal.ts";
import type { CheckedPod } from "./check.ts";
import { evaluate, formatDetails, formatReasons } from "./evaluate.ts";
import { compareLevels, formatLevelVersion, type LevelVersion, type Policy, policyOf } from "./policy.ts";

/**
 * Keeps pods to the Pod Security Standards that the labels of their namespace name, warns of workloads whose pods will
 * not meet them, and of pods that do not meet new ones.
 *
 * Source: kubernetes v1.36 pod-security-admission/admission/admission.go.
 */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  operations: ["CREATE", "UPDATE"],
  validate(attributes, core) {
    const { group, resource } = attributes.served.definition;
    if (attributes.object === undefined) return;
    if (group === "" && resource === "namespaces") validateNamespace(attributes, core);
    else if (group === "" && resource === "pods") validatePod(attributes, core);
    else {
      const templateOf = TEMPLATES[`${group}/${resource}`];
      if (templateOf !== undefined && attributes.subresource === "")
        warnOfWorkload(attributes, core, templateOf);
    }
  },
};

/** Subresources that do not change what a pod runs. */
const HARMLESS: ReadonlySet<string> = new Set(["binding", "eviction", "status"]);

function validatePod(attributes: AdmissionAttributes, core: ApiServerCore): void {
  if (HARMLESS.has(attributes.subresource)) return;
  const policy = policyFor(attributes, core);
  if (policy === undefined) return;
  const pod = attributes.object as unknown as Pod; // Pods' own subresources but the harmless ones hold pods.
  const old = attributes.oldObject as unknown as Pod | undefined;
  if (old !== undefined && !changesContainers(pod, old)) return;
  const violations = evaluate(pod, policy.enforce);
  if (violations.length > 0) {
    throw refusal(
      attributes,
      `violates PodSecurity "${formatLevelVersion(policy.enforce)}": ${formatDetails(violations)}`,
    );
  }
  warn(attributes, pod, policy.warn);
}

type TemplateOf = (object: unknown) => PodTemplateSpec | undefined;

// Each is asked about objects of its own resource alone.
const ofSpec: TemplateOf = (object) => (object as { spec?: { template?: PodTemplateSpec } }).spec?.template;
const TEMPLATES: Readonly<Record<string, TemplateOf>> = {
  "/podtemplates": (object) => (object as { template?: PodTemplateSpec }).template,
  "/replicationcontrollers": ofSpec,
  "apps/daemonsets": ofSpec,
  "apps/deployments": ofSpec,
  "apps/replicasets": ofSpec,
  "apps/statefulsets": ofSpec,
  "batch/cronjobs": (object) =>
    ofSpec((object as { spec?: { jobTemplate?: unknown } }).spec?.jobTemplate ?? {}),
  "batch/jobs": ofSpec,
};

function warnOfWorkload(attributes: AdmissionAttributes, core: ApiServerCore, templateOf: TemplateOf): void {
  const policy = policyFor(attributes, core);
  if (policy === undefined || policy.warn.level === "privileged") return;
  const template = templateOf(attributes.object);
  if (template?.spec === undefined) return;
  warn(attributes, { metadata: template.metadata ?? {}, spec: template.spec }, policy.warn);
}

function warn(attributes: AdmissionAttributes, pod: CheckedPod, level: LevelVersion): void {
  const violations = evaluate(pod, level);
  if (violations.length === 0) return;
  attributes.addWarning(
    `would violate PodSecurity "${formatLevelVersion(level)}": ${formatDetails(violations)}`,
  );
}

/** The policy of the object's namespace; undefined when it demands nothing. */
function policyFor({ namespace }: AdmissionAttributes, core: ApiServerCore): Policy | undefined {
  const home = findObject<Namespace>(core, NAMESPACES, namespace);
  const { policy } = policyOf(home?.metadata.labels);
  const isFree = policy.enforce.level === "privileged" && policy.warn.level === "privileged";
  return isFree ? undefined : policy;
}

const NAMESPACES = { group: "", resource: "namespaces" };
const PODS = { group: "", resource: "pods" };
/** Source: admission.go, defaultNamespaceMaxPodsToCheck. */
const MAX_CHECKED_PODS = 3_000;

function validateNamespace(attributes: AdmissionAttributes, core: ApiServerCore): void {
  const { object, oldObject, subresource, name, addWarning } = attributes;
  if (subresource !== "" || object === undefined) return;
  const { policy, errors } = policyOf(object.metadata.labels);
  const old = oldObject === undefined ? undefined : policyOf(oldObject.metadata.labels);
  // Bad labels from before may stay as they are.
  if (errors.length > 0 && (old === undefined || !jsonEquals(errors, old.errors))) {
    throw invalidObject({ group: "", kind: "Namespace" }, name, errors);
  }
  if (old === undefined || !isStricter(policy.enforce, old.policy.enforce)) return;
  for (const text of warningsOfExistingPods(listObjects<Pod>(core, PODS, name), name, policy.enforce))
    addWarning(text);
}

function isStricter(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === "privileged") return false;
  return now.minor !== before.minor || compareLevels(now.level, before.level) > 0;
}

/** One warning for all pods with the same problems, under the first of their names. */
export function warningsOfExistingPods(
  pods: readonly Pod[],
  namespace: string,
  enforce: LevelVersion,
): readonly string[] {
  const checked = oneOfEachOwnerFirst(pods).slice(0, MAX_CHECKED_PODS);
  const names = new Map<string, string[]>();
  for (const pod of checked) {
    const violations = evaluate(pod, enforce);
    if (violations.length === 0) continue;
    const reasons = formatReasons(violations);
    names.set(reasons, [...(names.get(reasons) ?? []), pod.metadata.name ?? ""]);
  }
  const warnings: string[] = [];
  if (checked.length < pods.length) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
    );
  }
  if (names.size > 0) {
    warnings.push(
      `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level "${formatLevelVersion(enforce)}"`,
    );
  }
  const perReason = [...names].map(([reasons, [...all]]) => {
    const [first = "", ...others] = all.sort();
    const rest = others.length === 1 ? " (and 1 other pod)" : ` (and ${others.length} other pods)`;
    return `${first}${others.length === 0 ? "" : rest}: ${reasons}`;
  });
  return [...warnings, ...perReason.sort()];
}

function oneOfEachOwnerFirst(pods: readonly Pod[]): Pod[] {
  const seen = new Set<string>();
  const first: Pod[] = [];
  const further: Pod[] = [];
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner !== undefined && seen.has(owner.uid)) further.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner.uid);
  }
  return [...first, ...further];
}

/** Updates that leave containers and their images alone are always allowed. */
function changesContainers({ spec }: Pod, { spec: old }: Pod): boolean {
  const isOther = (now: readonly Container[] = [], before: readonly Container[] = []): boolean =>
    now.length !== before.length || now.some(({ image }, i) => image !== before[i]?.image);
  if (isOther(spec.containers, old.containers) || isOther(spec.initContainers, old.initContainers))
    return true;
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => {
    const before = old.ephemeralContainers?.find((each) => each.name === name);
    return before === undefined || before.image !== image;
  });
}
