import type { Node, Pod } from "@binnacle/api";
import { createSeededRandom } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { builtinPlugins } from "../plugins/builtins.ts";
import { Snapshot } from "../snapshot/snapshot.ts";
import { chooseNode } from "./choose-node.ts";

const node = (
  name: string,
  changes: Partial<NonNullable<Node["spec"]>> = {},
  labels: Record<string, string> = {},
): Node => ({
  metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } },
  spec: changes,
  status: {
    allocatable: { cpu: "2", memory: "4Gi", pods: "3", "example.com/gpu": name === "gpu" ? "1" : "0" },
  },
});
const pod = (
  name: string,
  changes: Partial<Pod["spec"]> = {},
  requests: Record<string, string> = {},
): Pod => ({
  metadata: { name, namespace: "default", uid: name, labels: { app: "web" } },
  spec: { containers: [{ name: "c", image: "i", resources: { requests } }], ...changes },
});

function choose(pod: Pod, nodes: readonly Node[], running: readonly Pod[] = []) {
  const snapshot = new Snapshot();
  for (const each of nodes) snapshot.setNode(each);
  for (const each of running) snapshot.setPod(each);
  const context = {
    snapshot,
    findClaim: () => undefined,
    findVolume: () => undefined,
    findStorageClass: () => undefined,
  };
  const choice = chooseNode(pod, builtinPlugins, context, createSeededRandom(1));
  return choice.kind === "node" ? choice.node.name : choice.message;
}

const HELPLESS =
  "no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

describe("chooseNode", () => {
  it.each<[string, Pod, readonly Node[], readonly Pod[], string]>([
    ["takes the only node", pod("p"), [node("a")], [], "a"],
    [
      "prefers the emptier node",
      pod("p"),
      [node("a"), node("b")],
      [pod("q", { nodeName: "a" }, { cpu: "1" })],
      "b",
    ],
    [
      "finds the node that has an extended resource",
      pod("p", {}, { "example.com/gpu": "1" }),
      [node("a"), node("gpu")],
      [],
      "gpu",
    ],
    [
      "follows the node selector",
      pod("p", { nodeSelector: { zone: "z" } }),
      [node("a"), node("b", {}, { zone: "z" })],
      [],
      "b",
    ],
    ["passes over cordoned nodes", pod("p"), [node("a", { unschedulable: true }), node("b")], [], "b"],
    [
      "tolerates a taint",
      pod("p", { tolerations: [{ key: "dedicated", operator: "Exists" }] }),
      [node("a", { taints: [{ key: "dedicated", value: "x", effect: "NoSchedule" }] })],
      [],
      "a",
    ],
    [
      "keeps away from pods it is averse to",
      pod("p", {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "web" } } },
            ],
          },
        },
      }),
      [node("a"), node("b")],
      [pod("q", { nodeName: "a" })],
      "b",
    ],
    ["says that there are no nodes", pod("p"), [], [], "no nodes available to schedule pods"],
    [
      "says which taint was in the way",
      pod("p"),
      [node("a", { taints: [{ key: "k", value: "v", effect: "NoSchedule" }] })],
      [],
      `0/1 nodes are available: 1 node(s) had untolerated taint {k: v}. ${HELPLESS}`,
    ],
    [
      "says what there is not enough of, when even an empty node would not do",
      pod("p", {}, { cpu: "3" }),
      [node("a")],
      [],
      `0/1 nodes are available: 1 Insufficient cpu. ${HELPLESS}`,
    ],
    [
      "counts reasons over nodes",
      pod("p", {}, { cpu: "1500m" }),
      [node("a"), node("b", { unschedulable: true })],
      [pod("q", { nodeName: "a" }, { cpu: "1" })],
      "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/2 nodes are available: 1 Preemption is not helpful for scheduling, 1 No preemption victims found for incoming pod.",
    ],
  ])("%s", (_title, subject, nodes, running, expected) => {
    expect(choose(subject, nodes, running)).toBe(expected);
  });

  it("gives a host port out once", () => {
    const withPort = (name: string, changes: Partial<Pod["spec"]> = {}): Pod =>
      pod(name, {
        containers: [{ name: "c", image: "i", ports: [{ containerPort: 80, hostPort: 80 }] }],
        ...changes,
      });
    const message = choose(withPort("p"), [node("a")], [withPort("q", { nodeName: "a" })]);
    expect(message).toContain("1 node(s) didn't have free ports for the requested pod ports");
  });
});
