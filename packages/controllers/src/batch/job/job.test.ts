import type { Job, Pod } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { addOutcomes, noFailures, remainingMs } from "./backoff.ts";
import { judgeFailure, judgeSuccess } from "./failure-policy.ts";
import { expiresInMs } from "./index.ts";
import {
  addIndexes,
  countCommon,
  countIndexes,
  formatIndexes,
  hasIndex,
  parseIndexes,
} from "./index-ranges.ts";
import { isDone, planPods, verdict, viewJob } from "./job-plan.ts";
import { podOfJob } from "./job-pod.ts";
import { countReleased, listEnded } from "./tracking.ts";

const NOW = Date.UTC(2026, 0, 1, 1);
const never = (): boolean => false;

function job(spec: Partial<Job["spec"]> = {}, status: Job["status"] = {}): Job {
  return {
    metadata: { name: "j", namespace: "n", uid: "ju" },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      template: { spec: { restartPolicy: "Never", containers: [{ name: "c" }] } },
      ...spec,
    },
    status,
  };
}

interface PodOptions {
  phase?: string;
  index?: number;
  exitCode?: number;
  condition?: string;
  isTracked?: boolean;
  isDying?: boolean;
  failures?: number;
}

function pod(name: string, options: PodOptions = {}): Pod {
  const {
    phase = "Running",
    index,
    exitCode,
    condition,
    isTracked = true,
    isDying = false,
    failures,
  } = options;
  return {
    metadata: {
      name,
      namespace: "n",
      uid: name,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(isTracked ? { finalizers: ["batch.kubernetes.io/job-tracking"] } : {}),
      ...(isDying ? { deletionTimestamp: "2026-01-01T00:59:00Z" } : {}),
      annotations: {
        ...(index === undefined ? {} : { "batch.kubernetes.io/job-completion-index": String(index) }),
        ...(failures === undefined
          ? {}
          : { "batch.kubernetes.io/job-index-failure-count": String(failures) }),
      },
    },
    spec: { containers: [] },
    status: {
      phase,
      ...(condition === undefined ? {} : { conditions: [{ type: condition, status: "True" }] }),
      ...(exitCode === undefined
        ? {}
        : {
            containerStatuses: [
              {
                name: "c",
                ready: false,
                restartCount: 0,
                image: "",
                imageID: "",
                state: { terminated: { exitCode, finishedAt: "2026-01-01T00:59:58Z" } },
              },
            ],
          }),
    },
  };
}

function view(object: Job, ...pods: Pod[]) {
  const active = pods.filter(
    (each) =>
      each.metadata.deletionTimestamp === undefined &&
      !["Failed", "Succeeded"].includes(each.status?.phase ?? ""),
  );
  return viewJob(object, pods, active, 0, never);
}

describe("index ranges", () => {
  it.each([
    ["0,2-4,9", 10, "0,2-4,9", 5],
    ["0,1,2", 10, "0-2", 3],
    ["1,2", 10, "1,2", 2],
    ["3-20", 10, "3-9", 7],
    ["12", 10, "", 0],
    [undefined, 10, "", 0],
  ])("read %j of %i as %j", (text, completions, canonical, count) => {
    const ranges = parseIndexes(text, completions);
    expect([formatIndexes(ranges), countIndexes(ranges)]).toEqual([canonical, count]);
  });

  it("find, add and compare", () => {
    const ranges = parseIndexes("0,2-4", 10);
    expect([0, 1, 3, 5].map((index) => hasIndex(ranges, index))).toEqual([true, false, true, false]);
    expect(formatIndexes(addIndexes(ranges, [1, 7, 7]))).toBe("0-4,7");
    expect(countCommon(ranges, parseIndexes("3-9", 10))).toBe(2);
  });
});

describe("back-off", () => {
  it("doubles with each failure in a row and ends with a success", () => {
    const one = addOutcomes(noFailures, [], [NOW]);
    expect(remainingMs(one, NOW)).toBe(10_000);
    const three = addOutcomes(one, [], [NOW + 1000, NOW + 2000]);
    expect(remainingMs(three, NOW + 2000)).toBe(40_000);
    expect(remainingMs({ failures: 20, lastAtMs: NOW }, NOW)).toBe(600_000);
    expect(addOutcomes(three, [NOW + 3000], [NOW + 2500])).toBe(noFailures);
    expect(addOutcomes(three, [NOW + 3000], [NOW + 3500]).failures).toBe(1);
    expect(addOutcomes(three, [], [])).toBe(three);
  });
});

describe("policies", () => {
  const policy = {
    rules: [
      { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      { action: "FailIndex", onExitCodes: { operator: "NotIn", values: [1, 2] } },
    ],
  };

  it("judge failures as recorded", () => {
    expect(judgeFailure(policy, pod("p", { exitCode: 42 })).failJob).toBe(
      "Container c for pod n/p failed with exit code 42 matching FailJob rule at index 0",
    );
    expect(judgeFailure(policy, pod("p", { condition: "DisruptionTarget" })).isCounted).toBe(false);
    expect(judgeFailure(policy, pod("p", { exitCode: 3 }))).toMatchObject({
      failIndex: true,
      isCounted: true,
    });
    expect(judgeFailure(policy, pod("p", { exitCode: 1 }))).toEqual({ failIndex: false, isCounted: true });
    expect(judgeFailure(undefined, pod("p"))).toEqual({ failIndex: false, isCounted: true });
  });

  it.each([
    [{ succeededIndexes: "0" }, "0", "Matched rules at index 0"],
    [{ succeededIndexes: "0-2" }, "0,1", undefined],
    [{ succeededIndexes: "0-2", succeededCount: 2 }, "0,1", "Matched rules at index 0"],
    [{ succeededCount: 3 }, "0,1", undefined],
  ])("judge success by %o with %s done", (rule, done, message) => {
    expect(judgeSuccess({ rules: [rule] }, 5, parseIndexes(done, 5))).toBe(message);
  });
});

describe("planPods", () => {
  const created = (object: Job, ...pods: Pod[]) => planPods(view(object, ...pods), 0, NOW).create;

  it.each([
    [{ completions: 5, parallelism: 2 }, 0, 2],
    [{ completions: 5, parallelism: 2 }, 4, 1],
    [{ completions: 5, parallelism: 2, suspend: true }, 0, 0],
  ])("for %o with %i done creates %i", (spec, succeeded, count) => {
    expect(created(job(spec, { succeeded }))).toHaveLength(count);
  });

  it("lets a work queue run out once one pod has succeeded", () => {
    const { completions: _, ...spec } = job({ parallelism: 3 }).spec;
    const queue = { ...job(), spec };
    expect(created(queue)).toHaveLength(3);
    expect(created(queue, pod("a", { phase: "Succeeded" }), pod("b"))).toHaveLength(0);
    expect(isDone(view(queue, pod("a", { phase: "Succeeded" })), 0)).toBe(true);
  });

  it("waits after failures", () => {
    expect(planPods(view(job()), 5000, NOW)).toEqual({ delete: [], create: [], waitMs: 5000 });
  });

  it("fills the first free indexes and drops doubles", () => {
    const spec = { completionMode: "Indexed", completions: 5, parallelism: 3 };
    expect(created(job(spec, { completedIndexes: "0" }), pod("a", { index: 2 }))).toEqual([
      { index: 1 },
      { index: 3 },
    ]);
    const doubled = planPods(
      view(job({ ...spec, parallelism: 1 }), pod("a", { index: 0 }), pod("b", { index: 0 })),
      0,
      NOW,
    );
    expect(doubled.delete).toHaveLength(1);
  });

  it("tries an index again up to its limit", () => {
    const spec = { completionMode: "Indexed", completions: 2, parallelism: 2, backoffLimitPerIndex: 1 };
    const failed = pod("a", { index: 0, phase: "Failed", exitCode: 1, failures: 0 });
    const first = planPods(view(job(spec), failed, pod("b", { index: 1 })), 0, NOW);
    expect(first.waitMs).toBe(8000);
    const again = planPods(view(job(spec), failed, pod("b", { index: 1 })), 0, NOW + 8000);
    expect(again.create).toEqual([{ index: 0, failures: 1 }]);
    const second = view(job(spec), pod("a", { index: 0, phase: "Failed", exitCode: 1, failures: 1 }));
    expect(formatIndexes(second.failedIndexes)).toBe("0");
  });

  it("waits for pods that are stopping where only failed ones are replaced", () => {
    const object = job({ podReplacementPolicy: "Failed" });
    const stopping = pod("a", { isDying: true });
    expect(planPods(viewJob(object, [stopping], [], 1, never), 0, NOW).create).toEqual([]);
    expect(planPods(viewJob(job(), [stopping], [], 1, never), 0, NOW).create).toHaveLength(1);
  });
});

describe("verdict", () => {
  const reason = (object: Job, ...pods: Pod[]) => verdict(view(object, ...pods), NOW)?.reason;
  const failed = pod("a", { phase: "Failed", exitCode: 1 });

  it.each([
    [job(), [failed], undefined],
    [job({ backoffLimit: 0 }), [failed], "BackoffLimitExceeded"],
    [job({ backoffLimit: 1 }, { failed: 1 }), [failed], "BackoffLimitExceeded"],
    [job({ activeDeadlineSeconds: 60 }, { startTime: "2026-01-01T00:59:00Z" }), [], "DeadlineExceeded"],
    [job({ activeDeadlineSeconds: 61 }, { startTime: "2026-01-01T00:59:00Z" }), [], undefined],
    [
      job({
        podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }] },
      }),
      [failed],
      "PodFailurePolicy",
    ],
  ] as const)("(%#) is %s", (object, pods, expected) => {
    expect(reason(object, ...pods)).toBe(expected);
  });

  it("counts restarts of pods that restart in place", () => {
    const restarting = pod("a");
    restarting.status = {
      phase: "Running",
      containerStatuses: [{ name: "c", ready: true, restartCount: 2, image: "", imageID: "" }],
    };
    const template = { spec: { restartPolicy: "OnFailure", containers: [] } };
    expect(reason(job({ template, backoffLimit: 2 }), restarting)).toBe("BackoffLimitExceeded");
    expect(reason(job({ template, backoffLimit: 3 }), restarting)).toBeUndefined();
  });

  it("stays what it was", () => {
    const condition = { type: "FailureTarget", status: "True", reason: "X" };
    expect(verdict(view(job({}, { conditions: [condition] })), NOW)).toBe(condition);
  });
});

describe("tracking", () => {
  const ended = (object: Job, outcome: "open" | "succeeded" | "failed", ...pods: Pod[]) =>
    listEnded(view(object, ...pods), object.status ?? {}, outcome, never);

  it("lists what ended, then counts it once the finalizer is off", () => {
    const object = job();
    const { status, release } = ended(
      object,
      "open",
      pod("a", { phase: "Succeeded" }),
      pod("b", { phase: "Failed" }),
      pod("c"),
    );
    expect(status.uncountedTerminatedPods).toEqual({ succeeded: ["a"], failed: ["b"] });
    expect(release.map((each) => each.metadata.name)).toEqual(["a", "b"]);
    const half = countReleased(status, new Set(["b"]));
    expect(half).toMatchObject({ succeeded: 1, uncountedTerminatedPods: { failed: ["b"] } });
    expect(countReleased(half, new Set())).toMatchObject({
      succeeded: 1,
      failed: 1,
      uncountedTerminatedPods: {},
    });
  });

  it("lists nothing twice, and nothing without the finalizer", () => {
    const object = job({}, { uncountedTerminatedPods: { succeeded: ["a"] } });
    const pods = [pod("a", { phase: "Succeeded" }), pod("b", { phase: "Failed", isTracked: false })];
    expect(ended(object, "open", ...pods).status.uncountedTerminatedPods).toEqual({ succeeded: ["a"] });
  });

  it("takes pods that still run for failed when the Job fails, and for nothing when it succeeds", () => {
    expect(ended(job(), "failed", pod("a")).status.uncountedTerminatedPods).toEqual({ failed: ["a"] });
    const succeeded = ended(job(), "succeeded", pod("a"));
    expect(succeeded.status.uncountedTerminatedPods).toEqual({});
    expect(succeeded.release).toHaveLength(1);
  });

  it("counts indexes instead of pods in an indexed Job", () => {
    const object = job({ completionMode: "Indexed", completions: 3 }, { completedIndexes: "1" });
    const { status } = ended(
      object,
      "open",
      pod("b", { index: 1, phase: "Succeeded" }),
      pod("a", { index: 0, phase: "Succeeded" }),
    );
    expect(status).toMatchObject({ succeeded: 2, completedIndexes: "0,1", uncountedTerminatedPods: {} });
  });
});

describe("podOfJob", () => {
  it("tells an indexed pod its index in every way", () => {
    const made = podOfJob(job(), { index: 3, failures: 1 });
    expect(made.metadata).toMatchObject({
      generateName: "j-3-",
      finalizers: ["batch.kubernetes.io/job-tracking"],
      labels: { "batch.kubernetes.io/job-completion-index": "3" },
      annotations: {
        "batch.kubernetes.io/job-completion-index": "3",
        "batch.kubernetes.io/job-index-failure-count": "1",
      },
    });
    expect(made.spec.hostname).toBe("j-3");
    expect(made.spec.containers[0]?.env?.[0]?.name).toBe("JOB_COMPLETION_INDEX");
    expect(podOfJob(job(), {}).metadata.generateName).toBe("j-");
  });
});

describe("expiresInMs", () => {
  it("counts from the end of the Job", () => {
    const conditions = [{ type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:59:30Z" }];
    expect(expiresInMs(job({ ttlSecondsAfterFinished: 60 }, { conditions }), NOW)).toBe(30_000);
    expect(expiresInMs(job({ ttlSecondsAfterFinished: 0 }, { conditions }), NOW)).toBe(0);
    expect(expiresInMs(job({}, { conditions }), NOW)).toBeUndefined();
    expect(expiresInMs(job({ ttlSecondsAfterFinished: 60 }), NOW)).toBeUndefined();
  });
});
