import { type Cell, formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Service, ServiceSpec } from "../../generated/core-v1.generated.ts";
import { serviceColumns } from "./columns.ts";
import { setServiceDefaults } from "./defaults.ts";
import { services } from "./index.ts";
import { prepareServiceForUpdate } from "./strategy.ts";
import { validateService, validateServiceStatus } from "./validation.ts";

function service(spec: ServiceSpec): Service {
  return { metadata: { name: "a", namespace: "n" }, spec };
}

function errorsOf(spec: ServiceSpec): string {
  const object = service(spec);
  setServiceDefaults(object);
  services.strategy.prepareForCreate?.(object, { nowMs: 0 });
  const errors = validateService(object);
  return errors.length === 0 ? "" : formatFieldErrors(errors);
}

const ports = [{ port: 80 }];

describe("a new service", () => {
  it("is filled in", () => {
    const object = service({ ports: [{ port: 80 }, { port: 81, targetPort: "http", protocol: "UDP" }] });
    setServiceDefaults(object);
    expect(object.spec).toEqual({
      ports: [
        { port: 80, protocol: "TCP", targetPort: 80 },
        { port: 81, targetPort: "http", protocol: "UDP" },
      ],
      sessionAffinity: "None",
      type: "ClusterIP",
      internalTrafficPolicy: "Cluster",
    });
  });

  // Texts as observed on a v1.36 API server.
  it.each<[ServiceSpec, string]>([
    [{ ports: [] }, "spec.ports: Required value"],
    [{ clusterIP: "None" }, ""],
    [
      { ports: [{ port: 0 }] },
      "[spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]",
    ],
    [
      {
        ports: [
          { name: "a", port: 1 },
          { name: "b", port: 1 },
        ],
      },
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
    ],
    [
      { ports: [{ port: 1 }, { port: 2 }] },
      "[spec.ports[0].name: Required value, spec.ports[1].name: Required value]",
    ],
    [
      { ports: [{ port: 1, protocol: "X" }] },
      'spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ],
    [
      { ports, type: "Foo" },
      'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    [
      { ports, sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400",
    ],
    [
      { ports, clusterIP: "10.96.9.9", clusterIPs: ["10.96.9.8"] },
      'spec.clusterIPs: Invalid value: ["10.96.9.8"]: first value must match `clusterIP`',
    ],
    [
      { ports: [{ port: 80, nodePort: 30123 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    [
      { ports, type: "LoadBalancer", clusterIP: "None" },
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for LoadBalancer services",
    ],
    [
      { ports, externalTrafficPolicy: "Local" },
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
    [
      { ports, type: "NodePort", healthCheckNodePort: 30999 },
      "spec.healthCheckNodePort: Invalid value: 30999: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
    [
      { ports, loadBalancerClass: "x.io/y" },
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ],
    [
      { ports, externalIPs: ["127.0.0.1", "x"] },
      '[spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), spec.externalIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)]',
    ],
    [{ ports, ipFamilies: ["IPv4", "IPv4"] }, 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
    [
      { ports, trafficDistribution: "X" },
      'spec.trafficDistribution: Unsupported value: "X": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
    [{ type: "ExternalName" }, "spec.externalName: Required value"],
  ])("with %j is judged", (spec, expected) => {
    expect(errorsOf(spec)).toBe(expected);
  });
});

describe("an update of a service", () => {
  const old = service({
    ports: [{ port: 80, protocol: "TCP", targetPort: 80, nodePort: 30001 }],
    type: "NodePort",
    clusterIP: "10.96.1.1",
    clusterIPs: ["10.96.1.1"],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    externalTrafficPolicy: "Cluster",
    internalTrafficPolicy: "Cluster",
    sessionAffinity: "None",
  });

  function update(change: ServiceSpec): ServiceSpec {
    const updated = service(change);
    setServiceDefaults(updated);
    prepareServiceForUpdate(updated, old);
    return updated.spec!;
  }

  it("keeps what was allocated", () => {
    const spec = update({ type: "NodePort", ports: [{ port: 81 }] });
    expect([spec.clusterIP, spec.clusterIPs, spec.ports?.[0]?.nodePort]).toEqual([
      "10.96.1.1",
      ["10.96.1.1"],
      30001,
    ]);
  });

  it("drops what another type does not have", () => {
    const spec = update({ ...structuredClone(old.spec), type: "ExternalName", externalName: "x.y" });
    expect(spec).toEqual({
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      type: "ExternalName",
      externalName: "x.y",
      sessionAffinity: "None",
    });
  });

  it("may not move the address", () => {
    const updated = structuredClone(old);
    updated.spec!.clusterIP = "10.96.2.2";
    updated.spec!.clusterIPs = ["10.96.2.2"];
    expect(formatFieldErrors(services.strategy.validateUpdate!(updated, old))).toBe(
      'spec.clusterIPs[0]: Invalid value: ["10.96.2.2"]: may not change once set',
    );
  });
});

it("only a load balancer has ingress", () => {
  const status = { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "VIP" }] } };
  expect(validateServiceStatus({ ...service({ type: "LoadBalancer" }), status })).toEqual([]);
  expect(validateServiceStatus({ ...service({ type: "ClusterIP" }), status })).toHaveLength(1);
});

describe("the columns of a service", () => {
  function cells(spec: ServiceSpec): Cell[] {
    const object = service(spec);
    setServiceDefaults(object);
    return serviceColumns.map((column) => column.cell(object, { nowMs: 0 }));
  }

  it.each<[ServiceSpec, Cell[]]>([
    [
      { type: "ExternalName", externalName: "x.y" },
      ["a", "ExternalName", "<none>", "x.y", "<none>", "<unknown>", "<none>"],
    ],
    [
      {
        clusterIPs: ["None"],
        ports: [{ port: 80 }, { port: 53, protocol: "UDP" }],
        selector: { b: "2", a: "1" },
      },
      ["a", "ClusterIP", "None", "<none>", "80/TCP,53/UDP", "<unknown>", "a=1,b=2"],
    ],
    [
      { type: "LoadBalancer", clusterIPs: ["10.96.0.9"], ports: [{ port: 80, nodePort: 30001 }] },
      ["a", "LoadBalancer", "10.96.0.9", "<pending>", "80:30001/TCP", "<unknown>", "<none>"],
    ],
  ])("of %j", (spec, expected) => {
    expect(cells(spec)).toEqual(expected);
  });
});
