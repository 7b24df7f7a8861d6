import {
  type FieldError,
  invalid,
  notSupported,
  required,
  validateNonNegative,
} from "@binnacle/apimachinery";
import { shownSelector } from "../../core/pod/template.ts";
import type { CronJob, CronJobSpec, JobSpec, JobTemplateSpec } from "../../generated/batch-v1.generated.ts";
import { validateJobSpec } from "../job/spec-validation.ts";
import { CronScheduleError, parseCronSchedule } from "./cron-schedule.ts";

/** A job's name ends in `-` and ten digits, and may have 63 characters. */
const MAX_NAME = 52;

/** Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateCronJobCreate. */
export function validateCronJob({ metadata, spec }: CronJob): FieldError[] {
  const errors = validateSpec(spec, undefined);
  const name = metadata.name ?? "";
  if (name.length > MAX_NAME) {
    errors.push(invalid("metadata.name", name, `must be no more than ${MAX_NAME} characters`));
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateCronJobUpdate. */
export function validateCronJobUpdate(updated: CronJob, old: CronJob): FieldError[] {
  return validateSpec(updated.spec, old.spec);
}

const POLICIES: readonly string[] = ["Allow", "Forbid", "Replace"];

function validateSpec(spec: CronJobSpec, old: CronJobSpec | undefined): FieldError[] {
  const { schedule, timeZone, concurrencyPolicy } = spec;
  const errors = schedule
    ? validateSchedule(schedule, old?.schedule.includes("TZ") === true, timeZone)
    : [required("spec.schedule")];
  errors.push(...validateNonNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"));
  if (timeZone !== undefined && timeZone !== old?.timeZone) errors.push(...validateTimeZone(timeZone));
  if (!concurrencyPolicy) errors.push(required("spec.concurrencyPolicy"));
  else if (!POLICIES.includes(concurrencyPolicy)) {
    errors.push(notSupported("spec.concurrencyPolicy", concurrencyPolicy, POLICIES));
  }
  return [
    ...errors,
    ...validateJobTemplate(spec.jobTemplate, "spec.jobTemplate"),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
    ...validateNonNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
  ];
}

/** A zone within the schedule was never meant to be; objects that have one keep it. */
function validateSchedule(
  schedule: string,
  mayNameZone: boolean,
  timeZone: string | undefined,
): FieldError[] {
  const path = "spec.schedule";
  const errors: FieldError[] = [];
  try {
    parseCronSchedule(schedule);
  } catch (error) {
    if (!(error instanceof CronScheduleError)) throw error;
    errors.push(invalid(path, schedule, error.message));
  }
  if (!schedule.includes("TZ")) return errors;
  if (!mayNameZone) {
    const why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    errors.push(invalid(path, schedule, why));
  } else if (timeZone !== undefined) {
    const why = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
    errors.push(invalid(path, schedule, why));
  }
  return errors;
}

function validateTimeZone(timeZone: string): FieldError[] {
  const path = "spec.timeZone";
  if (timeZone === "") {
    return [{ type: "FieldValueInvalid", path, body: 'Invalid value: "": must be at least 1 bytes' }];
  }
  const unknown = [invalid(path, timeZone, `unknown time zone ${timeZone}`)];
  const isBadPart = (part: string): boolean =>
    part === "." || part === ".." || part.startsWith("-") || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (timeZone.split("/").some(isBadPart)) return unknown;
  if (timeZone.toLowerCase() === "local") {
    const why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [invalid(path, timeZone, why), ...unknown.filter(() => timeZone !== "Local")];
  }
  return isTimeZone(timeZone) ? [] : unknown;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJobTemplateSpec. */
function validateJobTemplate(template: JobTemplateSpec | undefined, path: string): FieldError[] {
  // What decodes from nothing has no pod template; it is reported.
  const spec = template?.spec ?? ({} as JobSpec);
  const errors = validateJobSpec(spec, `${path}.spec`);
  if (spec.selector !== undefined) {
    errors.push(
      invalid(`${path}.spec.selector`, shownSelector(spec.selector), "`selector` will be auto-generated"),
    );
  }
  if (spec.manualSelector === true) {
    errors.push(notSupported(`${path}.spec.manualSelector`, true, ["nil", "false"]));
  }
  return errors;
}
