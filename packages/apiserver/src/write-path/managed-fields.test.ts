import {
  isStatusError,
  type ManagedFieldsEntry,
  type ObjectSchema,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { deepFreeze } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { applyConfiguration, trackUpdate } from "./managed-fields.ts";

const string = { type: "string" } as const;
const strings = { type: "map", values: string } as const;
const field = (
  name: string,
  schema: ObjectSchema["fields"] extends ReadonlyMap<string, infer F>
    ? F extends { schema: infer S }
      ? S
      : never
    : never,
  omit: "absent" | "zero" | "never" = "zero",
) => [name, { name, schema, required: false, omit }] as const;
const schema: ObjectSchema = {
  type: "object",
  goName: "Thing",
  fields: new Map([
    field("apiVersion", string),
    field("kind", string),
    field(
      "metadata",
      {
        type: "object",
        goName: "ObjectMeta",
        fields: new Map([
          ...["name", "namespace", "uid", "resourceVersion"].map((name) => field(name, string)),
          field("labels", strings),
          field("annotations", strings),
          field("managedFields", { type: "list", items: { type: "any" }, listType: "atomic" }),
        ]),
      },
      "never",
    ),
    field(
      "spec",
      {
        type: "object",
        goName: "ThingSpec",
        fields: new Map([
          field("a", string),
          field("b", string),
          field("data", strings),
          field(
            "list",
            {
              type: "list",
              items: { type: "object", fields: new Map([field("name", string), field("v", string)]) },
              listType: "map",
              listMapKeys: ["name"],
            },
            "never",
          ),
        ]),
      },
      "never",
    ),
    field(
      "status",
      { type: "object", goName: "ThingStatus", fields: new Map([field("s", string)]) },
      "never",
    ),
  ]),
};

/** A stored thing, changed by named managers at successive seconds. */
class Story {
  live: UnstructuredObject | undefined;
  now = 0;

  update(
    manager: string,
    change: Partial<Thing>,
    more: { subresource?: string; managedFields?: ManagedFieldsEntry[] } = {},
  ): this {
    const { metadata, ...rest } = change;
    const updated = { ...(this.live ?? base()), ...rest } as UnstructuredObject;
    updated.metadata = { ...updated.metadata, ...metadata };
    if (more.managedFields !== undefined) updated.metadata.managedFields = more.managedFields;
    const managedFields = trackUpdate({
      ...this.#writer(manager, more.subresource),
      live: this.live,
      updated,
    });
    this.#store(updated, managedFields);
    return this;
  }

  apply(manager: string, config: Partial<Thing>, more: { force?: boolean; subresource?: string } = {}): this {
    const merged = applyConfiguration({
      ...this.#writer(manager, more.subresource),
      live: this.live,
      config: {
        apiVersion: "x.io/v1",
        kind: "Thing",
        ...config,
        metadata: { name: "t", ...config.metadata },
      } as UnstructuredObject,
      force: more.force === true,
    });
    this.#store(merged, merged.metadata.managedFields ?? []);
    return this;
  }

  failure(manager: string, config: Partial<Thing>): { message: string; code: number; causes: unknown } {
    try {
      this.apply(manager, config);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      return { message: error.message, code: error.code, causes: error.status.details?.causes };
    }
    return expect.unreachable();
  }

  /** `manager operation[/subresource]@second` to fields. */
  get owners(): Record<string, unknown> {
    const entries = this.live?.metadata.managedFields ?? [];
    return Object.fromEntries(
      entries.map(({ manager, operation, subresource, time, fieldsV1 }) => {
        const second = time === undefined ? "" : `@${Number(time.slice(17, 19))}`;
        return [
          `${manager} ${operation}${subresource === undefined ? "" : `/${subresource}`}${second}`,
          fieldsV1,
        ];
      }),
    );
  }

  #writer(manager: string, subresource: string | undefined) {
    return { schema, manager, apiVersion: "x.io/v1", subresource, time: timeAt(this.now) };
  }

  #store(object: UnstructuredObject, managedFields: ManagedFieldsEntry[]): void {
    const { managedFields: _, ...metadata } = object.metadata;
    metadata.uid = "u";
    this.live = deepFreeze({
      ...object,
      metadata: managedFields.length > 0 ? { ...metadata, managedFields } : metadata,
    });
    this.now++;
  }
}

interface Thing extends UnstructuredObject {
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

const timeAt = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
const base = (): UnstructuredObject => ({
  apiVersion: "x.io/v1",
  kind: "Thing",
  metadata: { name: "t" },
  spec: { list: null },
  status: {},
});
const entry = (fields: Partial<ManagedFieldsEntry>): ManagedFieldsEntry => ({
  manager: "faked",
  operation: "Update",
  apiVersion: "x.io/v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:spec": { "f:a": {} } },
  ...fields,
});

describe("tracking updates", () => {
  it("gives the creator what it set, without metadata, status and the structs that every object has", () => {
    const story = new Story().update("creator", {
      metadata: { name: "t", labels: { l: "1" } },
      spec: { a: "1", data: { k: "v" }, list: [{ name: "x" }] },
      status: { s: "1" },
    });
    expect(story.owners).toEqual({
      "creator Update@0": {
        "f:metadata": { "f:labels": { ".": {}, "f:l": {} } },
        "f:spec": {
          "f:a": {},
          "f:data": { ".": {}, "f:k": {} },
          "f:list": { 'k:{"name":"x"}': { ".": {}, "f:name": {} } },
        },
      },
    });
  });

  it("writes entries with their elements and properties in upstream's order", () => {
    const story = new Story().update("creator", { spec: { b: "1", a: "1", list: null } });
    expect(JSON.stringify(story.live!.metadata.managedFields)).toBe(
      '[{"manager":"creator","operation":"Update","apiVersion":"x.io/v1","time":"2026-01-01T00:00:00Z",' +
        '"fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:a":{},"f:b":{}}}}]',
    );
  });

  it("moves changed fields, keeps the time of who changes nothing, and drops who owns nothing", () => {
    const story = new Story()
      .update("a", { spec: { a: "1", b: "1", list: null } })
      .update("b", { spec: { a: "2", b: "1", list: null } });
    expect(story.owners).toEqual({
      "a Update@0": { "f:spec": { "f:b": {} } },
      "b Update@1": { "f:spec": { "f:a": {} } },
    });
    const before = story.live!.metadata.managedFields!;
    story.update("a", {});
    expect(story.live!.metadata.managedFields).toEqual(before);
    expect(story.live!.metadata.managedFields![0]).toBe(before[0]);
    story.update("b", { spec: { a: "2", list: null } });
    expect(story.owners).toEqual({ "b Update@1": { "f:spec": { "f:a": {} } } });
  });

  it("keeps writers of subresources apart, and gives writers of the status no spec", () => {
    const story = new Story()
      .update("c", { spec: { a: "1", list: null } })
      .update("c", { spec: { a: "9", list: null }, status: { s: "1" } }, { subresource: "status" });
    expect(story.owners).toEqual({
      "c Update@0": { "f:spec": { "f:a": {} } },
      "c Update/status@1": { "f:status": { "f:s": {} } },
    });
  });

  it("gives scalers no time, as upstream does", () => {
    const story = new Story()
      .update("c", { spec: { a: "1", list: null } })
      .update("hpa", { spec: { a: "2", list: null } }, { subresource: "scale" });
    expect(story.owners).toEqual({ "hpa Update/scale": { "f:spec": { "f:a": {} } } });
  });

  it.each([[[]], [[{}]]])(
    "forgets all owners when the request says %j, and records none from then on",
    (managedFields) => {
      const story = new Story()
        .update("a", { spec: { a: "1", list: null } })
        .update("a", {}, { managedFields });
      expect(story.owners).toEqual({});
      expect(story.update("b", { spec: { a: "2", list: null } }).owners).toEqual({});
    },
  );

  it("takes the owners that a request gives when they are well-formed", () => {
    const story = new Story()
      .update("a", { spec: { a: "1", list: null } })
      .update("b", {}, { managedFields: [entry({})] });
    expect(story.owners).toEqual({ "faked Update": { "f:spec": { "f:a": {} } } });
  });

  it.each<[string, Partial<ManagedFieldsEntry>]>([
    ["another type", { fieldsType: "Other" as never }],
    ["another operation", { operation: "Patch" as never }],
    ["no version", { apiVersion: "" }],
    ["fields that are no trie", { fieldsV1: { spec: {} } }],
  ])("keeps the stored owners when a request gives an entry with %s", (_, fields) => {
    const story = new Story()
      .update("a", { spec: { a: "1", list: null } })
      .update("b", {}, { managedFields: [entry(fields)] });
    expect(story.owners).toEqual({ "a Update@0": { "f:spec": { "f:a": {} } } });
  });

  it("ignores owners that come through a subresource", () => {
    const story = new Story()
      .update("a", { spec: { a: "1", list: null } })
      .update("b", {}, { managedFields: [], subresource: "status" });
    expect(story.owners).toEqual({ "a Update@0": { "f:spec": { "f:a": {} } } });
  });

  it("has no owners for an object whose items have no identity", () => {
    expect(new Story().update("a", { spec: { list: [{ v: "1" }] } }).owners).toEqual({});
  });

  it("merges the oldest updaters beyond ten into one", () => {
    const story = new Story();
    const data: Record<string, string> = {};
    for (let i = 0; i < 12; i++) {
      data[`k${i}`] = "1";
      story.update(`m${i}`, { spec: { data: { ...data }, list: null } });
    }
    expect(Object.keys(story.owners)).toHaveLength(10);
    expect(Object.entries(story.owners)[0]).toEqual([
      "ancient-changes Update@2",
      { "f:spec": { "f:data": { ".": {}, "f:k0": {}, "f:k1": {}, "f:k2": {} } } },
    ]);
    expect(story.owners["m3 Update@3"]).toBeDefined();
  });
});

describe("applying a configuration", () => {
  it("creates, changes nothing the second time, gives up and removes fields", () => {
    const story = new Story().apply("a", { spec: { data: { k: "1", j: "2" } } });
    const created = story.live!;
    expect(created["spec"]).toEqual({ data: { k: "1", j: "2" }, list: null });
    expect(story.owners).toEqual({ "a Apply@0": { "f:spec": { "f:data": { "f:j": {}, "f:k": {} } } } });
    story.apply("a", { spec: { data: { k: "1", j: "2" } } });
    expect(story.live).toEqual(created);
    story.apply("a", { spec: { data: { k: "1" } } });
    expect(story.live!["spec"]).toEqual({ data: { k: "1" }, list: null });
    expect(story.owners).toEqual({ "a Apply@2": { "f:spec": { "f:data": { "f:k": {} } } } });
    story.apply("a", {});
    expect(story.owners).toEqual({});
    expect(story.live).not.toHaveProperty("spec"); // Decoding writes the empty struct anew.
  });

  it("shares a field that is applied with the same value, without a time when nothing changes", () => {
    const story = new Story().apply("a", { spec: { a: "1" } }).apply("b", { spec: { a: "1" } });
    expect(story.owners).toEqual({
      "a Apply@0": { "f:spec": { "f:a": {} } },
      "b Apply": { "f:spec": { "f:a": {} } },
    });
  });

  it("refuses to change what others own, and takes it with force", () => {
    const story = new Story()
      .apply("a", { spec: { a: "1" } })
      .update("b", { spec: { a: "1", b: "1", list: null } });
    expect(story.failure("c", { spec: { a: "2" } })).toEqual({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "a": .spec.a',
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".spec.a" }],
    });
    expect(story.failure("c", { spec: { a: "2", b: "2" } }).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.a\nconflicts with "b" using x.io/v1:\n- .spec.b',
    );
    story.apply("c", { spec: { a: "2", b: "2" } }, { force: true });
    expect(story.owners).toEqual({ "c Apply@2": { "f:spec": { "f:a": {}, "f:b": {} } } });
  });

  it("names the subresource and version of an updater in conflicts", () => {
    const story = new Story()
      .update("hpa", { spec: { a: "1", list: null } })
      .update("hpa", { spec: { a: "2", list: null } }, { subresource: "scale" });
    expect(story.failure("c", { spec: { a: "3" } }).message).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using x.io/v1: .spec.a',
    );
  });

  it("gives what was there to before-first-apply on an object without owners", () => {
    const story = new Story()
      .update("a", { spec: { a: "1", b: "1", list: null } })
      .update("a", {}, { managedFields: [] });
    expect(story.failure("c", { spec: { a: "2" } }).message).toContain(
      'conflict with "before-first-apply" using x.io/v1: .spec.a',
    );
    story.apply("c", { spec: { a: "1" } });
    expect(story.owners).toEqual({
      "c Apply": { "f:spec": { "f:a": {} } },
      "before-first-apply Update@2": { "f:spec": { "f:a": {}, "f:b": {} } },
    });
  });

  it("resets the status on the object and the spec on the status", () => {
    const story = new Story()
      .apply("a", { spec: { a: "1" }, status: { s: "1" } })
      .apply("b", { spec: { a: "2" }, status: { s: "2" } }, { subresource: "status" });
    expect(story.owners).toEqual({
      "a Apply@0": { "f:spec": { "f:a": {} } },
      "b Apply/status@1": { "f:status": { "f:s": {} } },
    });
  });

  it("lets kubectl take over what its client-side apply still holds, and renews the annotation", () => {
    const key = "kubectl.kubernetes.io/last-applied-configuration";
    const last = JSON.stringify({
      apiVersion: "x.io/v1",
      kind: "Thing",
      metadata: { name: "t" },
      spec: { a: "1" },
    });
    const story = new Story().update("kubectl-client-side-apply", {
      metadata: { name: "t", annotations: { [key]: last } },
      spec: { a: "1", list: null },
    });
    expect(story.failure("other", { spec: { a: "2" } }).code).toBe(409);
    story.apply("kubectl", { spec: { a: "<2>" } });
    expect((story.live!["spec"] as { a: string }).a).toBe("<2>");
    expect(story.live!.metadata.annotations![key]).toBe(
      '{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"a":"\\u003c2\\u003e"}}\n',
    );
    story.update("b", { spec: { a: "3", list: null } });
    expect(story.failure("kubectl", { spec: { a: "4" } }).message).toBe(
      'Apply failed with 1 conflict: conflict with "b" using x.io/v1: .spec.a',
    );
  });

  it("refuses managedFields and what does not fit the schema", () => {
    const story = new Story();
    expect(story.failure("a", { metadata: { name: "t", managedFields: [] } }).message).toBe(
      "metadata.managedFields must be nil",
    );
    expect(story.failure("a", { spec: { list: [{ name: "x" }, { name: "x" }] } })).toEqual({
      code: 500,
      message:
        'failed to create typed patch object (/t; x.io/v1, Kind=Thing): .spec.list: duplicate entries for key [name="x"]',
      causes: undefined,
    });
  });
});
