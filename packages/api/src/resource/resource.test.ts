import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { DeviceRequest, ResourceClaim, ResourceSlice } from "../generated/resource-v1.generated.ts";
import { deviceClasses } from "./deviceclass/index.ts";
import { resourceClaims } from "./resourceclaim/index.ts";
import { resourceClaimTemplates } from "./resourceclaimtemplate/index.ts";
import { resourceSlices } from "./resourceslice/index.ts";

const metadata = { name: "a", namespace: "n" };

function claim(...requests: DeviceRequest[]): ResourceClaim {
  const object: ResourceClaim = { metadata, spec: { devices: { requests } } };
  resourceClaims.defaults?.(object);
  return object;
}

describe("a resource claim", () => {
  it("asks for one device unless told otherwise", () => {
    expect(claim({ name: "r", exactly: { deviceClassName: "dc" } }).spec.devices?.requests).toEqual([
      { name: "r", exactly: { deviceClassName: "dc", allocationMode: "ExactCount", count: 1 } },
    ]);
  });

  it("is judged", () => {
    const errors = resourceClaims.strategy.validate!(
      claim({ name: "Bad_", exactly: { deviceClassName: "" } }, { name: "r" }),
    );
    expect(formatFieldErrors(errors)).toBe(
      "[spec.devices.requests[0].name: Invalid value: \"Bad_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'), spec.devices.requests[0].exactly.deviceClassName: Required value, spec.devices.requests[1]: Required value: exactly one of `exactly` or `firstAvailable` is required]",
    );
  });

  it("never changes", () => {
    const updated = claim({ name: "q", exactly: { deviceClassName: "z" } });
    expect(formatFieldErrors(resourceClaims.strategy.validateUpdate!(updated, claim()))).toBe(
      'spec: Invalid value: {"Devices":{"Requests":[{"Name":"q","Exactly":{"DeviceClassName":"z","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}: field is immutable',
    );
  });

  it("shows its state", () => {
    const column = resourceClaims.columns![1]!;
    expect(column.cell(claim(), { nowMs: 0 })).toBe("pending");
    expect(
      column.cell(
        { ...claim(), status: { allocation: {}, reservedFor: [{ resource: "pods", name: "p", uid: "u" }] } },
        { nowMs: 0 },
      ),
    ).toBe("allocated,reserved");
  });
});

it("templates and classes are judged the same way", () => {
  const template = { metadata, spec: { spec: { devices: { requests: [{ name: "r" }] } } } };
  expect(resourceClaimTemplates.strategy.validate?.(template)).toHaveLength(1);
  expect(deviceClasses.strategy.validate?.({ metadata, spec: { selectors: [{}] } })).toHaveLength(1);
});

it("a slice belongs to one place", () => {
  const slice: ResourceSlice = {
    metadata,
    spec: {
      driver: "x.io",
      nodeName: "n",
      pool: { name: "p", generation: 0, resourceSliceCount: 1 },
      devices: [{ name: "d0" }],
    },
  };
  expect(resourceSlices.strategy.validate?.(slice)).toEqual([]);
  expect(
    resourceSlices.strategy.validate?.({ ...slice, spec: { ...slice.spec, allNodes: true } }),
  ).toHaveLength(1);
});
