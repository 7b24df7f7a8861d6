/**
 * The level `restricted`: what hardened pods do, besides the level `baseline`.
 *
 * Source: kubernetes v1.36 pod-security-admission/policy/check_*.go.
 */
import type { Container, Volume } from "@binnacle/api";
import { procMount, seccompProfile, unlessOwnUsers } from "./baseline-checks.ts";
import {
  type Check,
  type CheckPod,
  containerList,
  containersOf,
  distinct,
  namesOf,
  plural,
  quoted,
  setters,
} from "./check.ts";

/** Windows knows nothing of what these are about. */
function unlessWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === "windows" ? undefined : check(pod));
}

const allowPrivilegeEscalation: CheckPod = (pod) => {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containerList(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

const capabilities: CheckPod = (pod) => {
  const excess = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const keeping = namesOf(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes("ALL") !== true,
  );
  const adding = namesOf(pod, (container) => excess(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0)
    details.push(`${containerList(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const added = quoted(distinct(containersOf(pod).flatMap(excess)));
    details.push(`${containerList(adding)} must not include ${added} in securityContext.capabilities.add`);
  }
  return details.length === 0
    ? undefined
    : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const ALLOWED_VOLUMES = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const satisfies readonly (keyof Volume)[];

const NAMED_VOLUMES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const satisfies readonly (keyof Volume)[];

const restrictedVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) =>
    ALLOWED_VOLUMES.every((type) => volume[type] === undefined),
  );
  if (bad.length === 0) return undefined;
  const types = distinct(
    bad.map((volume) => NAMED_VOLUMES.find((type) => volume[type] !== undefined) ?? "unknown"),
  );
  const names = quoted(bad.map(({ name }) => name));
  const uses = bad.length === 1 ? "uses" : "use";
  return {
    reason: "restricted volume types",
    detail: `${plural("volume", bad.length)} ${names} ${uses} ${plural("restricted volume type", types.length)} ${quoted(types)}`,
  };
};

const runAsNonRoot: CheckPod = (pod) => {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const who = setters(
    ofPod === false,
    namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  const reason = "runAsNonRoot != true";
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containerList(silent)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: CheckPod = (pod) => {
  const who = setters(
    pod.spec.securityContext?.runAsUser === 0,
    namesOf(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
  );
  return who === "" ? undefined : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
};

const seccompProfileSet: CheckPod = (pod) => {
  const bad = seccompProfile(pod);
  if (bad !== undefined) return bad;
  if (pod.spec.securityContext?.seccompProfile !== undefined) return undefined;
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containerList(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

export const RESTRICTED_CHECKS: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      { since: 8, check: allowPrivilegeEscalation },
      { since: 25, check: unlessWindows(allowPrivilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    overrides: "capabilities_baseline",
    versions: [
      { since: 22, check: capabilities },
      { since: 25, check: unlessWindows(capabilities) },
    ],
  },
  { id: "procMount_restricted", overrides: "procMount", versions: [{ since: 35, check: procMount }] },
  {
    id: "restrictedVolumes",
    overrides: "hostPathVolumes",
    versions: [{ since: 0, check: restrictedVolumes }],
  },
  {
    id: "runAsNonRoot",
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: unlessOwnUsers(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    versions: [
      { since: 23, check: runAsUser },
      { since: 35, check: unlessOwnUsers(runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    overrides: "seccompProfile_baseline",
    versions: [
      { since: 19, check: seccompProfileSet },
      { since: 25, check: unlessWindows(seccompProfileSet) },
    ],
  },
];
