import { expect, it } from "vitest";
import { columnsOf } from "./terminal.ts";

it.each([
  [undefined, 80],
  [0, 80],
  [132, 132],
])("takes a terminal of %j columns to have %i", (columns, expected) => {
  expect(columnsOf({ columns })).toBe(expected);
});
