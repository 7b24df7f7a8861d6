import type { Endpoint, EndpointSlice, Node, Pod, Service } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { subsetsOf } from "../../core/endpoints/subsets.ts";
import { groupsOf } from "./mirroring.ts";
import { addressTypesOf, endpointGroups, isHeadless } from "./service-endpoints.ts";
import { planSlices, type SliceFrame } from "./slice-plan.ts";

const node: Node = { metadata: { name: "n1", labels: { "topology.kubernetes.io/zone": "z1" } }, spec: {} };
const nodeOf = (name: string) => (name === "n1" ? node : undefined);

function service(spec: Partial<Service["spec"]> = {}): Service {
  return {
    metadata: { name: "web", namespace: "n" },
    spec: {
      selector: { app: "a" },
      clusterIP: "10.0.0.1",
      ipFamilies: ["IPv4"],
      ports: [{ name: "http", port: 80, targetPort: "web" }],
      ...spec,
    },
  };
}

interface PodOptions {
  ready?: boolean;
  dying?: boolean;
  phase?: string;
  node?: string;
  ips?: string[];
  port?: number;
}

function pod(name: string, options: PodOptions = {}): Pod {
  const {
    ready = true,
    dying = false,
    phase = "Running",
    node: nodeName = "n1",
    ips = ["10.1.0.1"],
    port = 8080,
  } = options;
  return {
    metadata: {
      name,
      namespace: "n",
      uid: `u-${name}`,
      ...(dying ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: { nodeName, containers: [{ name: "c", ports: [{ name: "web", containerPort: port }] }] },
    status: {
      phase,
      podIPs: ips.map((ip) => ({ ip })),
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    },
  };
}

describe("endpointGroups", () => {
  it("tells of each pod where it is and what state it is in", () => {
    expect(endpointGroups(service(), [pod("a")], nodeOf, "IPv4")).toEqual([
      {
        ports: [{ name: "http", protocol: "TCP", port: 8080 }],
        endpoints: [
          {
            addresses: ["10.1.0.1"],
            conditions: { ready: true, serving: true, terminating: false },
            targetRef: { kind: "Pod", namespace: "n", name: "a", uid: "u-a" },
            nodeName: "n1",
            zone: "z1",
          },
        ],
      },
    ]);
  });

  it.each([
    [{ ready: false }, {}, { ready: false, serving: false, terminating: false }],
    [{ dying: true }, {}, { ready: false, serving: true, terminating: true }],
    [
      { ready: false },
      { publishNotReadyAddresses: true },
      { ready: true, serving: false, terminating: false },
    ],
  ])("of a pod %o with %o are %o", (options, spec, conditions) => {
    const [group] = endpointGroups(service(spec), [pod("a", options)], nodeOf, "IPv4");
    expect(group?.endpoints[0]?.conditions).toEqual(conditions);
  });

  it("leaves out pods that are finished, without address, or on a node that is gone", () => {
    const pods = [
      pod("a", { phase: "Succeeded" }),
      pod("b", { ips: [] }),
      pod("c", { node: "gone" }),
      pod("d", { ips: ["fd00::1"] }),
    ];
    expect(endpointGroups(service(), pods, nodeOf, "IPv4")).toEqual([]);
    expect(endpointGroups(service(), pods, nodeOf, "IPv6")[0]?.endpoints[0]?.addresses).toEqual(["fd00::1"]);
  });

  it("keeps pods apart whose named port differs", () => {
    expect(endpointGroups(service(), [pod("a"), pod("b", { port: 9090 })], nodeOf, "IPv4")).toHaveLength(2);
    const numbered = service({ ports: [{ port: 80 }] });
    expect(endpointGroups(numbered, [pod("a")], nodeOf, "IPv4")[0]?.ports).toEqual([
      { name: "", protocol: "TCP", port: 80 },
    ]);
  });

  it("follows the families of the Service", () => {
    expect(addressTypesOf(service({ ipFamilies: ["IPv6", "IPv4"] }))).toEqual(["IPv6", "IPv4"]);
    expect([isHeadless(service({ clusterIP: "None" })), isHeadless(service())]).toEqual([true, false]);
  });
});

describe("planSlices", () => {
  const frame: SliceFrame = {
    namespace: "n",
    generateName: "web-",
    labels: { l: "1" },
    ownerReferences: [],
    addressType: "IPv4",
  };
  const ports = [{ name: "http", protocol: "TCP", port: 80 }];
  const endpoint = (i: number, ready = true): Endpoint => ({
    addresses: [`10.0.0.${i}`],
    conditions: { ready },
    targetRef: { uid: `u${i}` },
  });
  const slice = (name: string, ...endpoints: Endpoint[]): EndpointSlice => ({
    metadata: { name, labels: { l: "1" }, ownerReferences: [] },
    addressType: "IPv4",
    endpoints,
    ports,
  });
  const names = (slices: readonly EndpointSlice[]) => slices.map((each) => each.metadata.name ?? "new");
  const plan = (endpoints: Endpoint[], existing: EndpointSlice[]) => {
    const result = planSlices(frame, endpoints.length === 0 ? [] : [{ ports, endpoints }], existing, 3);
    return {
      create: result.create.map((each) => each.endpoints?.length),
      update: names(result.update),
      delete: names(result.delete),
    };
  };

  it("fills new slices to the limit", () => {
    expect(
      plan(
        [1, 2, 3, 4].map((i) => endpoint(i)),
        [],
      ),
    ).toEqual({ create: [3, 1], update: [], delete: [] });
  });

  it("leaves what is right alone", () => {
    expect(plan([endpoint(1), endpoint(2)], [slice("s", endpoint(2), endpoint(1))])).toEqual({
      create: [],
      update: [],
      delete: [],
    });
  });

  it("changes an endpoint where it is, and puts a new one where there is room", () => {
    const existing = [slice("full", endpoint(1), endpoint(2), endpoint(3)), slice("half", endpoint(4))];
    expect(plan([endpoint(1), endpoint(2), endpoint(3, false), endpoint(4), endpoint(5)], existing)).toEqual({
      create: [],
      update: ["full", "half"],
      delete: [],
    });
  });

  it("deletes what is empty, but keeps one slice of a Service without endpoints", () => {
    expect(plan([endpoint(1)], [slice("a", endpoint(1)), slice("b", endpoint(9))]).delete).toEqual(["b"]);
    expect(plan([], [slice("a", endpoint(1))])).toEqual({ create: [0], update: [], delete: ["a"] });
    const placeholder = { ...slice("p"), ports: [] };
    expect(plan([], [placeholder])).toEqual({ create: [], update: [], delete: [] });
  });
});

describe("subsetsOf", () => {
  it("groups by ports, ready addresses apart", () => {
    const pods = [
      pod("b", { ips: ["10.1.0.2"], ready: false }),
      pod("a"),
      pod("c", { ips: ["10.1.0.3"], dying: true }),
      pod("d", { node: "gone" }),
    ];
    expect(subsetsOf(service(), pods, nodeOf)).toEqual([
      {
        addresses: [
          {
            ip: "10.1.0.1",
            nodeName: "n1",
            targetRef: { kind: "Pod", namespace: "n", name: "a", uid: "u-a" },
          },
        ],
        notReadyAddresses: [
          {
            ip: "10.1.0.2",
            nodeName: "n1",
            targetRef: { kind: "Pod", namespace: "n", name: "b", uid: "u-b" },
          },
        ],
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
      },
    ]);
  });
});

describe("mirroring", () => {
  it("turns subsets into endpoints of each family", () => {
    const object = {
      metadata: {},
      subsets: [
        {
          addresses: [{ ip: "1.1.1.1" }, { ip: "fd00::1" }],
          notReadyAddresses: [{ ip: "2.2.2.2" }],
          ports: [{ port: 80 }],
        },
      ],
    };
    expect(groupsOf(object, "IPv4")).toEqual([
      {
        ports: [{ name: "", protocol: "TCP", port: 80 }],
        endpoints: [
          { addresses: ["1.1.1.1"], conditions: { ready: true } },
          { addresses: ["2.2.2.2"], conditions: { ready: false } },
        ],
      },
    ]);
    expect(groupsOf(object, "IPv6")[0]?.endpoints).toHaveLength(1);
  });
});
