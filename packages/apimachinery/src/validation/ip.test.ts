import { describe, expect, it } from "vitest";
import {
  cidrContains,
  formatCidr,
  formatIp,
  parseCidr,
  parseIp,
  validateCidr,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from "./ip.ts";

describe("addresses", () => {
  it.each([
    ["10.0.0.1", "10.0.0.1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["::", "::"],
    ["1::", "1::"],
    ["0:0:1:0:0:0:1:0", "0:0:1::1:0"],
    ["1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0"],
    ["::ffff:1.2.3.4", "::ffff:1.2.3.4"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
  ])("reads %s and prints %s", (text, canonical) => {
    expect(formatIp(parseIp(text)!)).toBe(canonical);
  });

  it.each(["", "1.2.3", "1.2.3.256", "01.2.3.4", "1:2", "1::2::3", "::g", "1:2:3:4:5:6:7:8:9", "a"])(
    "refuses %j",
    (text) => {
      expect(parseIp(text)).toBeUndefined();
      expect(parseCidr(`${text}/8`)).toBeUndefined();
    },
  );

  it("knows what lies in a range", () => {
    const range = parseCidr("10.96.0.0/16")!;
    expect(cidrContains(range, parseIp("10.96.3.4")!)).toBe(true);
    expect(cidrContains(range, parseIp("10.97.0.0")!)).toBe(false);
    expect(cidrContains(range, parseIp("::1")!)).toBe(false);
    expect(formatCidr(parseCidr("10.96.3.4/16")!)).toBe("10.96.0.0/16");
    expect(parseCidr("10.0.0.0/33")).toBeUndefined();
    expect(parseCidr("10.0.0.0/08")).toBeUndefined();
  });

  it("tells new fields from old ones", () => {
    expect(validateIp("ip", "x")[0]?.body).toBe(
      'Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    );
    expect(validateIp("ip", "::0001")).toHaveLength(1);
    expect(validateIp("ip", "::ffff:1.2.3.4")).toHaveLength(1);
    expect(validateIp("ip", "10.0.0.1")).toEqual([]);
    expect(validateLegacyIp("ip", "010.0.0.1")).toEqual([]);
    expect(validateLegacyIp("ip", "10.0.0")).toHaveLength(1);
    expect(validateCidr("cidr", "10.0.0.1/8")).toHaveLength(1);
    expect(validateCidr("cidr", "10.0.0.0/8")).toEqual([]);
    expect(validateLegacyCidr("cidr", "10.0.0.1/8")).toEqual([]);
    expect(validateLegacyCidr("cidr", "10.0.0.1")).toHaveLength(1);
  });
});
