import type { PodSpec } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { evaluate, formatDetails } from "./evaluate.ts";
import type { Level } from "./policy.ts";

const LATEST = Number.POSITIVE_INFINITY;
const one = { name: "a" };

/** A pod that meets everything. */
const hardened = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [
    { ...one, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } },
  ],
};

function check(level: Level, spec: object, minor = LATEST, annotations: Record<string, string> = {}): string {
  const pod = { metadata: { annotations }, spec: { containers: [one], ...spec } as PodSpec };
  return formatDetails(evaluate(pod, { level, minor }));
}

const withContext = (securityContext: object): object => ({ containers: [{ ...one, securityContext }] });

describe("baseline", () => {
  it.each<[string, object, string]>([
    ["nothing special", {}, ""],
    [
      "host namespaces",
      { hostIPC: true, hostNetwork: true, hostPID: true },
      "host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)",
    ],
    ["host paths", { volumes: [{ name: "v", hostPath: { path: "/" } }] }, 'hostPath volumes (volume "v")'],
    [
      "host ports",
      {
        containers: [
          { name: "a", ports: [{ hostPort: 80 }, { hostPort: 443 }] },
          { name: "b", ports: [{ hostPort: 80 }] },
        ],
      },
      'hostPort (containers "a", "b" use hostPorts 443, 80)',
    ],
    [
      "one host port",
      { containers: [{ name: "a", ports: [{ containerPort: 1, hostPort: 80 }] }] },
      'hostPort (container "a" uses hostPort 80)',
    ],
    [
      "privileged containers",
      withContext({ privileged: true }),
      'privileged (container "a" must not set securityContext.privileged=true)',
    ],
    ["default capabilities", withContext({ capabilities: { add: ["CHOWN", "KILL"] } }), ""],
    [
      "capabilities",
      withContext({ capabilities: { add: ["SYS_ADMIN", "NET_RAW"] } }),
      'non-default capabilities (container "a" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      "init and ephemeral containers",
      {
        initContainers: [{ name: "i", securityContext: { privileged: true } }],
        ephemeralContainers: [{ name: "e", securityContext: { privileged: true } }],
      },
      'privileged (containers "i", "e" must not set securityContext.privileged=true)',
    ],
    [
      "proc mounts",
      withContext({ procMount: "Unmasked" }),
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      "proc mounts of users of their own",
      { hostUsers: false, ...withContext({ procMount: "Unmasked" }) },
      "",
    ],
    [
      "SELinux",
      {
        securityContext: { seLinuxOptions: { type: "foo", user: "u" } },
        ...withContext({ seLinuxOptions: { role: "r" } }),
      },
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: type "foo"; user may not be set; role may not be set)',
    ],
    ["SELinux of engines", withContext({ seLinuxOptions: { type: "container_engine_t" } }), ""],
    [
      "seccomp",
      {
        securityContext: { seccompProfile: { type: "Unconfined" } },
        ...withContext({ seccompProfile: { type: "Unconfined" } }),
      },
      'seccompProfile (pod and container "a" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      "AppArmor",
      withContext({ appArmorProfile: { type: "Unconfined" } }),
      'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
    ],
    [
      "sysctls",
      {
        securityContext: {
          sysctls: [
            { name: "kernel.msgmax", value: "1" },
            { name: "net.ipv4.tcp_rmem", value: "1" },
          ],
        },
      },
      "forbidden sysctls (kernel.msgmax)",
    ],
    [
      "Windows host processes",
      { securityContext: { windowsOptions: { hostProcess: true } } },
      "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
    ],
    [
      "probes of other hosts",
      {
        containers: [
          {
            name: "a",
            livenessProbe: { httpGet: { host: "h" } },
            lifecycle: { preStop: { tcpSocket: { host: "g" } } },
          },
        ],
      },
      'probe or lifecycle host (container "a" uses probe or lifecycle hosts "g", "h")',
    ],
    [
      "several at once, in order",
      { hostPID: true, ...withContext({ privileged: true, capabilities: { add: ["X"] } }) },
      'non-default capabilities (container "a" must not include "X" in securityContext.capabilities.add), host namespaces (hostPID=true), privileged (container "a" must not set securityContext.privileged=true)',
    ],
  ])("%s", (_title, spec, expected) => {
    expect(check("baseline", spec)).toBe(expected);
  });

  it("knows AppArmor's annotations", () => {
    const annotations = { "container.apparmor.security.beta.kubernetes.io/a": "unconfined" };
    expect(check("baseline", {}, LATEST, annotations)).toBe(
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/a="unconfined"")',
    );
  });

  it.each<[string, object, number, string]>([
    [
      "sysctls before they were known to be safe",
      { securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } },
      31,
      "forbidden sysctls (net.ipv4.tcp_rmem)",
    ],
    [
      "probes before 1.34",
      { containers: [{ name: "a", livenessProbe: { httpGet: { host: "h" } } }] },
      33,
      "",
    ],
    [
      "users of their own before 1.35",
      { hostUsers: false, ...withContext({ procMount: "Unmasked" }) },
      34,
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      "seccomp fields before they were there",
      withContext({ seccompProfile: { type: "Unconfined" } }),
      18,
      "",
    ],
  ])("at a version: %s", (_title, spec, minor, expected) => {
    expect(check("baseline", spec, minor)).toBe(expected);
  });

  it("at a version: seccomp annotations", () => {
    const annotations = { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" };
    expect(check("baseline", {}, 18, annotations)).toBe(
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    );
    expect(check("baseline", {}, 19, annotations)).toBe("");
  });
});

describe("restricted", () => {
  it("asks a plain pod for four things", () => {
    expect(check("restricted", {})).toBe(
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
  });

  it.each<[string, object, string]>([
    ["a hardened pod", {}, ""],
    [
      "volumes",
      {
        volumes: [
          { name: "a", hostPath: { path: "/" } },
          { name: "b", nfs: {} },
          { name: "c", emptyDir: {} },
        ],
      },
      'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
    ],
    [
      "root, in words and numbers",
      { securityContext: { runAsNonRoot: false, runAsUser: 0, seccompProfile: { type: "Localhost" } } },
      "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false), runAsUser=0 (pod must not set runAsUser=0)",
    ],
    [
      "root of users of their own",
      { hostUsers: false, securityContext: { runAsUser: 0, seccompProfile: { type: "Localhost" } } },
      "",
    ],
    [
      "baseline first",
      { hostNetwork: true, securityContext: { runAsNonRoot: true } },
      'host namespaces (hostNetwork=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      "Windows pods",
      { os: { name: "windows" }, securityContext: { runAsNonRoot: true }, containers: [one] },
      "",
    ],
  ])("%s", (_title, spec, expected) => {
    expect(check("restricted", { ...hardened, ...spec })).toBe(expected);
  });

  it("lets NET_BIND_SERVICE through alone, and tells a capability once", () => {
    const containers = [
      {
        ...one,
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE", "CHOWN", "SYS_ADMIN"] },
        },
      },
    ];
    expect(check("restricted", { ...hardened, containers })).toBe(
      'unrestricted capabilities (container "a" must not include "CHOWN", "SYS_ADMIN" in securityContext.capabilities.add)',
    );
  });
});

describe("privileged", () => {
  it("lets everything through", () => {
    expect(check("privileged", { hostNetwork: true, ...withContext({ privileged: true }) })).toBe("");
  });
});
