import { formatFieldErrors } from "@binnacle/apimachinery";
import { expect, it } from "vitest";
import type { Endpoints } from "../../generated/core-v1.generated.ts";
import { endpoints } from "./index.ts";
import { setEndpointsDefaults, validateEndpoints } from "./validation.ts";

const metadata = { name: "e", namespace: "n" };

it("judges subsets", () => {
  const object: Endpoints = {
    metadata,
    subsets: [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port: 80 }, { port: 0, name: "a" }] }, {}],
  };
  setEndpointsDefaults(object);
  expect(formatFieldErrors(validateEndpoints(object))).toBe(
    '[subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), subsets[0].ports[0].name: Required value, subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive, subsets[1]: Required value: must specify `addresses` or `notReadyAddresses`]',
  );
});

it("shows three addresses", () => {
  const addresses = ["1.2.3.4", "1.2.3.5", "1.2.3.6", "1.2.3.7"].map((ip) => ({ ip }));
  const object: Endpoints = { metadata, subsets: [{ addresses, ports: [{ port: 80 }] }] };
  expect(endpoints.columns?.[1]?.cell(object, { nowMs: 0 })).toBe(
    "1.2.3.4:80,1.2.3.5:80,1.2.3.6:80 + 1 more...",
  );
  expect(endpoints.columns?.[1]?.cell({ metadata }, { nowMs: 0 })).toBe("<none>");
});
