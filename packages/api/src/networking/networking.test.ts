import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Ingress, IngressSpec, IPAddress, NetworkPolicy } from "../generated/networking-v1.generated.ts";
import { ingresses } from "./ingress/index.ts";
import { validateIngress } from "./ingress/validation.ts";
import { ingressClasses } from "./ingressclass/index.ts";
import { ipAddresses } from "./ipaddress/index.ts";
import { networkPolicies } from "./networkpolicy/index.ts";
import { serviceCidrs } from "./servicecidr/index.ts";

const metadata = { name: "a", namespace: "n" };
const backend = { service: { name: "s", port: { number: 80 } } };

describe("an ingress", () => {
  it.each<[IngressSpec, string]>([
    [{ defaultBackend: backend }, ""],
    [{}, "spec: Invalid value: []: either `defaultBackend` or `rules` must be specified"],
    [
      { rules: [{ host: "1.2.3.4", http: { paths: [{ path: "x", pathType: "Prefix", backend }] } }] },
      '[spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address, spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path]',
    ],
    [{ rules: [{ host: "*.a.b", http: { paths: [{ path: "/", pathType: "Exact", backend }] } }] }, ""],
    [
      { defaultBackend: { service: { name: "s" } } },
      "spec.defaultBackend: Required value: port name or number is required",
    ],
  ])("with %j is judged", (spec, expected) => {
    const errors = validateIngress({ metadata, spec });
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("is printed", () => {
    const ingress: Ingress = {
      metadata,
      spec: { tls: [{ hosts: ["a"] }], rules: [{ host: "a" }, { host: "b" }, { host: "c" }, { host: "d" }] },
    };
    expect(ingresses.columns?.map((column) => column.cell(ingress, { nowMs: 0 }))).toEqual([
      "a",
      "<none>",
      "a,b,c + 1 more...",
      "",
      "80, 443",
      "<unknown>",
    ]);
  });
});

it("an ingress class names a controller with a domain", () => {
  const errors = ingressClasses.strategy.validate!({ metadata, spec: { controller: "nodomain" } });
  expect(formatFieldErrors(errors)).toBe(
    'spec.controller: Invalid value: "nodomain": must be a domain-prefixed path (such as "acme.io/foo")',
  );
});

describe("a network policy", () => {
  it("is filled in", () => {
    const policy: NetworkPolicy = {
      metadata,
      spec: { podSelector: {}, egress: [{ ports: [{ port: 80 }, {}] }] },
    };
    networkPolicies.defaults?.(policy);
    expect(policy.spec).toEqual({
      podSelector: {},
      egress: [{ ports: [{ port: 80, protocol: "TCP" }, { protocol: "TCP" }] }],
      policyTypes: ["Ingress", "Egress"],
    });
  });

  it("excepts less than it allows", () => {
    const to = [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8", "11.0.0.0/16", "10.1.0.0/16"] } }];
    const errors = networkPolicies.strategy.validate!({ metadata, spec: { egress: [{ to }] } });
    expect(errors.map(({ path }) => path)).toEqual([
      "spec.egress[0].to[0].ipBlock.except[0]",
      "spec.egress[0].to[0].ipBlock.except[1]",
    ]);
  });

  it("prints its selector", () => {
    const podSelector = {
      matchLabels: { a: "b" },
      matchExpressions: [{ key: "c", operator: "In", values: ["y", "x"] }],
    };
    expect(networkPolicies.columns?.[1]?.cell({ metadata, spec: { podSelector } }, { nowMs: 0 })).toBe(
      "a=b,c in (x,y)",
    );
  });
});

it("an IP address has a parent", () => {
  const object = { metadata: { name: "10.99.0.1" }, spec: {} } as unknown as IPAddress; // As a client may send it.
  expect(formatFieldErrors(ipAddresses.strategy.validate!(object))).toBe("spec.parentRef: Required value");
});

it("a service range may get a second family", () => {
  const old = { metadata, spec: { cidrs: ["10.96.0.0/16"] } };
  const validate = serviceCidrs.strategy.validateUpdate!;
  expect(validate({ metadata, spec: { cidrs: ["10.96.0.0/16", "2001:db8::/64"] } }, old)).toEqual([]);
  expect(validate({ metadata, spec: { cidrs: ["10.97.0.0/16"] } }, old)).toHaveLength(1);
});
