import { decodeObject, formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Event } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { fromNewEvent, toNewEvent } from "./conversion.ts";
import { events } from "./index.ts";
import { validateEvent, validateNewStyleEvent, validateNewStyleEventUpdate } from "./validation.ts";

const metadata = { name: "e", namespace: "n" };
const old: Event = decodeObject<Event>(builtinSchema("core.v1.Event"), {
  metadata,
  involvedObject: { kind: "Pod", name: "p", namespace: "n" },
  reason: "R",
  message: " m \n",
  type: "Normal",
}).value;

describe("an event of core v1", () => {
  it("lies in the namespace of what it is about", () => {
    expect(validateEvent(old)).toEqual([]);
    const wrong = { ...old, involvedObject: { ...old.involvedObject, namespace: "other" } };
    expect(formatFieldErrors(validateEvent(wrong))).toBe(
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    );
    const clusterScoped = {
      ...old,
      metadata: { name: "e", namespace: "default" },
      involvedObject: { kind: "Node" },
    };
    expect(validateEvent(clusterScoped)).toEqual([]);
  });

  it("is printed", () => {
    expect(events.columns?.map((column) => column.cell(old, { nowMs: 0 }))).toEqual([
      "<unknown>",
      "Normal",
      "R",
      "pod/p",
      "",
      "",
      "m",
      "<unknown>",
      1,
      "e",
    ]);
  });
});

describe("an event of events.k8s.io/v1", () => {
  it("must be complete", () => {
    const errors = validateNewStyleEvent({ ...old, type: "Odd" });
    expect(formatFieldErrors(errors)).toBe(
      '[eventTime: Required value, type: Invalid value: "": has invalid value: Odd]',
    );
  });

  it("changes only its series", () => {
    const series = { count: 2, lastObservedTime: "2020-01-02T00:00:00.000000Z" };
    expect(validateNewStyleEventUpdate({ ...old, series }, old)).toEqual([]);
    expect(formatFieldErrors(validateNewStyleEventUpdate({ ...old, message: "changed" }, old))).toBe(
      'message: Invalid value: "changed": field is immutable',
    );
  });

  it("is the same object in other words", () => {
    const converted = decodeObject(
      builtinSchema("events.v1.Event"),
      JSON.parse(JSON.stringify(toNewEvent(old))),
    ).value;
    expect(converted).toMatchObject({
      note: " m \n",
      regarding: { kind: "Pod" },
      deprecatedFirstTimestamp: null,
    });
    const back = fromNewEvent({ metadata, ...converted });
    expect(decodeObject(builtinSchema("core.v1.Event"), JSON.parse(JSON.stringify(back))).value).toEqual(old);
  });
});
