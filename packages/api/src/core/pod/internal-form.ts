import { goForm, sortMaps } from "@binnacle/apimachinery";
import type { PodSpec, PodTemplateSpec } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** The fields of the server's own PodSpec, in its order. */
const FIELDS: readonly string[] = [
  ...["Volumes", "InitContainers", "Containers", "EphemeralContainers", "RestartPolicy"],
  ...["TerminationGracePeriodSeconds", "ActiveDeadlineSeconds", "DNSPolicy", "NodeSelector"],
  ...["ServiceAccountName", "AutomountServiceAccountToken", "NodeName", "SecurityContext"],
  ...["ImagePullSecrets", "Hostname", "Subdomain", "SetHostnameAsFQDN", "Affinity", "SchedulerName"],
  ...["Tolerations", "HostAliases", "PriorityClassName", "Priority", "PreemptionPolicy", "DNSConfig"],
  ...["ReadinessGates", "RuntimeClassName", "Overhead", "EnableServiceLinks", "TopologySpreadConstraints"],
  ...["OS", "SchedulingGates", "ResourceClaims", "Resources", "HostnameOverride", "SchedulingGroup"],
];
/** The security context of the server's own PodSpec starts with these. */
const SECURITY_FIELDS: readonly string[] = [
  ...["HostNetwork", "HostPID", "HostIPC", "ShareProcessNamespace", "HostUsers"],
];

/**
 * A pod spec as the server's own Go type prints it, which some messages show: fields in Go's spelling, all of them,
 * and the host's namespaces in the security context.
 *
 * Source: kubernetes v1.36 pkg/apis/core/types.go, PodSpec.
 */
export function internalPodSpec(spec: PodSpec): object {
  const form = goForm(builtinSchema("core.v1.PodSpec"), spec) as Record<string, unknown>; // A struct gives an object.
  const context = form["SecurityContext"] as object | null; // As above.
  const own = Object.fromEntries(SECURITY_FIELDS.map((field) => [field, form[field]]));
  form["SecurityContext"] =
    context === null ? null : { ...own, ...withFieldAfter(context, "Sysctls", "FSGroupChangePolicy") };
  if (Array.isArray(form["Volumes"])) {
    form["Volumes"] = form["Volumes"].map((volume) => withFieldAfter(volume, "Quobyte", "RBD"));
  }
  return Object.fromEntries(FIELDS.map((field) => [field, form[field] ?? null]));
}

/** Metadata is spread over the template itself, as Go prints embedded types. */
export function internalPodTemplate(template: PodTemplateSpec): object {
  const metadata = sortMaps(builtinSchema("meta.v1.ObjectMeta"), template.metadata) as object | undefined; // As above.
  return { ...metadata, Spec: internalPodSpec(template.spec ?? ({} as PodSpec)) };
}

/** The server's own types have a few fields in other places than the API's. */
function withFieldAfter(struct: object, moved: string, before: string): object {
  const { [moved]: value, ...rest } = struct as Readonly<Record<string, unknown>>; // Read by name only.
  const entries = Object.entries(rest).flatMap(([name, own]) =>
    name === before
      ? [
          [name, own],
          [moved, value],
        ]
      : [[name, own]],
  );
  return Object.fromEntries(entries);
}
