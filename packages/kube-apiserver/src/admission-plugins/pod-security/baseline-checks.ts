/**
 * The level `baseline`: no known way to gain privileges.
 *
 * Source: kubernetes v1.36 pod-security-admission/policy/check_*.go.
 */
import type { Container, LifecycleHandler, Probe, SELinuxOptions } from "@binnacle/api";
import {
  type Check,
  type CheckedPod,
  type CheckPod,
  containerList,
  containersOf,
  distinct,
  namesOf,
  plural,
  quoted,
  setters,
} from "./check.ts";

const APP_ARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
const SECCOMP_POD_ANNOTATION = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER_ANNOTATION = "container.seccomp.security.alpha.kubernetes.io/";
/** Types of AppArmor and seccomp profiles that confine. */
const CONFINING: ReadonlySet<string> = new Set(["RuntimeDefault", "Localhost"]);

const appArmorProfile: CheckPod = (pod) => {
  const isBad = (profile: { type: string } | undefined): boolean =>
    profile !== undefined && !CONFINING.has(profile.type);
  const podProfile = pod.spec.securityContext?.appArmorProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.appArmorProfile));
  const types = bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? "");
  if (podProfile !== undefined && isBad(podProfile)) types.push(podProfile.type);
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([name, value]) => name.startsWith(APP_ARMOR_ANNOTATION) && !isConfiningAppArmor(value))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const values = [...distinct(types), ...distinct(annotations)];
  if (values.length === 0) return undefined;
  const who = [
    setters(
      isBad(podProfile),
      bad.map(({ name }) => name),
    ),
    annotations.length > 0 ? plural("annotation", annotations.length) : "",
  ].filter((text) => text !== "");
  return {
    reason: plural("forbidden AppArmor profile", values.length),
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function isConfiningAppArmor(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

const capabilities: CheckPod = (pod) => {
  const excess = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name));
  const bad = namesOf(pod, (container) => excess(container).length > 0);
  if (bad.length === 0) return undefined;
  const added = distinct(containersOf(pod).flatMap(excess));
  return {
    reason: "non-default capabilities",
    detail: `${containerList(bad)} must not include ${quoted(added)} in securityContext.capabilities.add`,
  };
};

const hostNamespaces: CheckPod = ({ spec }) => {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((name) => spec[name] === true);
  if (used.length === 0) return undefined;
  return { reason: "host namespaces", detail: used.map((name) => `${name}=true`).join(", ") };
};

const hostPathVolumes: CheckPod = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural("volume", names.length)} ${quoted(names)}` };
};

const hostPorts: CheckPod = (pod) => {
  const portsOf = ({ ports }: Container): string[] =>
    (ports ?? []).filter(({ hostPort }) => (hostPort ?? 0) !== 0).map(({ hostPort }) => String(hostPort));
  const bad = namesOf(pod, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(containersOf(pod).flatMap(portsOf));
  const uses = bad.length === 1 ? "uses" : "use";
  return {
    reason: "hostPort",
    detail: `${containerList(bad)} ${uses} ${plural("hostPort", ports.length)} ${ports.join(", ")}`,
  };
};

const hostProbes: CheckPod = (pod) => {
  const hostsOf = (handler: Probe | LifecycleHandler | undefined): string[] =>
    [handler?.httpGet?.host, handler?.tcpSocket?.host].filter(
      (host) => host !== undefined && host !== "",
    ) as string[]; // Filtered.
  const hosts = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf);
  const bad = distinct(namesOf(pod, (container) => hosts(container).length > 0));
  if (bad.length === 0) return undefined;
  const all = distinct(containersOf(pod).flatMap(hosts));
  const uses = bad.length === 1 ? "uses" : "use";
  return {
    reason: "probe or lifecycle host",
    detail: `${containerList(bad)} ${uses} ${plural("probe or lifecycle host", all.length)} ${quoted(all)}`,
  };
};

const privileged: CheckPod = (pod) => {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: "privileged",
    detail: `${containerList(bad)} must not set securityContext.privileged=true`,
  };
};

/** Also what `restricted` demands of pods with namespaces of their own. */
export const procMount: CheckPod = (pod) => {
  const isBad = ({ securityContext }: Container): boolean =>
    (securityContext?.procMount ?? "Default") !== "Default";
  const bad = containersOf(pod).filter(isBad);
  if (bad.length === 0) return undefined;
  const types = distinct(bad.map(({ securityContext }) => securityContext?.procMount ?? ""));
  const names = bad.map(({ name }) => name);
  return {
    reason: "procMount",
    detail: `${containerList(names)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

/** Pods whose root is nobody on the node may do more, since KEP 127 is finished. */
export function unlessOwnUsers(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

function seLinuxOptions(types: readonly string[]): CheckPod {
  const isBad = (options: SELinuxOptions | undefined): boolean =>
    options !== undefined &&
    (!types.includes(options.type ?? "") || (options.user ?? "") !== "" || (options.role ?? "") !== "");
  return (pod) => {
    const ofPod = pod.spec.securityContext?.seLinuxOptions;
    const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const all = [ofPod, ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions)];
    const names = bad.map(({ name }) => name);
    const who = setters(isBad(ofPod), names);
    if (who === "") return undefined;
    const badTypes = distinct(
      all.map((options) => options?.type ?? "").filter((type) => !types.includes(type)),
    );
    const what: string[] = [];
    if (badTypes.length > 0) what.push(`${plural("type", badTypes.length)} ${quoted(badTypes)}`);
    if (all.some((options) => (options?.user ?? "") !== "")) what.push("user may not be set");
    if (all.some((options) => (options?.role ?? "") !== "")) what.push("role may not be set");
    return {
      reason: "seLinuxOptions",
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`,
    };
  };
}

/** Before profiles were fields they were annotations. */
const seccompAnnotations: CheckPod = (pod) => {
  const isConfining = (value: string): boolean =>
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
  const names = [
    SECCOMP_POD_ANNOTATION,
    ...containersOf(pod).map(({ name }) => SECCOMP_CONTAINER_ANNOTATION + name),
  ];
  const { annotations = {} } = pod.metadata;
  const bad = distinct(
    names
      .filter((name) => Object.hasOwn(annotations, name) && !isConfining(annotations[name] ?? ""))
      .map((name) => `${name}=${JSON.stringify(annotations[name])}`),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `forbidden ${plural("annotation", bad.length)} ${bad.join(", ")}`,
  };
};

/** Profiles that are set must confine. `restricted` asks for one, too. */
export const seccompProfile: CheckPod = (pod) => {
  const isBad = (profile: { type: string } | undefined): boolean =>
    profile !== undefined && !CONFINING.has(profile.type);
  const ofPod = pod.spec.securityContext?.seccompProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seccompProfile));
  const who = setters(
    isBad(ofPod),
    bad.map(({ name }) => name),
  );
  if (who === "") return undefined;
  const types = bad.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? "");
  if (ofPod !== undefined && isBad(ofPod)) types.push(ofPod.type);
  return {
    reason: "seccompProfile",
    detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(distinct(types))}`,
  };
};

const SYSCTLS = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_27 = [...SYSCTLS, "net.ipv4.ip_local_reserved_ports"];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SYSCTLS_32 = [...SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

function sysctls(allowed: readonly string[]): CheckPod {
  return ({ spec }: CheckedPod) => {
    const bad = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
  };
}

const windowsHostProcess: CheckPod = (pod) => {
  const isSet = (context: { windowsOptions?: { hostProcess?: boolean } } | undefined): boolean =>
    context?.windowsOptions?.hostProcess === true;
  const who = setters(
    isSet(pod.spec.securityContext),
    namesOf(pod, ({ securityContext }) => isSet(securityContext)),
  );
  if (who === "") return undefined;
  return {
    reason: "hostProcess",
    detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

export const BASELINE_CHECKS: readonly Check[] = [
  { id: "appArmorProfile", versions: [{ since: 0, check: appArmorProfile }] },
  { id: "capabilities_baseline", versions: [{ since: 0, check: capabilities }] },
  { id: "hostNamespaces", versions: [{ since: 0, check: hostNamespaces }] },
  { id: "hostPathVolumes", versions: [{ since: 0, check: hostPathVolumes }] },
  { id: "hostPorts", versions: [{ since: 0, check: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", versions: [{ since: 34, check: hostProbes }] },
  { id: "privileged", versions: [{ since: 0, check: privileged }] },
  {
    id: "procMount",
    versions: [
      { since: 0, check: procMount },
      { since: 35, check: unlessOwnUsers(procMount) },
    ],
  },
  {
    id: "seLinuxOptions",
    versions: [
      { since: 0, check: seLinuxOptions(SELINUX_TYPES) },
      { since: 31, check: seLinuxOptions([...SELINUX_TYPES, "container_engine_t"]) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    versions: [
      { since: 0, check: seccompAnnotations },
      { since: 19, check: seccompProfile },
    ],
  },
  {
    id: "sysctls",
    versions: [
      { since: 0, check: sysctls(SYSCTLS) },
      { since: 27, check: sysctls(SYSCTLS_27) },
      { since: 29, check: sysctls(SYSCTLS_29) },
      { since: 32, check: sysctls(SYSCTLS_32) },
    ],
  },
  { id: "windowsHostProcess", versions: [{ since: 0, check: windowsHostProcess }] },
];
