import type { Node, Pod, Taint } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { evictAfterSeconds } from "./eviction.ts";
import { taintsOf } from "./taints.ts";

const NOW = "2026-01-01T00:00:00Z";
const node = (ready: string, taints: Taint[] = [], unschedulable = false): Node => ({
  metadata: { name: "n" },
  spec: { taints, ...(unschedulable ? { unschedulable } : {}) },
  status: { conditions: [{ type: "Ready", status: ready }] },
});
const keys = (taints: readonly Taint[]): string[] =>
  taints.map(({ key, effect }) => `${key.split("/")[1] ?? key}:${effect}`);

describe("taintsOf", () => {
  it.each<[string, Node, string[]]>([
    [
      "takes the not-ready taint off a ready node",
      node("True", [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]),
      [],
    ],
    [
      "keeps pods off a node that is not ready",
      node("False"),
      ["not-ready:NoSchedule", "not-ready:NoExecute"],
    ],
    [
      "tells a node that is not heard of from one that is not ready",
      node("Unknown"),
      ["unreachable:NoSchedule", "unreachable:NoExecute"],
    ],
    ["marks a cordoned node", node("True", [], true), ["unschedulable:NoSchedule"]],
    [
      "leaves other people's taints alone",
      node("True", [{ key: "dedicated", effect: "NoExecute" }]),
      ["dedicated:NoExecute"],
    ],
  ])("%s", (_title, subject, expected) => {
    expect(keys(taintsOf(subject, NOW) ?? subject.spec?.taints ?? [])).toEqual(expected);
  });

  it("asks for nothing when nothing changes", () => {
    const subject = node("True", [{ key: "dedicated", effect: "NoSchedule" }]);
    expect(taintsOf(subject, NOW)).toBeUndefined();
  });
});

describe("evictAfterSeconds", () => {
  const taint: Taint = { key: "k", effect: "NoExecute" };
  const pod = (tolerations: NonNullable<Pod["spec"]["tolerations"]>): Pod => ({
    metadata: { name: "p" },
    spec: { containers: [], tolerations },
  });
  it.each<[string, Pod, number | undefined]>([
    ["at once without a toleration", pod([]), 0],
    ["never with an unlimited one", pod([{ key: "k", operator: "Exists" }]), undefined],
    ["after the toleration's time", pod([{ key: "k", operator: "Exists", tolerationSeconds: 300 }]), 300],
    ["at once when the value differs", pod([{ key: "k", operator: "Equal", value: "x" }]), 0],
  ])("%s", (_title, subject, expected) => {
    expect(evictAfterSeconds(subject, [taint])).toBe(expected);
  });
});
