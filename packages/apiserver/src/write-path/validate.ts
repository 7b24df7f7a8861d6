import {
  type FieldError,
  invalidObject,
  type KubeObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@binnacle/apimachinery";
import { addWarning } from "../request/request-context.ts";
import type { WriteContext } from "./write-context.ts";

/** Metadata and the kind's own rules: throws 422 with every error at once, and collects the kind's warnings. */
export function validate(write: WriteContext): void {
  const errors = write.old === undefined ? validateCreate(write) : validateUpdate(write, write.old.object);
  const { definition } = write.served;
  if (errors.length > 0) {
    const name = write.name === "" ? (write.object.metadata.name ?? "") : write.name;
    throw invalidObject(definition, name, errors);
  }
  const { strategy } = definition;
  const object = write.object as KubeObject; // Decoded by this definition.
  const warnings =
    write.old === undefined ? strategy.warningsOnCreate?.(object) : warningsOfUpdate(write, write.old.object);
  for (const warning of warnings ?? []) addWarning(write.request, warning);
  strategy.canonicalize?.(object);
}

function warningsOfUpdate(write: WriteContext, old: KubeObject): string[] | undefined {
  const { definition } = write.served;
  if (write.subresource === "status") return definition.status?.warningsOnUpdate?.(write.object, old);
  if (write.subresource !== "") return undefined;
  return definition.strategy.warningsOnUpdate?.(write.object, old);
}

function validateCreate(write: WriteContext): FieldError[] {
  const { strategy } = write.served.definition;
  const object = write.object as KubeObject;
  const own = strategy.validate?.(object) ?? [];
  return [...wholeMetadata(write), ...own, ...(write.served.conversion?.validate?.(object) ?? [])];
}

function wholeMetadata({ object, served }: WriteContext): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced: served.namespaced,
    nameFormat: served.definition.strategy.nameFormat ?? "dnsSubdomain",
  });
}

/**
 * Metadata is checked for every kind alike, and then by the kind, so that one mistake has several equal causes.
 *
 * Source: kubernetes v1.36 apiserver/pkg/registry/rest/update.go, BeforeUpdate, as recorded.
 */
function validateUpdate(write: WriteContext, old: KubeObject): FieldError[] {
  const { definition, namespaced } = write.served;
  const object = write.object as KubeObject;
  const change = validateObjectMetaUpdate(object.metadata, old.metadata, "metadata");
  const meta = [
    ...validateObjectMeta(object.metadata, { namespaced, nameFormat: "path", standardFinalizersOnly: false }),
    ...change,
    ...change,
  ];
  if (write.subresource === "status")
    return [...meta, ...(definition.status?.validateUpdate?.(object, old) ?? [])];
  // What other subresources change (bindings, scale, finalizers) they check themselves.
  if (write.subresource !== "") return meta;
  const { strategy } = definition;
  const repeated = strategy.repeatsMetadataChecks === true ? wholeMetadata(write) : [];
  const own = strategy.validateUpdate?.(object, old) ?? strategy.validate?.(object) ?? [];
  return [...meta, ...repeated, ...own, ...(write.served.conversion?.validateUpdate?.(object, old) ?? [])];
}
