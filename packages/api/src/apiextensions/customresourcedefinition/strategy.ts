import type { CustomResourceDefinition } from "../../generated/apiextensions-v1.generated.ts";

/** Source: kubernetes v1.36 apiextensions-apiserver/pkg/apis/apiextensions/v1/defaults.go. */
export function setCrdDefaults(crd: CustomResourceDefinition): void {
  const { names, versions } = crd.spec;
  if (!names.singular) names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  crd.spec.conversion ??= { strategy: "None" };
  const service = crd.spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  crd.status ??= {};
  if ((crd.status.storedVersions ?? []).length > 0) return;
  const stored = versions?.find(({ storage }) => storage);
  if (stored !== undefined) crd.status.storedVersions = [stored.name];
}

/** Source: kubernetes v1.36 apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go, PrepareForCreate. */
export function prepareCrdForCreate(crd: CustomResourceDefinition): void {
  crd.status = {};
  addStoredVersion(crd);
}

/** Source: strategy.go, PrepareForUpdate. */
export function prepareCrdForUpdate(updated: CustomResourceDefinition, old: CustomResourceDefinition): void {
  updated.status = { ...old.status };
  addStoredVersion(updated);
}

function addStoredVersion({ spec, status }: CustomResourceDefinition): void {
  const stored = spec.versions?.find(({ storage }) => storage);
  if (status === undefined || stored === undefined) return;
  const versions = status.storedVersions ?? [];
  if (!versions.includes(stored.name)) status.storedVersions = [...versions, stored.name];
}
