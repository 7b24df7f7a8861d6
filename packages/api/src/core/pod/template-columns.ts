import {
  formatLabelSelector,
  type KubeObject,
  labelSelectorFromObject,
  StatusError,
} from "@binnacle/apimachinery";
import type { ColumnDraft } from "../../column-builders.ts";
import type { Container, PodTemplateSpec } from "../../generated/core-v1.generated.ts";
import type { LabelSelector } from "../../generated/meta-v1.generated.ts";

/**
 * The columns with names and images of the containers of a template.
 *
 * Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, layoutContainerCells.
 */
export function containerColumns<T extends KubeObject>(
  templateOf: (object: T) => PodTemplateSpec | undefined,
  priority: 0 | 1,
): [ColumnDraft<T>, ColumnDraft<T>] {
  const join = (object: T, field: "name" | "image"): string => {
    const containers: readonly Container[] = templateOf(object)?.spec?.containers ?? [];
    return containers.map((container) => container[field] ?? "").join(",");
  };
  const common = { type: "string", ...(priority === 0 ? {} : { priority }) } as const;
  return [
    { ...common, name: "Containers", cell: (object) => join(object, "name") },
    { ...common, name: "Images", cell: (object) => join(object, "image") },
  ];
}

/** A selector as text, `<none>` when it is missing. Source: apimachinery/pkg/apis/meta/v1/helpers.go, FormatLabelSelector. */
export function formatSelector(selector: LabelSelector | null | undefined): string {
  if (selector === undefined || selector === null) return "<none>";
  try {
    return formatLabelSelector(labelSelectorFromObject(selector)) || "<none>";
  } catch (error) {
    if (error instanceof StatusError) return "<error>";
    throw error;
  }
}
