import type { QuotaUsage, ResourceQuota } from "@binnacle/api";
import type { UnstructuredObject } from "@binnacle/apimachinery";
import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  type ApiServerCore,
  encodeForStore,
  objectOf,
  ownedBy,
  type ServedResource,
  type WriteOptions,
} from "@binnacle/apiserver";
import type { Entry, Write } from "@binnacle/storage";
import { refusal } from "../refusal.ts";
import { type ChargedWrite, chargedUse, costOf, exceededBy, requestedOf } from "./charge.ts";

/**
 * Charges quotas for what a write uses, in one transaction with the write: however many objects are created at once,
 * their namespace never uses more than its quota.
 *
 * Differs from upstream: it charges first and writes then, and waits for the quota controller to give back what a
 * failed write was charged.
 *
 * Source: kubernetes v1.36 apiserver/pkg/admission/plugin/resourcequota/{admission,controller}.go.
 */
export const resourceQuota: AdmissionPlugin = {
  name: "ResourceQuota",
  operations: ["CREATE", "UPDATE"],
  accompany(attributes, core) {
    const { served, namespace, object, oldObject } = attributes;
    if (namespace === "" || object === undefined || !isCharged(attributes)) return NOTHING;
    const quotas = core.registry.findHub("", "resourcequotas");
    if (quotas === undefined) return NOTHING;
    const { entries } = core.storage.range({ prefix: `${quotas.keyPrefix}${namespace}/` });
    if (entries.length === 0) return NOTHING;
    const { group, resource } = served.definition;
    const write: ChargedWrite = { resource: { group, resource }, object, old: oldObject };
    const cost = costOf(write, core.clock.now());
    return entries.flatMap((entry) => {
      const quota = objectOf<ResourceQuota>(entry);
      const requested = requestedOf(quota, write, cost);
      if ("refusal" in requested) throw refusal(attributes, requested.refusal);
      if (requested.size === 0) return [];
      const excess = exceededBy(quota, requested);
      if (excess !== undefined) throw refusal(attributes, excess);
      return [chargeOf(core, quotas, entry, requested)];
    });
  },
};

const NOTHING: readonly Write[] = [];
/** Resources whose updates can use more. */
const GROWING: ReadonlySet<string> = new Set(["services", "persistentvolumeclaims"]);
/** Source: pkg/quota/v1/install/registry.go, DefaultIgnoredResources. */
const IGNORED_GROUPS: ReadonlySet<string> = new Set(["", "events.k8s.io"]);
/** How upstream's own client signs. */
const OPTIONS: WriteOptions = {
  isDryRun: false,
  fieldManager: "kube-apiserver",
  fieldValidation: "Ignore",
  isForced: false,
};

function isCharged({ operation, served, subresource }: AdmissionAttributes): boolean {
  const { group, resource } = served.definition;
  if (resource === "events" && IGNORED_GROUPS.has(group)) return false;
  if (subresource !== "") return group === "" && resource === "pods" && subresource === "resize";
  return operation === "CREATE" || (group === "" && GROWING.has(resource));
}

/** The write that adds to the quota's use, decided on what the quota says when it is this write's turn. */
function chargeOf(core: ApiServerCore, quotas: ServedResource, stored: Entry, requested: QuotaUsage): Write {
  let charged: UnstructuredObject | undefined;
  return {
    key: stored.key,
    kind: "put",
    admits(current) {
      if (current === undefined) return false;
      const quota = objectOf<ResourceQuota>(current);
      const hasSameLimits = quota.metadata.uid === objectOf(stored).metadata.uid;
      if (!hasSameLimits || exceededBy(quota, requested) !== undefined) return false;
      charged = charge(core, quotas, current, requested);
      return true;
    },
    encode(revision) {
      if (charged === undefined) throw new Error("a charge was encoded before it was admitted");
      return encodeForStore(charged, revision);
    },
  };
}

function charge(
  core: ApiServerCore,
  quotas: ServedResource,
  current: Entry,
  requested: QuotaUsage,
): UnstructuredObject {
  const old = objectOf<ResourceQuota>(current);
  const status = { ...old.status, used: chargedUse(old, requested) };
  const updated = { ...objectOf(current), metadata: { ...old.metadata }, status };
  return ownedBy(core, quotas, "status", OPTIONS, updated, current);
}
