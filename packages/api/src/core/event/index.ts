import { ageOf, type Column, type ResourceDefinition } from "@binnacle/apimachinery";
import { columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import type { Event } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { fromNewEvent, toNewEvent } from "./conversion.ts";
import { validateEvent, validateNewStyleEvent, validateNewStyleEventUpdate } from "./validation.ts";

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printEvent. */
const columns: readonly Column<Event>[] = columnsFor<Event>("events", [
  text("Last Seen", (event, { nowMs }) =>
    ageOf(event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event), nowMs),
  ),
  text("Type", ({ type }) => type ?? ""),
  text("Reason", ({ reason }) => reason ?? ""),
  text("Object", ({ involvedObject: { kind = "", name } }) =>
    name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
  ),
  wide("Subobject", ({ involvedObject }) => involvedObject.fieldPath ?? ""),
  wide("Source", sourceOf),
  text("Message", ({ message }) => (message ?? "").trim()),
  wide("First Seen", (event, { nowMs }) => ageOf(firstSeen(event), nowMs)),
  wide("Count", ({ series, count }) => series?.count ?? (count || 1)),
  { ...nameColumn, priority: 1 },
]);

/** What happened to an object. Stored once, served as core v1 and as events.k8s.io/v1. */
export const events: ResourceDefinition<Event> = {
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  singular: "event",
  listKind: "EventList",
  namespaced: true,
  shortNames: ["ev"],
  schema: builtinSchema("core.v1.Event"),
  strategy: { allowCreateOnUpdate: true, validate: validateEvent, validateUpdate: validateEvent },
  columns,
  otherVersions: [
    {
      group: "events.k8s.io",
      version: "v1",
      kind: "Event",
      resource: "events",
      schema: builtinSchema("events.v1.Event"),
      toHub: fromNewEvent,
      fromHub: toNewEvent,
      columns,
      validate: validateNewStyleEvent,
      validateUpdate: validateNewStyleEventUpdate,
    },
  ],
  selectableFieldNames: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingComponent",
    "reportingController",
    "source",
    "type",
  ],
  selectableFields: (event) => {
    const fields: Record<string, string> = {
      reason: event.reason ?? "",
      reportingComponent: event.reportingComponent ?? "",
      reportingController: event.reportingComponent ?? "",
      source: event.source?.component || (event.reportingComponent ?? ""),
      type: event.type ?? "",
    };
    for (const name of REFERENCE_FIELDS) {
      const value = event.involvedObject[name] ?? "";
      fields[`involvedObject.${name}`] = value;
      fields[`regarding.${name}`] = value;
    }
    return fields;
  },
};

const REFERENCE_FIELDS = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
] as const;

function firstSeen(event: Event): string | undefined {
  return event.firstTimestamp ?? event.eventTime ?? undefined;
}

function sourceOf({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source?.component || reportingComponent || "";
  const host = source?.host || reportingInstance || "";
  return host === "" ? component : `${component}, ${host}`;
}
