import { describe, expect, it } from "vitest";
import { LineSplitter } from "./json-lines.ts";
import { readJson } from "./read-json.ts";
import { responseError } from "./response-error.ts";
import { parseWarningHeaders } from "./warning-header.ts";

describe("LineSplitter", () => {
  it.each([1, 2, 3, 7, 100])("finds the lines whatever the chunks (%i bytes)", (size) => {
    const bytes = Buffer.from('{"a":"é"}\n\n{"b":2}\n{"c":3}');
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
    splitter.end();
    expect(lines).toEqual(['{"a":"é"}', '{"b":2}', '{"c":3}']);
  });

  it("refuses a line that never ends", () => {
    const splitter = new LineSplitter(() => {}, 10);
    splitter.push(Buffer.from("12345678"));
    expect(() => splitter.push(Buffer.from("9012"))).toThrow("a line of more than 10 characters");
  });
});

describe("readJson", () => {
  it("keeps integers that a number cannot hold", () => {
    expect(readJson('{"a":9007199254740993,"b":1.0,"c":[2.0],"__proto__":{"x":1e2}}')).toEqual(
      JSON.parse('{"a":0,"b":1,"c":[2],"__proto__":{"x":100}}', (key, value) =>
        key === "a" ? 9007199254740993n : value,
      ),
    );
  });
});

describe("parseWarningHeaders", () => {
  it.each([
    [undefined, []],
    ['299 - "v1 is old"', ["v1 is old"]],
    ['299 - "say \\"hi\\"", 299 - "two"', ['say "hi"', "two"]],
    [
      ['299 - "a"', '299 agent "b" "Sat, 01 Jan 2000 00:00:00 GMT"'],
      ["a", "b"],
    ],
    ["nonsense", []],
  ])("reads %j", (header, texts) => {
    expect(parseWarningHeaders(header)).toEqual(texts);
  });
});

describe("responseError", () => {
  it("is the Status in the body", () => {
    const body =
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no","reason":"NotFound","code":404}';
    expect(responseError(404, body, undefined)).toMatchObject({
      message: "no",
      reason: "NotFound",
      code: 404,
    });
  });

  it.each([
    [404, "<html>", "NotFound", "the server could not find the requested resource"],
    [
      502,
      "bad gateway",
      "",
      "the server responded with the status code 502 but did not return more information",
    ],
    [403, "go away", "Forbidden", "go away"],
  ])("is made up for %i without a Status", (code, body, reason, message) => {
    expect(responseError(code, body, undefined)).toMatchObject({ code, reason, message });
  });
});
