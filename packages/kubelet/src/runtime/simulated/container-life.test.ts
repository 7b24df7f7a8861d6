import { describe, expect, it } from "vitest";
import { type ContainerPlan, containerLifeAt } from "./container-life.ts";

const plan = (changes: Partial<ContainerPlan>): ContainerPlan => ({
  startAtMs: 1_000,
  runDurationMs: undefined,
  exitCode: 0,
  readyAfterMs: 0,
  restartPolicy: "Always",
  ...changes,
});

describe("containerLifeAt", () => {
  it.each([
    ["waits until it starts", plan({}), 500, "waiting", 0, 1_000],
    ["runs for ever without a duration", plan({}), 9e9, "running", 0, undefined],
    ["becomes ready later", plan({ readyAfterMs: 5_000 }), 2_000, "running", 0, 6_000],
    [
      "ends for good when it succeeded and may only restart on failure",
      plan({ runDurationMs: 100, restartPolicy: "OnFailure" }),
      1_200,
      "terminated",
      0,
      undefined,
    ],
    [
      "ends for good when it may never restart",
      plan({ runDurationMs: 100, exitCode: 1, restartPolicy: "Never" }),
      1_200,
      "terminated",
      0,
      undefined,
    ],
    [
      "restarts at once the first time",
      plan({ runDurationMs: 100, exitCode: 1 }),
      1_150,
      "running",
      1,
      1_200,
    ],
    [
      "backs off from the second restart on",
      plan({ runDurationMs: 100, exitCode: 1 }),
      1_250,
      "waiting",
      1,
      11_200,
    ],
    [
      "runs again after the back-off",
      plan({ runDurationMs: 100, exitCode: 1 }),
      11_250,
      "running",
      2,
      11_300,
    ],
  ])("%s", (_title, input, nowMs, state, restarts, next) => {
    const life = containerLifeAt(input, nowMs);
    expect([life.phase.state, life.restarts, life.nextChangeAtMs]).toEqual([state, restarts, next]);
  });
});
