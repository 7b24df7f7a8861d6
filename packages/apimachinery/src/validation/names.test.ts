import { describe, expect, it } from "vitest";
import {
  cIdentifier,
  configMapKey,
  dnsLabel,
  dnsLabel1035,
  dnsSubdomain,
  envVarName,
  httpHeaderName,
  labelValue,
  maskTrailingDash,
  pathSegment,
  percent,
  portName,
  portNumber,
  qualifiedName,
  wildcardDnsSubdomain,
} from "./names.ts";

describe("names", () => {
  it.each([
    ["dnsSubdomain", dnsSubdomain, ["a", "a.b-c.1"], ["", "A", "a..b", "-a", "a_b", "x".repeat(254)]],
    ["dnsLabel", dnsLabel, ["a", "1-a"], ["a.b", "A", "", "x".repeat(64)]],
    ["dnsLabel1035", dnsLabel1035, ["a1"], ["1a", ""]],
    ["wildcardDnsSubdomain", wildcardDnsSubdomain, ["*.a.b"], ["a.b", "*", "*.*.a"]],
    ["qualifiedName", qualifiedName, ["a", "x.io/A_b.c"], ["", "/a", "a/", "a/b/c", "A.io/b", "a b"]],
    ["labelValue", labelValue, ["", "A-1_b.c"], ["-a", "a b", "x".repeat(64)]],
    ["pathSegment", pathSegment, ["Any:Thing ok", ""], [".", "..", "a/b", "a%b"]],
    ["portName", portName, ["http", "a-1"], ["", "80", "a--b", "-a", "A", "abcdefghijklmnop"]],
    ["cIdentifier", cIdentifier, ["_a1"], ["1a", "a-b"]],
    ["envVarName", envVarName, ["A", "a b", "1"], ["", "a=b", "ä"]],
    ["configMapKey", configMapKey, ["a.b", ".a"], ["", ".", "..", "..a", "a/b"]],
    ["percent", percent, ["25%"], ["25", "-1%"]],
    ["httpHeaderName", httpHeaderName, ["X-A"], ["", "a b"]],
  ] as const)("%s tells good from bad", (_name, rule, good, bad) => {
    for (const value of good) expect([value, rule(value)]).toEqual([value, []]);
    for (const value of bad) expect(rule(value).length, value).toBeGreaterThan(0);
  });

  it("says what is wrong in upstream's words", () => {
    expect(dnsLabel("a.b")).toEqual(["must not contain dots"]);
    expect(dnsSubdomain("x".repeat(254))).toEqual(["must be no more than 253 characters"]);
    expect(qualifiedName("")).toEqual([
      "name part must be non-empty",
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ]);
    expect(portNumber(0)).toEqual(["must be between 1 and 65535, inclusive"]);
    expect(portName("a--B-")).toEqual([
      "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
      "must not contain consecutive hyphens",
      "must not begin or end with a hyphen",
    ]);
  });

  it("checks a prefix as the name it will become", () => {
    expect(maskTrailingDash("web-")).toBe("wea");
    expect(maskTrailingDash("-")).toBe("-");
    expect(maskTrailingDash("web")).toBe("web");
  });
});
