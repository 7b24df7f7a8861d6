import type { UnstructuredObject } from "@binnacle/apimachinery";
import type { Event } from "../../generated/core-v1.generated.ts";
import type { Event as NewEvent } from "../../generated/events-v1.generated.ts";

/** What events.k8s.io/v1 calls the fields of core v1; those not named are called the same. */
const NEW_NAMES: ReadonlyMap<string, string> = new Map([
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
]);
const OLD_NAMES: ReadonlyMap<string, string> = new Map([...NEW_NAMES].map(([old, name]) => [name, old]));

/** Fields that core v1 always writes and events.k8s.io/v1 leaves out when empty. */
const EMPTY_IN_CORE: readonly string[] = ["reportingController", "reportingInstance"];

/** Source: kubernetes v1.36 pkg/apis/events/v1/conversion.go, Convert_core_Event_To_v1_Event. */
export function toNewEvent(event: Event): UnstructuredObject {
  const out: UnstructuredObject = { metadata: event.metadata };
  for (const [name, value] of Object.entries(event)) out[NEW_NAMES.get(name) ?? name] = value;
  for (const name of EMPTY_IN_CORE) if (out[name] === "") delete out[name];
  return out;
}

/** Source: kubernetes v1.36 pkg/apis/events/v1/conversion.go, Convert_v1_Event_To_core_Event. */
export function fromNewEvent(object: UnstructuredObject): Event {
  const event = object as unknown as NewEvent; // Decoded by the schema of events.k8s.io/v1.
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event)) out[OLD_NAMES.get(name) ?? name] = value;
  out["involvedObject"] ??= {};
  for (const name of ["reportingComponent", "reportingInstance"]) out[name] ??= "";
  out["source"] ??= {};
  for (const name of ["firstTimestamp", "lastTimestamp", "eventTime"]) out[name] ??= null;
  return out as unknown as Event; // Every field was renamed to what core v1 calls it.
}
