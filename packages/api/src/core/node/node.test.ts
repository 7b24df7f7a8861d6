import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Node, NodeSpec } from "../../generated/core-v1.generated.ts";
import { setNodeDefaults } from "./defaults.ts";
import { nodes } from "./index.ts";
import { isExtendedResource, validateNode, validateNodeUpdate } from "./validation.ts";

function node(spec: NodeSpec, status: Node["status"] = {}): Node {
  const object: Node = { metadata: { name: "n" }, spec, status };
  setNodeDefaults(object);
  return object;
}

describe("a node", () => {
  it("offers pods what it has", () => {
    const { status } = node({}, { capacity: { cpu: "4", memory: "0.5n" } });
    expect(status?.allocatable).toEqual({ cpu: "4", memory: "1m" });
  });

  it("keeps both forms of its pod range in step", () => {
    expect(node({ podCIDR: "10.0.0.0/24" }).spec?.podCIDRs).toEqual(["10.0.0.0/24"]);
    expect(node({ podCIDRs: ["10.0.0.0/24"] }).spec?.podCIDR).toBe("10.0.0.0/24");
  });

  it("has its taints and ranges checked", () => {
    const taint = { key: "k", effect: "NoSchedule" };
    expect(formatFieldErrors(validateNode(node({ taints: [taint, taint], podCIDR: "x" })))).toBe(
      '[metadata.taints[1]: Duplicate value: {"Key":"k","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair, spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)]',
    );
  });

  it("never changes its pod range", () => {
    const old = node({ podCIDR: "10.0.0.0/24" });
    expect(formatFieldErrors(validateNodeUpdate(node({ podCIDR: "10.0.1.0/24" }), old))).toBe(
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    );
    expect(validateNodeUpdate(old, node({}))).toEqual([]);
  });

  it("is printed", () => {
    const object = node({ unschedulable: true }, { conditions: [{ type: "Ready", status: "True" }] });
    object.metadata.labels = { "node-role.kubernetes.io/worker": "", "kubernetes.io/role": "a" };
    expect(nodes.columns?.slice(0, 3).map((column) => column.cell(object, { nowMs: 0 }))).toEqual([
      "n",
      "Ready,SchedulingDisabled",
      "a,worker",
    ]);
  });
});

it.each([
  ["nvidia.com/gpu", true],
  ["cpu", false],
  ["requests.nvidia.com/gpu", false],
  ["kubernetes.io/x", false],
  ["count/pods", false],
])("%s is an extended resource: %s", (name, expected) => {
  expect(isExtendedResource(name)).toBe(expected);
});
