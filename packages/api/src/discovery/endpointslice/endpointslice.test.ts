import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { EndpointSlice } from "../../generated/discovery-v1.generated.ts";
import { endpointSlices } from "./index.ts";
import {
  setEndpointSliceDefaults,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
} from "./validation.ts";

const slice: EndpointSlice = {
  metadata: { name: "es", namespace: "n" },
  addressType: "IPv4",
  endpoints: [{ addresses: ["1.2.3.4"] }],
  ports: [{ port: 80 }, { name: "n", protocol: "UDP" }],
};

describe("an endpoint slice", () => {
  it("has its ports filled in", () => {
    const copy = structuredClone(slice);
    setEndpointSliceDefaults(copy);
    expect(copy.ports).toEqual([
      { name: "", protocol: "TCP", port: 80 },
      { name: "n", protocol: "UDP" },
    ]);
    expect(validateEndpointSlice(copy)).toEqual([]);
  });

  it("holds addresses of one kind", () => {
    const wrong: EndpointSlice = {
      ...slice,
      ports: [],
      endpoints: [{ addresses: ["::1"] }, { addresses: [] }],
    };
    expect(formatFieldErrors(validateEndpointSlice(wrong))).toBe(
      '[endpoints[0].addresses[0]: Invalid value: "::1": must be an IPv4 address, endpoints[1].addresses: Required value: must contain at least 1 address]',
    );
  });

  it("keeps its address type", () => {
    const errors = validateEndpointSliceUpdate(
      { ...slice, ports: [], endpoints: [], addressType: "IPv6" },
      slice,
    );
    expect(formatFieldErrors(errors)).toBe('addressType: Invalid value: "IPv6": field is immutable');
  });

  it("is printed", () => {
    expect(endpointSlices.columns?.map((column) => column.cell(slice, { nowMs: 0 }))).toEqual([
      "es",
      "IPv4",
      "80,n",
      "1.2.3.4",
      "<unknown>",
    ]);
  });
});
