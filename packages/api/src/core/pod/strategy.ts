import { jsonEquals } from "@binnacle/base";
import type { Pod, PodAffinityTerm, SecurityContext } from "../../generated/core-v1.generated.ts";
import type { LabelSelector } from "../../generated/meta-v1.generated.ts";
import { containersWithPaths } from "./containers.ts";
import { qosClassOf } from "./qos.ts";
import { APP_ARMOR_ANNOTATION } from "./validate-annotations.ts";
import { validateAppArmor } from "./validate-security.ts";

/** Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, PrepareForCreate. */
export function preparePodForCreate(pod: Pod): void {
  pod.status = { phase: "Pending", qosClass: qosClassOf(pod.spec) };
  if (pod.spec.schedulingGates?.length) {
    pod.status.conditions = [
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ];
  }
  selectByOwnLabels(pod);
  copyAppArmorAnnotations(pod);
}

/** Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, PrepareForUpdate. */
export function preparePodForUpdate(updated: Pod, old: Pod): void {
  if (old.status === undefined) delete updated.status;
  else updated.status = old.status;
}

/**
 * Turns `matchLabelKeys` and `mismatchLabelKeys` into conditions with the pod's own values.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, mutatePodAffinity, mutateTopologySpreadConstraints.
 */
function selectByOwnLabels({ metadata, spec }: Pod): void {
  const labels = metadata.labels ?? {};
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const terms: PodAffinityTerm[] = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
  for (const term of terms) {
    addConditions(term.labelSelector, term.matchLabelKeys, "In", labels);
    addConditions(term.labelSelector, term.mismatchLabelKeys, "NotIn", labels);
  }
  for (const constraint of spec.topologySpreadConstraints ?? []) {
    addConditions(constraint.labelSelector, constraint.matchLabelKeys, "In", labels);
  }
}

function addConditions(
  selector: LabelSelector | undefined,
  keys: readonly string[] | undefined,
  operator: "In" | "NotIn",
  labels: Readonly<Record<string, string>>,
): void {
  if (selector === undefined) return;
  for (const key of keys ?? []) {
    if (!Object.hasOwn(labels, key)) continue;
    selector.matchExpressions ??= [];
    selector.matchExpressions.push({ key, operator, values: [labels[key] ?? ""] });
  }
}

/** Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew. */
function copyAppArmorAnnotations({ metadata, spec }: Pod): void {
  if (spec.os?.name === "windows") return;
  for (const { container } of containersWithPaths(spec, "")) {
    const name = `${APP_ARMOR_ANNOTATION}${container.name}`;
    if (!Object.hasOwn(metadata.annotations ?? {}, name)) continue;
    if (container.securityContext?.appArmorProfile !== undefined) continue;
    const profile = profileOf(metadata.annotations?.[name] ?? "");
    if (profile === undefined || validateAppArmor(profile, "").length > 0) continue;
    if (jsonEquals(profile, spec.securityContext?.appArmorProfile)) continue;
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  }
}

function profileOf(annotation: string): SecurityContext["appArmorProfile"] {
  if (annotation === "" || annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (annotation === "unconfined") return { type: "Unconfined" };
  const prefix = "localhost/";
  if (!annotation.startsWith(prefix) || annotation === prefix) return undefined;
  return { type: "Localhost", localhostProfile: annotation.slice(prefix.length) };
}

/**
 * How long a pod gets to end once it is deleted: nothing is waited for where nothing runs.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, CheckGracefulDelete.
 */
export function podGracePeriodSeconds({ spec, status }: Pod, requested: number | undefined): number {
  if (!spec.nodeName || status?.phase === "Failed" || status?.phase === "Succeeded") return 0;
  const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

/** Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, ToSelectableFields. */
export function podSelectableFields({ spec, status }: Pod): Record<string, string> {
  return {
    "spec.nodeName": spec.nodeName ?? "",
    "spec.restartPolicy": spec.restartPolicy ?? "",
    "spec.schedulerName": spec.schedulerName ?? "",
    "spec.serviceAccountName": spec.serviceAccountName ?? "",
    "spec.hostNetwork": String(spec.hostNetwork === true),
    "status.phase": status?.phase ?? "",
    "status.podIP": status?.podIPs?.[0]?.ip ?? "",
    "status.nominatedNodeName": status?.nominatedNodeName ?? "",
  };
}

/** The names of {@link podSelectableFields}. */
export const POD_SELECTABLE_FIELDS: readonly string[] = [
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "spec.hostNetwork",
  "status.phase",
  "status.podIP",
  "status.nominatedNodeName",
];
