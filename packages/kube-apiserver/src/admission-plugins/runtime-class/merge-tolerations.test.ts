import type { Toleration } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { mergeTolerations } from "./merge-tolerations.ts";

const gpu: Toleration = { key: "gpu", operator: "Exists", effect: "NoSchedule" };
const oneGpu: Toleration = { key: "gpu", operator: "Equal", value: "a", effect: "NoSchedule" };
const everything: Toleration = { operator: "Exists" };
const soon: Toleration = { key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 };
const forever: Toleration = { key: "k", operator: "Exists", effect: "NoExecute" };

describe("mergeTolerations", () => {
  it.each<[string, Toleration[], Toleration[], Toleration[]]>([
    ["keeps what has nothing to do with each other", [gpu], [soon], [gpu, soon]],
    ["keeps equal ones once", [gpu, soon], [gpu], [gpu, soon]],
    ["drops what comes after and is included", [gpu], [oneGpu], [gpu]],
    ["drops what comes before and is included", [oneGpu, soon], [everything], [everything]],
    ["keeps those that tolerate longer", [soon], [forever], [forever]],
    ["does not take a short one for a long one", [forever], [soon], [forever]],
    ["keeps values apart", [oneGpu], [{ ...oneGpu, value: "b" }], [oneGpu, { ...oneGpu, value: "b" }]],
  ])("%s", (_title, first, second, expected) => {
    expect(mergeTolerations(first, second)).toEqual(expected);
  });
});
