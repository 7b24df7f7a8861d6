import { describe, expect, it } from "vitest";
import {
  formatLabelSelector,
  labelMatcher,
  matchEveryLabel,
  matchLabels,
  matchNoLabel,
} from "./label-matcher.ts";
import { labelSelectorFromObject } from "./label-selector.ts";
import { parseLabelSelector } from "./label-selector-parser.ts";

const OBJECTS: Readonly<Record<string, Record<string, string>>> = {
  a: { t: "1", app: "web", tier: "fe" },
  b: { t: "1", app: "web", tier: "be" },
  c: { t: "1", app: "db" },
  d: { t: "1" },
  e: { t: "1", app: "", n: "5" },
  f: { t: "1", "x.io/k": "v", n: "10" },
};

function selected(text: string): string {
  const matcher = parseLabelSelector(text);
  return Object.keys(OBJECTS)
    .filter((name) => matchLabels(matcher, OBJECTS[name]))
    .join("");
}

describe("parseLabelSelector", () => {
  it.each([
    ["", "abcdef"],
    ["t", "abcdef"],
    ["app=web", "ab"],
    ["app==web", "ab"],
    ["app!=web", "cdef"],
    ["app in (web,db)", "abc"],
    ["app in (web, db),tier", "ab"],
    ["app notin (web,db)", "def"],
    ["!tier,t", "cdef"],
    ["app=web,tier=be", "b"],
    ["app=", "e"],
    ["app==,t", "e"],
    ["app in ()", "e"],
    ["app in (web,,db)", "abce"],
    ["app in (,web)", "abe"],
    ["app in (web,)", "abe"],
    ["n>6", "f"],
    ["n<6", "e"],
    ["n > 5,t", "f"],
    ["x.io/k=v", "f"],
    ["!x.io/k,t", "abcde"],
    ["app=web,app=db", ""],
    [" app = web ", "ab"],
    ["in=x", ""],
    ["in in (in)", ""],
  ])("%j selects %s", (text, names) => {
    expect(selected(text)).toBe(names);
  });

  const nameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  it.each([
    [
      "n>abc",
      "unable to parse requirement: values[0]: Invalid value: \"abc\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ["app in (web", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["app=we b", "found 'b', expected: ',' or 'end of string'"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["=", "found '=', expected: !, identifier, or 'end of string'"],
    ["app=web,", "found '', expected: identifier after ','"],
    [",", "found ',', expected: !, identifier, or 'end of string'"],
    ["app===web", "unable to parse requirement: found '=', expected: identifier"],
    ["app!web", "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["app in web", "unable to parse requirement: found 'web' expected: '('"],
    ["app notin", "unable to parse requirement: found '' expected: '('"],
    ["-a", `unable to parse requirement: <nil>: Invalid value: "-a": name part ${nameRule}`],
    ["app~web", `unable to parse requirement: <nil>: Invalid value: "app~web": name part ${nameRule}`],
    [
      "a/b/c",
      `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    [
      "UP.io/a",
      `unable to parse requirement: <nil>: Invalid value: "UP.io/a": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      `app=${"x".repeat(64)}`,
      `unable to parse requirement: values[0][app]: Invalid value: "${"x".repeat(64)}": must be no more than 63 bytes`,
    ],
    [
      "app=a/b",
      `unable to parse requirement: values[0][app]: Invalid value: "a/b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
  ])("%j is refused with the server's words", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ message, code: 400, reason: "BadRequest" }),
    );
  });

  it("matches no inherited property of the label map", () => {
    expect(matchLabels(parseLabelSelector("constructor"), {})).toBe(false);
    expect(matchLabels(labelMatcher([{ key: "__proto__", operator: "exists", values: [] }]), {})).toBe(false);
  });
});

describe("formatLabelSelector", () => {
  it.each([
    ["b=1,a==2", "a==2,b=1"],
    ["x in (c, a,b),!y,z", "x in (a,b,c),!y,z"],
    ["x notin (b),n>5,m<3", "m<3,n>5,x notin (b)"],
    ["", ""],
  ])("writes %j as %j", (text, canonical) => {
    expect(formatLabelSelector(parseLabelSelector(text))).toBe(canonical);
  });
});

describe("labelSelectorFromObject", () => {
  it("selects nothing when missing and everything when empty", () => {
    expect(labelSelectorFromObject(undefined)).toBe(matchNoLabel);
    expect(matchLabels(matchNoLabel, { a: "b" })).toBe(false);
    expect(labelSelectorFromObject({})).toBe(matchEveryLabel);
  });

  it("joins labels and expressions", () => {
    const matcher = labelSelectorFromObject({
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["fe", "be"] },
        { key: "gone", operator: "DoesNotExist" },
      ],
    });
    expect(formatLabelSelector(matcher)).toBe("app=web,!gone,tier in (be,fe)");
    expect(matchLabels(matcher, OBJECTS["a"])).toBe(true);
    expect(matchLabels(matcher, OBJECTS["c"])).toBe(false);
  });

  it("refuses an unknown operator", () => {
    expect(() => labelSelectorFromObject({ matchExpressions: [{ key: "a", operator: "Gt" }] })).toThrow(
      '"Gt" is not a valid label selector operator',
    );
  });
});
