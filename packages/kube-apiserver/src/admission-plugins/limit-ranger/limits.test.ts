import type { LimitRange, PersistentVolumeClaim, Pod } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { claimViolations, joinViolations, podViolations, setDefaultResources } from "./limits.ts";

const range = (...limits: object[]): LimitRange => ({ metadata: {}, spec: { limits } }) as LimitRange;
const container = (name: string, requests?: object, limits?: object) => ({
  name,
  ...(requests === undefined && limits === undefined ? {} : { resources: { requests, limits } }),
});
const podOf = (containers: object[], rest: object = {}): Pod =>
  ({ metadata: { name: "p" }, spec: { containers, ...rest } }) as Pod;

describe("setDefaultResources", () => {
  const defaults = range({
    type: "Container",
    default: { memory: "1Gi", cpu: "1" },
    defaultRequest: { cpu: "100m" },
  });

  it("fills what is missing, keeps what is given, and notes both", () => {
    const pod = podOf([container("a"), container("b", { cpu: "2" }, { cpu: "3" })], {
      initContainers: [container("i", undefined, { cpu: "1", memory: "1Mi" })],
    });
    setDefaultResources(defaults, pod);
    expect(pod.spec.containers.map(({ resources }) => resources)).toEqual([
      { requests: { cpu: "100m" }, limits: { cpu: "1", memory: "1Gi" } },
      { requests: { cpu: "2" }, limits: { cpu: "3", memory: "1Gi" } },
    ]);
    expect(pod.metadata.annotations).toEqual({
      "kubernetes.io/limit-ranger":
        "LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; memory limit for container b; cpu request for init container i",
    });
  });

  it("leaves a pod alone that says everything, and limits for pods alone", () => {
    const pod = podOf([container("a")]);
    setDefaultResources(range({ type: "Pod", max: { cpu: "1" } }), pod);
    expect(pod).toEqual(podOf([container("a")]));
  });
});

describe("podViolations", () => {
  const cpu = (request: string | undefined, limit: string | undefined) =>
    podOf([
      container(
        "c",
        request === undefined ? {} : { cpu: request },
        limit === undefined ? {} : { cpu: limit },
      ),
    ]);

  it.each<[string, object, Pod, string[]]>([
    ["within", { min: { cpu: "100m" }, max: { cpu: "1" } }, cpu("100m", "1"), []],
    [
      "no request",
      { min: { cpu: "100m" } },
      cpu(undefined, "1"),
      ["minimum cpu usage per Container is 100m.  No request is specified"],
    ],
    [
      "too small a request",
      { min: { cpu: "100m" } },
      cpu("50m", "1"),
      ["minimum cpu usage per Container is 100m, but request is 50m"],
    ],
    [
      "too small a limit",
      { min: { cpu: "2" } },
      cpu("2", "1"),
      ["minimum cpu usage per Container is 2, but limit is 1"],
    ],
    [
      "no limit",
      { max: { cpu: "1" } },
      cpu("1", undefined),
      ["maximum cpu usage per Container is 1.  No limit is specified"],
    ],
    [
      "too large a limit",
      { max: { cpu: "1" } },
      cpu("1", "1500m"),
      ["maximum cpu usage per Container is 1, but limit is 1500m"],
    ],
    [
      "too large a request",
      { max: { cpu: "1" } },
      cpu("2", "1"),
      ["maximum cpu usage per Container is 1, but request is 2"],
    ],
    ["a ratio that is allowed", { maxLimitRequestRatio: { cpu: "2" } }, cpu("1", "2"), []],
    [
      "too large a ratio",
      { maxLimitRequestRatio: { cpu: "2" } },
      cpu("300m", "1"),
      ["cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333"],
    ],
    [
      "a ratio of nothing",
      { maxLimitRequestRatio: { cpu: "2" } },
      cpu("0", "1"),
      ["cpu max limit to request ratio per Container is 2, but no request is specified or request is 0"],
    ],
    [
      "a ratio to nothing",
      { maxLimitRequestRatio: { cpu: "2" } },
      cpu("1", undefined),
      ["cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"],
    ],
  ])("of a container: %s", (_title, item, pod, expected) => {
    expect(podViolations(range({ type: "Container", ...item }), pod)).toEqual(expected);
  });

  it("of a pod are about all containers together, or what is said of the pod", () => {
    const item = { type: "Pod", max: { cpu: "2" } };
    const two = [container("a", {}, { cpu: "1" }), container("b", {}, { cpu: "1500m" })];
    expect(podViolations(range(item), podOf(two))).toEqual([
      "maximum cpu usage per Pod is 2, but limit is 2500m",
    ]);
    expect(podViolations(range(item), podOf(two, { resources: { limits: { cpu: "2" } } }))).toEqual([]);
    const init = { initContainers: [container("i", {}, { cpu: "3" })] };
    expect(podViolations(range(item), podOf([container("a", {}, { cpu: "1" })], init))).toEqual([
      "maximum cpu usage per Pod is 2, but limit is 3",
    ]);
  });
});

describe("claimViolations", () => {
  const item = { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } };
  it.each([
    ["1Gi", []],
    ["500Mi", ["minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi"]],
    ["3Gi", ["maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"]],
  ])("of a claim for %s", (storage, expected) => {
    const claim = { metadata: {}, spec: { resources: { requests: { storage } } } } as PersistentVolumeClaim;
    expect(claimViolations(range(item), claim)).toEqual(expected);
  });
});

describe("joinViolations", () => {
  it("says each once, and one without brackets", () => {
    expect([joinViolations(["a", "a"]), joinViolations(["a", "b", "a"])]).toEqual(["a", "[a, b]"]);
  });
});
