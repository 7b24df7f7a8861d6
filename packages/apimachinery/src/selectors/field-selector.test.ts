import { describe, expect, it } from "vitest";
import {
  formatFieldSelector,
  matchFields,
  parseFieldSelector,
  requiredFieldValue,
} from "./field-selector.ts";

const POD: Readonly<Record<string, string>> = {
  "metadata.name": "web",
  "status.phase": "Running",
  "spec.nodeName": "",
  odd: "a,b=c\\d",
};

describe("parseFieldSelector", () => {
  it.each([
    ["", true],
    ["metadata.name=web", true],
    ["metadata.name==web", true],
    ["metadata.name!=web", false],
    ["metadata.name=web,status.phase!=Running", false],
    ["spec.nodeName=", true],
    ["missing=", true],
    ["odd=a\\,b\\=c\\\\d", true],
    [",,metadata.name=web,", true],
  ])("%j matches: %s", (text, matches) => {
    expect(matchFields(parseFieldSelector(text), (field) => POD[field])).toBe(matches);
  });

  it.each([
    ["abc", "invalid selector: 'abc'; can't understand 'abc'"],
    ["a=1,b", "invalid selector: 'a=1,b'; can't understand 'b'"],
    ["a=b=c", "invalid field selector: unescaped character in value: 61"],
    ["a=\\x", "invalid field selector: invalid escape sequence: \\x"],
    ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
  ])("refuses %j", (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ message, code: 400 }));
  });

  it("tells which value a field must have", () => {
    const matcher = parseFieldSelector("metadata.name=web,status.phase!=Running");
    expect(requiredFieldValue(matcher, "metadata.name")).toBe("web");
    expect(requiredFieldValue(matcher, "status.phase")).toBeUndefined();
  });

  it("formats what it read, escaped", () => {
    const text = "a=x\\,y,b!=z\\=";
    expect(formatFieldSelector(parseFieldSelector(text))).toBe(text);
    expect(formatFieldSelector(parseFieldSelector("a==b"))).toBe("a=b");
  });
});
