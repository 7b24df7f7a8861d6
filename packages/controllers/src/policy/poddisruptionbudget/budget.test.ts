import type { Pod, PodDisruptionBudget } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { budgetStatus, countHealthy, failedStatus, healthyWanted, pendingDisruptions } from "./budget.ts";

const NOW = Date.UTC(2026, 0, 1, 0, 2);

function budget(
  spec: PodDisruptionBudget["spec"],
  status?: PodDisruptionBudget["status"],
): PodDisruptionBudget {
  return { metadata: { name: "b", generation: 3 }, spec, ...(status === undefined ? {} : { status }) };
}

function pod(name: string, ready = true, dying = false): Pod {
  return {
    metadata: { name, ...(dying ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) },
    spec: { containers: [] },
    status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

describe("healthyWanted", () => {
  it.each([
    [{ minAvailable: 2 }, 5, 10, { expected: 5, desired: 2 }],
    [{ minAvailable: "50%" }, 5, 7, { expected: 7, desired: 4 }],
    [{ maxUnavailable: 1 }, 5, 7, { expected: 7, desired: 6 }],
    [{ maxUnavailable: "30%" }, 5, 7, { expected: 7, desired: 4 }],
    [{ maxUnavailable: 10 }, 5, 7, { expected: 7, desired: 0 }],
    [{}, 5, 7, { expected: 0, desired: 0 }],
  ])("of %o with %i pods of %i", (spec, count, scale, wanted) => {
    expect(healthyWanted(budget(spec), count, scale)).toEqual(wanted);
  });
});

describe("pendingDisruptions", () => {
  it("keeps promises that have neither been kept nor run out", () => {
    const status = {
      disruptedPods: {
        going: "2026-01-01T00:01:00Z",
        late: "2026-01-01T00:00:00Z",
        gone: "2026-01-01T00:01:00Z",
        dying: "2026-01-01T00:01:00Z",
      },
    };
    const pods = [pod("going"), pod("late"), pod("dying", true, true)];
    expect(pendingDisruptions(budget({}, status), pods, NOW)).toEqual({
      pending: { going: "2026-01-01T00:01:00Z" },
      expired: [pods[1]],
      recheckMs: 60_000,
    });
  });
});

describe("budgetStatus", () => {
  it("allows what is healthy beyond what is wanted", () => {
    const pods = [pod("a"), pod("b"), pod("c", false), pod("d", true, true), pod("e")];
    expect(countHealthy(pods, { e: "2026-01-01T00:01:00Z" })).toBe(2);
    const numbers = { healthy: 2, desired: 1, expected: 5 };
    expect(budgetStatus(budget({}), numbers, {}, NOW)).toEqual({
      observedGeneration: 3,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 5,
      conditions: [
        {
          type: "DisruptionAllowed",
          status: "True",
          observedGeneration: 3,
          reason: "SufficientPods",
          message: "",
          lastTransitionTime: "2026-01-01T00:02:00Z",
        },
      ],
    });
    expect(budgetStatus(budget({}), { healthy: 1, desired: 2, expected: 5 }, {}, NOW)).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: "False", reason: "InsufficientPods" }],
    });
    expect(
      budgetStatus(budget({}), { healthy: 1, desired: 0, expected: 0 }, {}, NOW).disruptionsAllowed,
    ).toBe(0);
  });

  it("allows nothing when the numbers are not known", () => {
    const status = { disruptionsAllowed: 3, currentHealthy: 4 };
    expect(failedStatus(budget({}, status), "why", NOW)).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 4,
      conditions: [{ status: "False", reason: "SyncFailed", message: "why" }],
    });
  });
});
