import {
  applyRule,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  type ResourceDefinition,
  required,
  tooLong,
  validateImmutable,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { validateDriverName } from "../../core/persistentvolume/volume-sources.ts";
import type { VolumeAttachment } from "../../generated/storage-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** That a volume should be attached to a node, and whether it is. */
export const volumeAttachments: ResourceDefinition<VolumeAttachment> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  resource: "volumeattachments",
  singular: "volumeattachment",
  listKind: "VolumeAttachmentList",
  namespaced: false,
  schema: builtinSchema("storage.v1.VolumeAttachment"),
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: (attachment) => {
      attachment.status = { attached: false };
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? { attached: false };
    },
    validate: validateVolumeAttachment,
    validateUpdate: (updated, old) => [
      ...validateVolumeAttachment(updated),
      ...validateImmutable(updated.spec, old.spec, "spec"),
    ],
  },
  status: {},
  columns: columnsFor<VolumeAttachment>("volumeattachments", [
    nameColumn,
    { ...text<VolumeAttachment>("Attacher", ({ spec }) => spec.attacher), format: "name" },
    text("PV", ({ spec }) => spec.source.persistentVolumeName ?? ""),
    text("Node", ({ spec }) => spec.nodeName),
    { name: "Attached", type: "boolean", cell: ({ status }) => status?.attached ?? false },
    ageColumn,
  ]),
};

const MAX_MESSAGE = 1024;

/** Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateVolumeAttachment. */
function validateVolumeAttachment({ spec, status }: VolumeAttachment): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.attacher === "") errors.push(required("spec.attacher"));
  errors.push(...validateDriverName(spec.attacher, "spec.attacher"));
  const { persistentVolumeName, inlineVolumeSpec } = spec.source;
  if (persistentVolumeName === undefined && inlineVolumeSpec === undefined) {
    errors.push(
      required("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName"),
    );
  }
  if (persistentVolumeName !== undefined && inlineVolumeSpec !== undefined) {
    const why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    errors.push(forbiddenField("spec.source", why));
  }
  if (persistentVolumeName === "")
    errors.push(required("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName"));
  errors.push(...applyRule(dnsSubdomain, spec.nodeName, "spec.nodeName"));
  for (const field of ["attachError", "detachError"] as const) {
    if ((status?.[field]?.message ?? "").length > MAX_MESSAGE) {
      errors.push(tooLong(`status.${field}.message`, MAX_MESSAGE));
    }
  }
  return errors;
}
