import {
  applyRule,
  dnsSubdomain,
  type FieldError,
  invalid,
  qualifiedName,
  required,
  validateImmutable,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { Event } from "../../generated/core-v1.generated.ts";

const MAX_NAME_LENGTH = 128;
const MAX_NOTE_LENGTH = 1024;
const NAMESPACE_MISMATCH = "does not match event.namespace";

/**
 * The rules of core v1; those with an eventTime must be complete.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/events.go, legacyValidateEvent.
 */
export function validateEvent(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.metadata.namespace ?? "";
  const about = event.involvedObject.namespace ?? "";
  const mismatch = invalid("involvedObject.namespace", about, NAMESPACE_MISMATCH);
  if (!event.eventTime) {
    const isClusterScoped = about === "" && (namespace === "" || namespace === "default");
    if (about !== namespace && !isClusterScoped) errors.push(mismatch);
  } else {
    if (about === "" && namespace !== "default" && namespace !== "kube-system") errors.push(mismatch);
    const controller = event.reportingComponent ?? "";
    if (controller === "") errors.push(required("reportingComponent"));
    errors.push(...applyRule(qualifiedName, controller, "reportingComponent"));
    errors.push(...requireText(event.reportingInstance, "reportingInstance"));
    errors.push(...requireText(event.action, "action"));
    errors.push(...requireText(event.reason, "reason"));
    errors.push(...limitText(event.message, "message", MAX_NOTE_LENGTH));
  }
  errors.push(...applyRule(dnsSubdomain, namespace, "namespace"));
  return errors;
}

function requireText(value: string | undefined, path: string): FieldError[] {
  return value ? limitText(value, path, MAX_NAME_LENGTH) : [required(path)];
}

function limitText(value: string | undefined, path: string, limit: number): FieldError[] {
  return (value ?? "").length > limit ? [invalid(path, "", `can have at most ${limit} characters`)] : [];
}

/** What events.k8s.io/v1 asks for beyond. Source: events.go, ValidateEventCreate. */
export function validateNewStyleEvent(event: Event): FieldError[] {
  const errors = validateSeries(event);
  if (!event.eventTime) errors.push(required("eventTime"));
  if (event.type !== "Normal" && event.type !== "Warning") {
    errors.push(invalid("type", "", `has invalid value: ${event.type ?? ""}`));
  }
  const unset = "needs to be unset";
  if (event.firstTimestamp) errors.push(invalid("firstTimestamp", "", unset));
  if (event.lastTimestamp) errors.push(invalid("lastTimestamp", "", unset));
  if (event.count) errors.push(invalid("count", "", unset));
  if (event.source?.component || event.source?.host) errors.push(invalid("source", "", unset));
  return errors;
}

/** Through events.k8s.io/v1 only the series changes. Source: events.go, ValidateEventUpdate. */
export function validateNewStyleEventUpdate(updated: Event, old: Event): FieldError[] {
  const errors = jsonEquals(updated.series, old.series) ? [] : validateSeries(updated);
  for (const field of FIXED_FIELDS) errors.push(...validateImmutable(updated[field], old[field], field));
  return errors;
}

const FIXED_FIELDS = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingComponent",
  "reportingInstance",
] as const;

function validateSeries({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid("series.count", "", "should be at least 2"));
  if (!series.lastObservedTime) errors.push(required("series.lastObservedTime"));
  return errors;
}
