import { type FieldError, formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { CronJob, Job, JobSpec } from "../generated/batch-v1.generated.ts";
import { cronJobs } from "./cronjob/index.ts";
import { jobs } from "./job/index.ts";

const NOW = Date.parse("2026-01-01T01:00:00Z");
const podSpec = { restartPolicy: "Never", containers: [{ name: "c", image: "nginx:1.25" }] };

function made(spec: Partial<JobSpec> = {}, name = "j"): Job {
  const job: Job = {
    metadata: { name, namespace: "default", uid: "u1" },
    spec: { template: { spec: structuredClone(podSpec) }, ...spec },
  };
  jobs.defaults?.(job);
  jobs.strategy.prepareForCreate?.(job, { nowMs: 0 });
  return job;
}

function changed(job: Job, change: (job: Job) => void): Job {
  const updated = structuredClone(job);
  change(updated);
  jobs.defaults?.(updated);
  return updated;
}

function message(errors: FieldError[] | undefined): string {
  return errors === undefined || errors.length === 0 ? "" : formatFieldErrors(errors);
}

const LABELS = {
  "batch.kubernetes.io/controller-uid": "u1",
  "batch.kubernetes.io/job-name": "j",
  "controller-uid": "u1",
  "job-name": "j",
};

describe("a job", () => {
  it("selects its pods by its own uid", () => {
    const job = made();
    expect(job.metadata.labels).toEqual(LABELS);
    expect(job.spec.template.metadata).toEqual({ labels: LABELS });
    expect(job.spec).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "u1" } },
      manualSelector: false,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: "TerminatingOrFailed",
    });
    expect(job.status).toEqual({});
    expect(jobs.strategy.validate?.(job)).toEqual([]);
  });

  it("keeps a selector of its own", () => {
    const job = made({
      manualSelector: true,
      selector: { matchLabels: { z: "z" } },
      template: { metadata: { labels: { z: "z" } }, spec: structuredClone(podSpec) },
    });
    expect(job.metadata.labels).toEqual({ z: "z" });
    expect(job.spec.selector).toEqual({ matchLabels: { z: "z" } });
    expect(jobs.strategy.validate?.(job)).toEqual([]);
  });

  it("has no limit of its own when each index has one", () => {
    const { spec } = made({ completions: 2, completionMode: "Indexed", backoffLimitPerIndex: 1 });
    expect(spec.backoffLimit).toBe(2_147_483_647);
  });

  it("waits for pods to be gone when failures have rules", () => {
    const { spec } = made({
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
    });
    expect(spec.podReplacementPolicy).toBe("Failed");
    expect(spec.podFailurePolicy?.rules[0]?.onPodConditions?.[0]?.status).toBe("True");
  });

  it.each<[string, Partial<JobSpec>, string]>([
    [
      "pods that are always restarted",
      { template: { spec: { ...podSpec, restartPolicy: "Always" } } },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [
      "negative numbers",
      { parallelism: -1, backoffLimit: -1 },
      "[spec.parallelism: Invalid value: -1: must be greater than or equal to 0, spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0]",
    ],
    [
      "indexes without a number of them",
      { completionMode: "Indexed", parallelism: 2 },
      "spec.completions: Required value: when completion mode is Indexed",
    ],
    [
      "a rule that says nothing",
      { podFailurePolicy: { rules: [{ action: "FailJob" }] } },
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
    ],
    [
      "exit codes out of order",
      {
        podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [2, 0] } }] },
      },
      "[spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator, spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,0]: must be ordered]",
    ],
    [
      "success by indexes that do not exist",
      { completions: 2, completionMode: "Indexed", successPolicy: { rules: [{ succeededIndexes: "0-5" }] } },
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"',
    ],
  ])("refuses %s", (_what, spec, expected) => {
    expect(message(jobs.strategy.validate?.(made(spec)))).toBe(expected);
  });

  it.each<[string, Partial<JobSpec>, (spec: JobSpec) => void, string]>([
    [
      "another parallelism",
      {},
      (spec) => {
        spec.parallelism = 3;
      },
      "",
    ],
    [
      "other completions",
      {},
      (spec) => {
        spec.completions = 3;
      },
      "spec.completions: Invalid value: 3: field is immutable",
    ],
    [
      "another size of an indexed job",
      { completions: 3, parallelism: 2, completionMode: "Indexed" },
      (spec) => {
        spec.completions = 4;
        spec.parallelism = 4;
      },
      "",
    ],
    [
      "other completions of an indexed job",
      { completions: 3, parallelism: 2, completionMode: "Indexed" },
      (spec) => {
        spec.completions = 5;
      },
      "spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism",
    ],
    [
      "other nodes while suspended",
      { suspend: true },
      (spec) => {
        spec.template.spec.nodeSelector = { a: "b" };
        spec.suspend = false;
      },
      "",
    ],
  ])("judges an update to %s", (_what, spec, change, expected) => {
    const old = made(spec);
    const updated = changed(old, (job) => change(job.spec));
    expect(message(jobs.strategy.validateUpdate?.(updated, old))).toBe(expected);
  });

  it("keeps its template, and shows what was asked instead", () => {
    const old = made();
    const updated = changed(old, ({ spec }) => {
      spec.template.spec.containers[0]!.image = "x:1";
    });
    const shown = message(jobs.strategy.validateUpdate?.(updated, old));
    const labels = JSON.stringify(Object.fromEntries(Object.entries(LABELS).sort()));
    expect(shown).toMatch(/^spec\.template: Invalid value: \{"labels":/);
    expect(shown).toContain(
      '"Spec":{"Volumes":null,"InitContainers":null,"Containers":[{"Name":"c","Image":"x:1"',
    );
    expect(shown).toMatch(/"HostnameOverride":null,"SchedulingGroup":null\}\}: field is immutable$/);
    expect(JSON.parse(labels)).toEqual(LABELS);
  });

  it.each<[string, Job["status"] & object, Job["status"] & object, string]>([
    [
      "an end without a reason",
      {},
      { startTime: "2026-01-01T00:00:00Z", conditions: [{ type: "Failed", status: "True" }] },
      "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
    ],
    [
      "fewer failures",
      { failed: 2 },
      { failed: 1 },
      "status.failed: Invalid value: 1: cannot decrease the failed counter",
    ],
    [
      "indexes of a job without",
      {},
      { completedIndexes: "0" },
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    ],
    ["a running job", {}, { active: 1, ready: 1, startTime: "2026-01-01T00:00:00Z" }, ""],
    [
      "a completed job",
      { startTime: "2026-01-01T00:00:00Z", active: 1 },
      {
        startTime: "2026-01-01T00:00:00Z",
        completionTime: "2026-01-01T00:10:00Z",
        succeeded: 1,
        conditions: [
          { type: "SuccessCriteriaMet", status: "True" },
          { type: "Complete", status: "True" },
        ],
      },
      "",
    ],
  ])("judges the status of %s", (_what, before, status, expected) => {
    const old = { ...made(), status: before };
    expect(message(jobs.status?.validateUpdate?.({ ...old, status }, old))).toBe(expected);
  });

  it.each<[Partial<JobSpec>, Job["status"] & object, unknown[]]>([
    [{ completions: 3, parallelism: 2 }, {}, ["Running", "0/3", ""]],
    [{ parallelism: 2 }, {}, ["Running", "0/1 of 2", ""]],
    [
      {},
      {
        startTime: "2026-01-01T00:00:00Z",
        completionTime: "2026-01-01T00:01:30Z",
        succeeded: 1,
        conditions: [{ type: "Complete", status: "True" }],
      },
      ["Complete", "1/1", "90s"],
    ],
  ])("is shown with status, completions and duration: %o", (spec, status, expected) => {
    const job = { ...made(spec), status };
    expect(jobs.columns?.slice(1, 4).map((column) => column.cell(job, { nowMs: NOW }))).toEqual(expected);
  });
});

describe("a cron job", () => {
  const cronJob = (spec: Partial<CronJob["spec"]> = {}): CronJob => {
    const made: CronJob = {
      metadata: { name: "c", namespace: "default" },
      spec: {
        schedule: "*/5 * * * *",
        jobTemplate: { spec: { template: { spec: structuredClone(podSpec) } } },
        ...spec,
      },
    };
    cronJobs.defaults?.(made);
    return made;
  };

  it("gets defaults for itself, not for its jobs", () => {
    const { spec } = cronJob();
    expect(spec).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    expect(Object.keys(spec.jobTemplate.spec)).toEqual(["template"]);
    expect(spec.jobTemplate.spec.template.spec.dnsPolicy).toBe("ClusterFirst");
  });

  it.each<[string, Partial<CronJob["spec"]>, string]>([
    ["a good one", { timeZone: "Europe/Paris" }, ""],
    [
      "a bad schedule",
      { schedule: "61 * * * *" },
      'spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
    ],
    [
      "a zone in the schedule",
      { schedule: "TZ=UTC * * * * *" },
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
    [
      "an unknown zone",
      { timeZone: "Mars/Base" },
      'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
    ],
    [
      "an unknown policy",
      { concurrencyPolicy: "Maybe" },
      'spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      "a selector",
      { jobTemplate: { spec: { selector: {}, template: { spec: structuredClone(podSpec) } } } },
      "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated",
    ],
  ])("is judged: %s", (_what, spec, expected) => {
    expect(message(cronJobs.strategy.validate?.(cronJob(spec)))).toBe(expected);
  });

  it("has a name with room for the time", () => {
    const long = { ...cronJob(), metadata: { name: "a".repeat(53) } };
    expect(message(cronJobs.strategy.validate?.(long))).toContain("must be no more than 52 characters");
  });
});
