import { expect, it } from "vitest";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.ts";

it("reads back what it wrote", () => {
  const token = { revision: 42, after: "default/web" };
  expect(decodeContinueToken(encodeContinueToken(token))).toEqual(token);
});

it.each([
  ["eyJ2IjoidjkiLCJydiI6NSwic3RhcnQiOiJ6eiJ9", "server does not recognize this encoded version v9"],
  ["eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJ6eiJ9", "incorrect encoded start resourceVersion"],
  ["eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi96eiJ9", "continue key is not valid: ../zz"],
  ["garbage", "continue key is not valid"],
])("refuses %s", (text, why) => {
  expect(() => decodeContinueToken(text)).toThrow(why);
});
