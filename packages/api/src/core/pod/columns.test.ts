import type { Column } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { ContainerState, Pod } from "../../generated/core-v1.generated.ts";
import { podColumns } from "./columns.ts";

const NOW = Date.parse("2026-01-01T01:00:00Z");

function row(pod: Pod): unknown[] {
  return podColumns.map((column: Column<Pod>) => column.cell(pod, { nowMs: NOW }));
}

function container(
  state: ContainerState,
  others: {
    ready?: boolean;
    restartCount?: number;
    name?: string;
    lastState?: ContainerState;
    started?: boolean;
  } = {},
): NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number] {
  return { name: "c", ready: false, restartCount: 0, image: "", imageID: "", state, ...others };
}

const one = { containers: [{ name: "c", image: "i" }] };

describe("the columns of a pod", () => {
  it("show everything of a pod in trouble", () => {
    const pod: Pod = {
      metadata: { name: "p", creationTimestamp: "2026-01-01T00:00:00Z" },
      spec: {
        containers: [
          { name: "a", image: "i" },
          { name: "b", image: "i" },
        ],
        readinessGates: [{ conditionType: "x.io/g" }],
      },
      status: {
        phase: "Running",
        podIPs: [{ ip: "1.2.3.4" }],
        containerStatuses: [
          container({ running: {} }, { name: "a", ready: true }),
          container(
            { waiting: { reason: "CrashLoopBackOff" } },
            {
              name: "b",
              restartCount: 3,
              lastState: { terminated: { exitCode: 1, finishedAt: "2026-01-01T00:55:00Z" } },
            },
          ),
        ],
      },
    };
    expect(row(pod)).toEqual([
      "p",
      "1/2",
      "CrashLoopBackOff",
      "3 (5m ago)",
      "60m",
      "1.2.3.4",
      "<none>",
      "<none>",
      "0/1",
    ]);
  });

  it.each<[string, Pod["status"] & object, Pod["metadata"], string]>([
    [
      "Completed",
      {
        phase: "Succeeded",
        containerStatuses: [container({ terminated: { exitCode: 0, reason: "Completed" } })],
      },
      {},
      "Completed",
    ],
    ["its reason", { phase: "Failed", reason: "Evicted" }, {}, "Evicted"],
    ["Terminating", { phase: "Running" }, { deletionTimestamp: "2026-01-01T00:00:00Z" }, "Terminating"],
    [
      "Unknown",
      { phase: "Running", reason: "NodeLost" },
      { deletionTimestamp: "2026-01-01T00:00:00Z" },
      "Unknown",
    ],
    [
      "SchedulingGated",
      {
        phase: "Pending",
        conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
      },
      {},
      "SchedulingGated",
    ],
    [
      "a failed init container",
      {
        phase: "Pending",
        initContainerStatuses: [container({ terminated: { exitCode: 3 } }, { name: "i" })],
      },
      {},
      "Init:ExitCode:3",
    ],
    [
      "the number of init containers",
      { phase: "Pending", initContainerStatuses: [container({ running: {} }, { name: "i" })] },
      {},
      "Init:0/1",
    ],
    [
      "a signal",
      { phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })] },
      {},
      "Signal:9",
    ],
  ])("show %s", (_what, status, metadata, expected) => {
    const spec = { ...one, initContainers: [{ name: "i", image: "i" }] };
    expect(row({ metadata: { name: "p", ...metadata }, spec, status })[2]).toBe(expected);
  });

  it("count sidecars that have started", () => {
    const spec = { ...one, initContainers: [{ name: "s", image: "i", restartPolicy: "Always" }] };
    const status = {
      phase: "Running",
      initContainerStatuses: [
        container({ running: {} }, { name: "s", ready: true, started: true, restartCount: 2 }),
      ],
      containerStatuses: [container({ running: {} }, { ready: true })],
    };
    expect(row({ metadata: { name: "p" }, spec, status }).slice(1, 4)).toEqual(["2/2", "Running", "2"]);
  });
});
