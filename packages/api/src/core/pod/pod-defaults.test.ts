import { describe, expect, it } from "vitest";
import type { Pod, PodSpec } from "../../generated/core-v1.generated.ts";
import { imageTag } from "./image-tag.ts";
import { setPodDefaults } from "./pod-defaults.ts";
import { qosClassOf } from "./qos.ts";

function defaulted(spec: PodSpec): PodSpec {
  const pod: Pod = { metadata: { name: "p" }, spec };
  setPodDefaults(pod);
  const once = structuredClone(pod);
  setPodDefaults(pod);
  expect(pod).toEqual(once);
  return pod.spec;
}

describe("setPodDefaults", () => {
  it("fills what a minimal pod leaves out", () => {
    expect(defaulted({ containers: [{ name: "c", image: "nginx:1.25" }] })).toEqual({
      containers: [
        {
          name: "c",
          image: "nginx:1.25",
          imagePullPolicy: "IfNotPresent",
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      dnsPolicy: "ClusterFirst",
      enableServiceLinks: true,
      restartPolicy: "Always",
      schedulerName: "default-scheduler",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  it("asks for as much as it may use, and gives the host's ports on the host's network", () => {
    const { containers } = defaulted({
      hostNetwork: true,
      containers: [
        {
          name: "c",
          image: "a",
          resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m" } },
          ports: [{ containerPort: 80 }],
        },
      ],
    });
    expect(containers[0]?.resources?.requests).toEqual({ cpu: "100m", memory: "1Gi" });
    expect(containers[0]?.ports).toEqual([{ containerPort: 80, hostPort: 80, protocol: "TCP" }]);
  });

  it("fills probes, volumes and references", () => {
    const spec = defaulted({
      serviceAccount: "robot",
      terminationGracePeriodSeconds: -5,
      containers: [
        {
          name: "c",
          image: "a",
          env: [{ name: "N", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
          livenessProbe: { httpGet: { port: 80 } },
        },
      ],
      volumes: [{ name: "e" }, { name: "s", secret: { secretName: "s" } }],
    });
    expect(spec.containers[0]?.env?.[0]?.valueFrom?.fieldRef?.apiVersion).toBe("v1");
    expect(spec.containers[0]?.livenessProbe).toEqual({
      httpGet: { port: 80, path: "/", scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
    expect(spec.volumes).toEqual([
      { name: "e", emptyDir: {} },
      { name: "s", secret: { secretName: "s", defaultMode: 420 } },
    ]);
    expect(spec).toMatchObject({
      serviceAccountName: "robot",
      serviceAccount: "robot",
      terminationGracePeriodSeconds: 1,
    });
  });

  it("derives what the pod as a whole asks for from its containers", () => {
    const { resources } = defaulted({
      resources: { limits: { cpu: "4", memory: "4Gi" } },
      containers: [
        { name: "a", image: "a", resources: { requests: { cpu: "500m" } } },
        { name: "b", image: "b", resources: { requests: { cpu: "1" } } },
      ],
      initContainers: [{ name: "i", image: "i", resources: { requests: { cpu: "2" } } }],
    });
    expect(resources?.requests).toEqual({ cpu: "2", memory: "4Gi" });
  });

  it("keeps the two forms of the address in step", () => {
    const pod: Pod = {
      metadata: {},
      spec: { containers: [] },
      status: { podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] },
    };
    setPodDefaults(pod);
    expect(pod.status).toEqual({ podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.2" }] });
  });
});

describe("imageTag", () => {
  it.each([
    ["nginx", "latest"],
    ["nginx:latest", "latest"],
    ["nginx:1.25", "1.25"],
    ["localhost:5000/a/b", "latest"],
    ["registry.example.com/a/b:v2", "v2"],
    [`nginx@sha256:${"a".repeat(64)}`, undefined],
    [`nginx:1@sha256:${"a".repeat(64)}`, "1"],
    ["Upper/case", "latest"],
    ["No Image", undefined],
    ["", undefined],
  ])("%s is %s", (image, tag) => expect(imageTag(image)).toBe(tag));
});

describe("qosClassOf", () => {
  const container = (
    requests?: Record<string, string>,
    limits?: Record<string, string>,
  ): PodSpec["containers"][number] => ({
    name: "c",
    image: "i",
    resources: { ...(requests && { requests }), ...(limits && { limits }) },
  });
  it.each<[string, PodSpec, string]>([
    ["nothing asked", { containers: [container()] }, "BestEffort"],
    ["only a request", { containers: [container({ cpu: "1" })] }, "Burstable"],
    [
      "limits as requests",
      { containers: [container({ cpu: "1", memory: "1Gi" }, { cpu: "1000m", memory: "1024Mi" })] },
      "Guaranteed",
    ],
    [
      "one container without limits",
      { containers: [container({ cpu: "1", memory: "1" }, { cpu: "1", memory: "1" }), container()] },
      "Burstable",
    ],
    [
      "other resources do not count",
      { containers: [container({ "nvidia.com/gpu": "1" }, { "nvidia.com/gpu": "1" })] },
      "BestEffort",
    ],
    [
      "the pod as a whole",
      {
        containers: [container()],
        resources: { requests: { cpu: "1", memory: "1" }, limits: { cpu: "1", memory: "1" } },
      },
      "Guaranteed",
    ],
  ])("%s", (_what, spec, expected) => expect(qosClassOf(spec)).toBe(expected));
});
