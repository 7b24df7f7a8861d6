import { jsonEquals } from "@binnacle/base";
import type { DaemonSet } from "../../generated/apps-v1.generated.ts";

/** Where the number of the template is kept for those who knew it as a field. */
export const TEMPLATE_GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";

/**
 * Source: kubernetes v1.36 pkg/registry/apps/daemonset/strategy.go, PrepareForCreate, and pkg/apis/apps/v1/conversion.go,
 * Convert_apps_DaemonSet_To_v1_DaemonSet.
 */
export function prepareDaemonSetForCreate(daemonSet: DaemonSet): void {
  daemonSet.status = {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  };
  setTemplateGeneration(daemonSet, Math.max(1, templateGeneration(daemonSet)));
}

/** The server alone counts templates. Source: strategy.go, PrepareForUpdate. */
export function prepareDaemonSetForUpdate(updated: DaemonSet, old: DaemonSet): void {
  const changed = !jsonEquals(updated.spec.template, old.spec.template);
  setTemplateGeneration(updated, templateGeneration(old) + (changed ? 1 : 0));
}

/** The annotation is there whatever the client says, so who writes a DaemonSet owns it. */
export function setTemplateGenerationDefault(daemonSet: DaemonSet): void {
  setTemplateGeneration(daemonSet, templateGeneration(daemonSet));
}

function templateGeneration({ metadata }: DaemonSet): number {
  const { annotations } = metadata;
  if (!Object.hasOwn(annotations ?? {}, TEMPLATE_GENERATION_ANNOTATION)) return 0;
  const text = annotations?.[TEMPLATE_GENERATION_ANNOTATION] ?? "";
  return /^-?\d+$/.test(text) ? Number(text) : 0;
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION_ANNOTATION]: String(generation) };
}
