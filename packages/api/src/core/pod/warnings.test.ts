import { describe, expect, it } from "vitest";
import type { PodSpec } from "../../generated/core-v1.generated.ts";
import { warningsForPod, warningsForPodTemplate } from "./warnings.ts";

const container = { name: "c", image: "i" };

describe("warningsForPod", () => {
  it.each<[string, Partial<PodSpec>, string[]]>([
    ["nothing wrong", {}, []],
    [
      "a secret without name",
      { imagePullSecrets: [{ name: "" }] },
      ['spec.imagePullSecrets[0].name: invalid empty name ""'],
    ],
    [
      "a fraction of a byte",
      { containers: [{ ...container, resources: { requests: { memory: "500m" } } }] },
      [
        'spec.containers[0].resources.requests[memory]: fractional byte value "500m" is invalid, must be an integer',
      ],
    ],
    [
      "a variable defined twice",
      {
        containers: [
          {
            ...container,
            env: [
              { name: "A", value: "1" },
              { name: "A", value: "$(A)2" },
              { name: "A", value: "3" },
            ],
          },
        ],
      },
      ['spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      "a port defined twice",
      {
        containers: [
          { ...container, ports: [{ containerPort: 80, protocol: "TCP" }] },
          { ...container, ports: [{ containerPort: 80, protocol: "TCP", hostPort: 1 }] },
        ],
      },
      ["spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[0]"],
    ],
    [
      "an old label of nodes",
      { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      "an old kind of volume",
      { volumes: [{ name: "g", gitRepo: { repository: "r" } }] },
      ["spec.volumes[0].gitRepo: deprecated in v1.11"],
    ],
    [
      "a constraint that selects nothing",
      { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" }] },
      ["spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"],
    ],
  ])("%s", (_what, spec, expected) => {
    expect(warningsForPod({ metadata: { name: "p" }, spec: { containers: [container], ...spec } })).toEqual(
      expected,
    );
  });

  it("speaks of names that are no host names", () => {
    const [warning] = warningsForPod({ metadata: { name: "a.b" }, spec: { containers: [container] } });
    expect(warning).toContain("metadata.name: this is used in the Pod's hostname");
  });
});

describe("warningsForPodTemplate", () => {
  it("names the template", () => {
    const template = {
      metadata: { annotations: { "scheduler.alpha.kubernetes.io/critical-pod": "" } },
      spec: { containers: [container] },
    };
    expect(warningsForPodTemplate(template, "spec.template")).toEqual([
      'spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ]);
  });
});
