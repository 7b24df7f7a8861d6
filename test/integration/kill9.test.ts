import { createRealClock } from "@binnacle/base";
import { expect, it } from "vitest";
import { runKill9 } from "../../scripts/soak/kill9.ts";

it("loses no acknowledged write when the process is killed in the middle of many", async () => {
  const lines: string[] = [];
  const summary = await runKill9({
    seed: 7,
    rounds: 3,
    writes: 1_500,
    clock: createRealClock(),
    report: (line) => lines.push(line),
  });
  expect(summary.rounds).toBe(3);
  expect(summary.acknowledged).toBeGreaterThan(300);
  expect(lines).toHaveLength(3);
}, 60_000);
