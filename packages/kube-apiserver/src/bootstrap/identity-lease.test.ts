import { expect, it } from "vitest";
import { identityOf } from "./identity-lease.ts";

it("makes a name out of the host's that fits a Lease and differs between hosts", () => {
  expect(identityOf("host-1")).toMatch(/^apiserver-[a-z2-7]{26}$/);
  expect(identityOf("host-1")).toBe(identityOf("host-1"));
  expect(identityOf("host-1")).not.toBe(identityOf("host-2"));
});
