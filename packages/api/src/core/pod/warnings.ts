import { dnsLabel, type KubeObject, type ObjectMeta, quantityToMillis } from "@binnacle/apimachinery";
import type {
  Container,
  ContainerPort,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  PodSpec,
  PodTemplateSpec,
  Volume,
} from "../../generated/core-v1.generated.ts";
import { containersWithPaths } from "./containers.ts";
import { APP_ARMOR_ANNOTATION } from "./validate-annotations.ts";

/** Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, WarningsOnCreate. */
export function warningsForPod(pod: Pod): string[] {
  return [
    ...nameWarnings(pod.metadata.name ?? "", "the Pod's hostname"),
    ...warningsFor(pod.spec, pod.metadata, ""),
  ];
}

/** Source: kubernetes v1.36 pkg/api/pod/warnings.go, GetWarningsForPodTemplate. */
export function warningsForPodTemplate(template: PodTemplateSpec | undefined, path: string): string[] {
  if (template?.spec === undefined) return [];
  return warningsFor(template.spec, template.metadata ?? {}, `${path}.`);
}

/** Pods get their names from that of their owner. */
export function warningsForPodNames(name: string): string[] {
  return nameWarnings(name, "Pod names and hostnames");
}

function nameWarnings(name: string, use: string): string[] {
  const problems = dnsLabel(name);
  if (problems.length === 0) return [];
  const why = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
  return [`metadata.name: ${why}: [${problems.join(" ")}]`];
}

/** The template of a workload, when an update has changed something. */
export function warningsForTemplateUpdate(
  updated: KubeObject & { spec?: { template?: PodTemplateSpec } },
  old: KubeObject,
): string[] {
  if (updated.metadata.generation === old.metadata.generation) return [];
  return warningsForPodTemplate(updated.spec?.template, "spec.template");
}

/** `prefix` is empty for a pod and ends in a dot for a template. */
function warningsFor(spec: PodSpec, metadata: ObjectMeta, prefix: string): string[] {
  const at = `${prefix}spec`;
  return [
    ...nodeLabelWarnings(spec, at),
    ...annotationWarnings(metadata, prefix),
    ...(spec.volumes ?? []).flatMap((volume, i) => volumeWarnings(volume, `${at}.volumes[${i}]`)),
    ...tokenPathWarnings(spec, at),
    ...listWarnings(spec, at),
    ...seccompPodWarnings(spec, metadata, prefix),
    ...containersWithPaths(spec, at).flatMap(({ container, path }) =>
      containerWarnings(container, path, { spec, metadata, prefix }),
    ),
    ...portWarnings(spec, at),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec, `${at}.affinity`),
  ];
}

/** Source: kubernetes v1.36 pkg/api/node/util.go. */
const DEPRECATED_NODE_LABELS: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    "failure-domain.beta.kubernetes.io/region",
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    "failure-domain.beta.kubernetes.io/zone",
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    "beta.kubernetes.io/instance-type",
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
]);

function nodeLabelWarnings(spec: PodSpec, path: string): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const deprecated = DEPRECATED_NODE_LABELS.get(key);
    if (deprecated !== undefined) warnings.push(`${path}.nodeSelector[${key}]: ${deprecated}`);
  }
  const affinity = spec.affinity?.nodeAffinity;
  const at = `${path}.affinity.nodeAffinity`;
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  for (const [i, term] of (affinity?.[required]?.nodeSelectorTerms ?? []).entries()) {
    warnings.push(...termWarnings(term, `${at}.${required}.nodeSelectorTerms[${i}]`));
  }
  const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  for (const [i, { preference }] of (affinity?.[preferred] ?? []).entries()) {
    warnings.push(...termWarnings(preference ?? {}, `${at}.${preferred}[${i}].preference`));
  }
  for (const [i, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const where = `${path}.topologySpreadConstraints[${i}]`;
    const deprecated = DEPRECATED_NODE_LABELS.get(topologyKey);
    if (deprecated !== undefined) warnings.push(`${where}.topologyKey: ${topologyKey} is ${deprecated}`);
    if (labelSelector === undefined) warnings.push(`${where}.labelSelector: ${NO_SELECTOR}`);
  }
  return warnings;
}

const NO_SELECTOR = "a null labelSelector results in matching no pod";

function termWarnings({ matchExpressions = [] }: NodeSelectorTerm, path: string): string[] {
  return matchExpressions.flatMap(({ key }, i) => {
    const deprecated = DEPRECATED_NODE_LABELS.get(key);
    return deprecated === undefined ? [] : [`${path}.matchExpressions[${i}].key: ${key} is ${deprecated}`];
  });
}

const DEPRECATED_ANNOTATIONS: readonly (readonly [string, string])[] = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    "security.alpha.kubernetes.io/unsafe-sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];

function has(metadata: ObjectMeta, annotation: string): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, annotation);
}

function annotationWarnings(metadata: ObjectMeta, prefix: string): string[] {
  return DEPRECATED_ANNOTATIONS.flatMap(([name, why]) =>
    has(metadata, name) ? [`${prefix}metadata.annotations[${name}]: ${why}`] : [],
  );
}

const DEPRECATED_VOLUMES: readonly (readonly [keyof Volume, string, string?])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", ""],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

function volumeWarnings(volume: Volume, path: string): string[] {
  return DEPRECATED_VOLUMES.flatMap(([source, why, shown = source]) => {
    if (volume[source] === undefined) return [];
    if (source !== "ephemeral") return [`${path}.${shown}: ${why}`];
    const requests = volume.ephemeral?.volumeClaimTemplate?.spec?.resources?.requests;
    return fractionWarnings(
      requests,
      ["storage"],
      `${path}.ephemeral.volumeClaimTemplate.spec.resources.requests`,
    );
  });
}

function fractionWarnings(
  resources: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
  path: string,
): string[] {
  return names.flatMap((name) => {
    const amount = resources?.[name];
    if (amount === undefined || quantityToMillis(amount) % 1000n === 0n) return [];
    return [
      `${path}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
    ];
  });
}

/** A projected file that hides a token. The paths are upstream's. */
function tokenPathWarnings(spec: PodSpec, path: string): string[] {
  const volumes = spec.volumes ?? [];
  const tokens = new Set(
    volumes.flatMap(({ projected }) =>
      (projected?.sources ?? []).flatMap(({ serviceAccountToken }) =>
        serviceAccountToken === undefined ? [] : [serviceAccountToken.path],
      ),
    ),
  );
  if (tokens.size === 0) return [];
  const warnings: string[] = [];
  for (const [i, { projected }] of volumes.entries()) {
    const at = `${path}.volumes[${i}].projected.sources`;
    const check = (file: string | undefined, where: string): void => {
      if (file === undefined || !tokens.has(file)) return;
      warnings.push(`${where}: has duplicated path with ServiceAccountToken ${JSON.stringify(file)}`);
    };
    for (const { configMap, secret, downwardAPI, clusterTrustBundle } of projected?.sources ?? []) {
      for (const [j, item] of (configMap?.items ?? []).entries()) check(item.path, `${at}.configMap[${j}]`);
      for (const [j, item] of (secret?.items ?? []).entries()) check(item.path, `${at}.secrets[${j}]`);
      for (const [j, item] of (downwardAPI?.items ?? []).entries())
        check(item.path, `${at}.downwardAPI[${j}]`);
      check(clusterTrustBundle?.path, `${at}.ClusterTrustBundle`);
    }
  }
  return warnings;
}

function listWarnings(spec: PodSpec, path: string): string[] {
  const warnings: string[] = [];
  const addresses = new Set<string>();
  for (const [i, { ip }] of (spec.hostAliases ?? []).entries()) {
    if (addresses.has(ip)) warnings.push(`${path}.hostAliases[${i}].ip: duplicate ip ${JSON.stringify(ip)}`);
    addresses.add(ip);
  }
  const secrets = spec.imagePullSecrets ?? [];
  const names = new Set<string>();
  for (const [i, { name = "" }] of secrets.entries()) {
    if (names.has(name)) {
      warnings.push(`${path}.imagePullSecrets[${i}].name: duplicate name ${JSON.stringify(name)}`);
    }
    names.add(name);
  }
  for (const [i, { name }] of secrets.entries()) {
    if (!name) warnings.push(`${path}.imagePullSecrets[${i}].name: invalid empty name ""`);
  }
  return [
    ...warnings,
    ...fractionWarnings(spec.overhead, ["memory", "ephemeral-storage"], `${path}.overhead`),
  ];
}

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
const USE_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function seccompPodWarnings(spec: PodSpec, metadata: ObjectMeta, prefix: string): string[] {
  if (spec.securityContext?.seccompProfile !== undefined || !has(metadata, SECCOMP_POD)) return [];
  return [`${prefix}metadata.annotations[${SECCOMP_POD}]: ${USE_SECCOMP}`];
}

function containerWarnings(
  container: Container,
  path: string,
  { spec, metadata, prefix }: { spec: PodSpec; metadata: ObjectMeta; prefix: string },
): string[] {
  const warnings: string[] = [];
  const context = container.securityContext;
  const seccomp = `${SECCOMP_CONTAINER}${container.name}`;
  if (context?.seccompProfile === undefined && has(metadata, seccomp)) {
    warnings.push(`${prefix}metadata.annotations[${seccomp}]: ${USE_SECCOMP}`);
  }
  const appArmor = `${APP_ARMOR_ANNOTATION}${container.name}`;
  const hasProfile = (context?.appArmorProfile ?? spec.securityContext?.appArmorProfile) !== undefined;
  if (prefix !== "" && !hasProfile && has(metadata, appArmor)) {
    const why = 'deprecated since v1.30; use the "appArmorProfile" field instead';
    warnings.push(`${prefix}metadata.annotations[${appArmor}]: ${why}`);
  }
  const { limits, requests } = container.resources ?? {};
  for (const name of ["memory", "ephemeral-storage"]) {
    warnings.push(...fractionWarnings(limits, [name], `${path}.resources.limits`));
    warnings.push(...fractionWarnings(requests, [name], `${path}.resources.requests`));
  }
  return [...warnings, ...variableWarnings(container, path)];
}

/** A second definition is fine as long as it builds on the first. */
function variableWarnings({ env = [] }: Container, path: string): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name, value = "", valueFrom }, i) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return [];
    const shown = JSON.stringify(name);
    return [
      `${path}.env[${i}]: hides previous definition of ${shown}, which may be dropped when using apply`,
    ];
  });
}

function portWarnings(spec: PodSpec, path: string): string[] {
  const warnings: string[] = [];
  const known = new Map<string, { path: string; port: ContainerPort }[]>();
  for (const { container, path: of } of containersWithPaths(spec, path)) {
    for (const [i, port] of (container.ports ?? []).entries()) {
      const at = `${of}.ports[${i}]`;
      const hostIp = port.hostIP ?? "";
      const hostPort = port.hostPort ?? 0;
      if (hostIp !== "" && hostPort === 0) {
        // As Go prints the struct.
        const shown = `{Name:${port.name ?? ""} HostPort:0 ContainerPort:${port.containerPort} Protocol:${port.protocol ?? ""} HostIP:${hostIp}}`;
        warnings.push(`${at}: hostIP set without hostPort: ${shown}`);
      }
      const key = `${port.containerPort}/${port.protocol}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const otherIp = other.port.hostIP ?? "";
        const otherPort = other.port.hostPort ?? 0;
        if (hostIp === otherIp && hostPort === otherPort) {
          warnings.push(`${at}: duplicate port definition with ${other.path}`);
        } else if (hostPort === 0 || otherPort === 0) {
          warnings.push(`${at}: overlapping port definition with ${other.path}`);
        } else if (hostPort === otherPort && (hostIp === "") !== (otherIp === "")) {
          warnings.push(`${at}: dangerously ambiguous port definition with ${other.path}`);
        }
      }
      known.set(key, [...others, { path: at, port }]);
    }
  }
  return warnings;
}

function affinityWarnings({ affinity }: PodSpec, path: string): string[] {
  const warnings: string[] = [];
  const check = (term: PodAffinityTerm | undefined, at: string): void => {
    if (term?.labelSelector === undefined) warnings.push(`${at}.labelSelector: ${NO_SELECTOR}`);
  };
  for (const kind of ["podAffinity", "podAntiAffinity"] as const) {
    const required = "requiredDuringSchedulingIgnoredDuringExecution";
    for (const [i, term] of (affinity?.[kind]?.[required] ?? []).entries()) {
      check(term, `${path}.${kind}.${required}[${i}]`);
    }
    const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    for (const [i, { podAffinityTerm }] of (affinity?.[kind]?.[preferred] ?? []).entries()) {
      check(podAffinityTerm, `${path}.${kind}.${preferred}[${i}].podAffinityTerm`);
    }
  }
  return warnings;
}
