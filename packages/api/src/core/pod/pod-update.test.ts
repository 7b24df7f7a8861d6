import { type FieldError, formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Pod } from "../../generated/core-v1.generated.ts";
import {
  prepareEphemeralContainersForUpdate,
  validateEphemeralContainersUpdate,
} from "./ephemeral-containers.ts";
import { setPodDefaults } from "./pod-defaults.ts";
import { prepareResizeForUpdate, validateResizeUpdate } from "./resize.ts";
import { podGracePeriodSeconds, preparePodForCreate } from "./strategy.ts";
import { validatePodUpdate } from "./validate-pod.ts";
import { preparePodStatusForUpdate, validatePodStatusUpdate } from "./validate-status.ts";

function made(change: (pod: Pod) => void = () => {}): Pod {
  const pod: Pod = {
    metadata: { name: "p", namespace: "default" },
    spec: { serviceAccountName: "default", containers: [{ name: "c", image: "nginx:1.25" }] },
  };
  change(pod);
  setPodDefaults(pod);
  preparePodForCreate(pod);
  return pod;
}

function changed(pod: Pod, change: (pod: Pod) => void): Pod {
  const updated = structuredClone(pod);
  change(updated);
  setPodDefaults(updated);
  return updated;
}

function message(errors: FieldError[]): string {
  return errors.length === 0 ? "" : formatFieldErrors(errors);
}

const old = made();
const gated = made(({ spec }) => {
  spec.schedulingGates = [{ name: "a.io/g" }];
  spec.nodeSelector = { a: "b" };
});
const ONLY_THESE =
  "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

describe("validatePodUpdate", () => {
  it.each<[string, Pod, (pod: Pod) => void]>([
    [
      "a new image",
      old,
      ({ spec }) => {
        spec.containers[0]!.image = "nginx:2";
      },
    ],
    [
      "a first deadline",
      old,
      ({ spec }) => {
        spec.activeDeadlineSeconds = 5;
      },
    ],
    [
      "a further toleration",
      old,
      ({ spec }) => {
        spec.tolerations = [{ key: "a", operator: "Exists" }];
      },
    ],
    [
      "a gate removed",
      gated,
      ({ spec }) => {
        spec.schedulingGates = [];
      },
    ],
    [
      "a narrower selector behind a gate",
      gated,
      ({ spec }) => {
        spec.nodeSelector = { a: "b", c: "d" };
      },
    ],
  ])("allows %s", (_what, before, change) => {
    expect(message(validatePodUpdate(changed(before, change), before))).toBe("");
  });

  it("shows what else was changed", () => {
    const updated = changed(old, ({ spec }) => {
      spec.hostname = "h";
    });
    expect(message(validatePodUpdate(updated, old))).toBe(
      `${ONLY_THESE}@@ -64,7 +64,7 @@
   "SELinuxChangePolicy": null
  },
  "ImagePullSecrets": null,
- "Hostname": "",
+ "Hostname": "h",
  "Subdomain": "",
  "SetHostnameAsFQDN": null,
  "Affinity": null,
`,
    );
  });

  it.each<[string, Pod, (pod: Pod) => void, string]>([
    [
      "a further container",
      old,
      ({ spec }) => {
        spec.containers.push({ name: "d", image: "x" });
      },
      "spec.containers: Forbidden: pod updates may not add or remove containers",
    ],
    [
      "another selector behind a gate",
      gated,
      ({ spec }) => {
        spec.nodeSelector = { a: "z" };
      },
      'spec.nodeSelector: Invalid value: {"a":"z"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
    [
      "a new gate",
      gated,
      ({ spec }) => {
        spec.schedulingGates?.push({ name: "a.io/h" });
      },
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a.io/h'",
    ],
  ])("refuses %s", (_what, before, change, expected) => {
    expect(message(validatePodUpdate(changed(before, change), before))).toBe(expected);
  });
});

describe("the status of a pod", () => {
  it("keeps what the server knows", () => {
    const before = made();
    before.status = {
      ...before.status,
      observedGeneration: 3,
      conditions: [{ type: "A", status: "True", observedGeneration: 2 }],
    };
    const updated = changed(before, (pod) => {
      pod.metadata.ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "q", uid: "u" }];
      pod.status = { phase: "Running", conditions: [{ type: "A", status: "False" }] };
    });
    preparePodStatusForUpdate(updated, before);
    expect(updated.metadata.ownerReferences).toBeUndefined();
    expect(updated.status).toEqual({
      phase: "Running",
      qosClass: "BestEffort",
      observedGeneration: 3,
      conditions: [{ type: "A", status: "False", observedGeneration: 2 }],
    });
  });

  it.each<[string, Pod["status"] & object, Pod["status"] & object, string]>([
    [
      "two addresses of one family",
      {},
      { podIPs: [{ ip: "10.2.0.1" }, { ip: "10.2.0.2" }] },
      'status.podIPs: Invalid value: [{"IP":"10.2.0.1"},{"IP":"10.2.0.2"}]: may specify no more than one IP for each IP family',
    ],
    [
      "another class of service",
      {},
      { qosClass: "Guaranteed" },
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ],
    [
      "a dead container revived",
      { containerStatuses: [status({ terminated: { exitCode: 0 } })] },
      { containerStatuses: [status({ running: {} })] },
      "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state",
    ],
  ])("refuses %s", (_what, before, now, expected) => {
    const never = made(({ spec }) => {
      spec.restartPolicy = "Never";
    });
    never.status = { ...never.status, ...before };
    const updated = changed(never, (pod) => {
      pod.status = { ...pod.status, ...now };
    });
    expect(message(validatePodStatusUpdate(updated, never))).toBe(expected);
  });

  it("lets a container that is to be restarted come back", () => {
    const before = made();
    before.status = { ...before.status, containerStatuses: [status({ terminated: { exitCode: 0 } })] };
    const updated = changed(before, (pod) => {
      pod.status = { ...pod.status, containerStatuses: [status({ running: {} })] };
    });
    expect(validatePodStatusUpdate(updated, before)).toEqual([]);
  });
});

function status(state: {
  running?: object;
  terminated?: { exitCode: number };
}): NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number] {
  return { name: "c", ready: false, restartCount: 0, image: "", imageID: "", state };
}

describe("/ephemeralcontainers", () => {
  it("adds containers and changes nothing else", () => {
    const updated = changed(old, ({ spec }) => {
      spec.ephemeralContainers = [{ name: "dbg", image: "busybox", targetContainerName: "c" }];
      spec.containers[0]!.image = "changed";
    });
    prepareEphemeralContainersForUpdate(updated, old);
    expect(updated.spec.containers).toEqual(old.spec.containers);
    expect(updated.spec.ephemeralContainers?.[0]?.name).toBe("dbg");
    expect(validateEphemeralContainersUpdate(updated, old)).toEqual([]);
  });

  it("removes none and checks what it adds", () => {
    const before = changed(old, ({ spec }) => {
      spec.ephemeralContainers = [{ name: "dbg", image: "busybox" }];
    });
    const removed = changed(before, ({ spec }) => {
      spec.ephemeralContainers = [];
    });
    expect(message(validateEphemeralContainersUpdate(removed, before))).toBe(
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "dbg" may not be removed\n',
    );
    const bad = changed(old, ({ spec }) => {
      spec.ephemeralContainers = [
        { name: "c", image: "x" },
        { name: "e2", image: "y", ports: [{ containerPort: 1 }], targetContainerName: "none" },
      ];
    });
    expect(message(validateEphemeralContainersUpdate(bad, old))).toBe(
      '[spec.ephemeralContainers[0].name: Duplicate value: "c", spec.ephemeralContainers[1].targetContainerName: Not found: "none", spec.ephemeralContainers[1].ports: Forbidden: cannot be set for an Ephemeral Container]',
    );
  });
});

describe("/resize", () => {
  const sized = made(({ spec }) => {
    spec.containers[0]!.resources = { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "200m" } };
  });
  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ["more cpu", { cpu: "150m", memory: "64Mi" }, { cpu: "200m" }, ""],
    [
      "more than the limit",
      { cpu: "500m", memory: "64Mi" },
      { cpu: "200m" },
      'spec.containers[0].resources.requests: Invalid value: "500m": must be less than or equal to cpu limit of 200m',
    ],
    [
      "a request taken away",
      { cpu: "100m" },
      { cpu: "200m" },
      "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
    ],
    [
      "another class of service",
      { cpu: "200m", memory: "64Mi" },
      { cpu: "200m", memory: "64Mi" },
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    ],
    [
      "another resource",
      { cpu: "100m", memory: "64Mi", "ephemeral-storage": "1Gi" },
      { cpu: "200m" },
      "spec: Forbidden: only cpu and memory resources are mutable",
    ],
  ])("judges %s", (_what, requests, limits, expected) => {
    const updated = changed(sized, ({ spec }) => {
      spec.containers[0]!.resources = { requests, limits };
      spec.containers[0]!.image = "changed";
    });
    prepareResizeForUpdate(updated, sized);
    expect(updated.spec.containers[0]?.image).toBe("nginx:1.25");
    expect(message(validateResizeUpdate(updated, sized))).toBe(expected);
  });
});

describe("podGracePeriodSeconds", () => {
  const bound = made(({ spec }) => {
    spec.nodeName = "n";
  });
  it.each<[string, Pod, number | undefined, number]>([
    ["the pod's own", bound, undefined, 30],
    ["what is asked", bound, 5, 5],
    ["never less than nothing", bound, -5, 1],
    ["nothing where nothing runs", old, 5, 0],
    ["nothing once it has ended", { ...bound, status: { phase: "Failed" } }, 5, 0],
  ])("is %s", (_what, pod, requested, expected) => {
    expect(podGracePeriodSeconds(pod, requested)).toBe(expected);
  });
});
