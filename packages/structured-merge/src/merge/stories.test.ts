import { describe, expect, it } from "vitest";
import type { MergeSchema } from "../schema.ts";
import { applyConfig } from "./apply.ts";
import { formatPath, MergeConflictError } from "./conflict.ts";
import type { Managers, VersionedObject } from "./managers.ts";
import { updateOwners } from "./update.ts";

const string: MergeSchema = { type: "string" };
const item: MergeSchema = {
  type: "object",
  fields: new Map<string, { schema: MergeSchema }>([
    ["name", { schema: string }],
    ["v", { schema: string }],
    ["w", { schema: string }],
  ]),
};
const schema: MergeSchema = {
  type: "object",
  fields: new Map<string, { schema: MergeSchema }>([
    ["map", { schema: { type: "map", values: string } }],
    ["struct", { schema: item }],
    ["list", { schema: { type: "list", items: item, listType: "map", listMapKeys: ["name"] } }],
    ["set", { schema: { type: "list", items: string, listType: "set" } }],
    ["status", { schema: item }],
  ]),
};
/** The same without `struct`; `renamed` takes its place. */
const schema2: MergeSchema = {
  type: "object",
  fields: new Map([...schema.fields].map(([name, field]) => [name === "struct" ? "renamed" : name, field])),
};

/** An object and its owners, changed by named managers. */
class Story {
  value: unknown = {};
  managers: Managers = new Map();
  version = "v1";

  apply(manager: string, config: unknown, force = false): this {
    const typed = (value: unknown): VersionedObject => ({
      value,
      schema: this.version === "v1" ? schema : schema2,
    });
    const result = applyConfig(typed(this.value), typed(config), this.managers, manager, {
      ...this.#context(),
      force,
    });
    if (result.value !== undefined) this.value = result.value;
    this.managers = result.managers;
    return this;
  }

  update(manager: string, value: unknown): this {
    const typed = (value: unknown): VersionedObject => ({
      value,
      schema: this.version === "v1" ? schema : schema2,
    });
    this.managers = updateOwners(typed(this.value), typed(value), this.managers, manager, this.#context());
    this.value = value;
    return this;
  }

  conflicts(manager: string, config: unknown): string[] {
    try {
      this.apply(manager, config);
    } catch (error) {
      if (!(error instanceof MergeConflictError)) throw error;
      return error.conflicts.map((conflict) => `${conflict.manager} ${formatPath(conflict.path)}`);
    }
    return [];
  }

  get owners(): unknown {
    return Object.fromEntries([...this.managers].map(([id, owned]) => [id, owned.set]));
  }

  #context() {
    return {
      version: this.version,
      convert: (object: VersionedObject, version: string): VersionedObject | undefined => {
        const [from, to] = version === "v1" ? ["renamed", "struct"] : ["struct", "renamed"];
        if (version !== "v1" && version !== "v2") return undefined;
        const { [from!]: moved, ...rest } = object.value as Record<string, unknown>;
        return {
          value: moved === undefined ? rest : { ...rest, [to!]: moved },
          schema: version === "v1" ? schema : schema2,
        };
      },
    };
  }
}

describe("updates", () => {
  it("give the changed fields to the one who changed them", () => {
    const story = new Story()
      .update("a", { struct: { v: "1", w: "1" } })
      .update("b", { struct: { v: "2", w: "1" } });
    expect(story.owners).toEqual({
      a: { "f:struct": { ".": {}, "f:w": {} } },
      b: { "f:struct": { "f:v": {} } },
    });
  });

  it("take removed fields from everybody", () => {
    const story = new Story().update("a", { map: { k: "1" } }).update("b", {});
    expect(story.owners).toEqual({});
  });

  it("drop owners whose version is gone", () => {
    const story = new Story();
    story.managers = new Map([["old", { set: { "f:map": {} }, version: "v0", applied: false }]]);
    expect(story.update("a", { map: { k: "1" } }).owners).toEqual({ a: { "f:map": { ".": {}, "f:k": {} } } });
  });

  it("compare in the version that an owner recorded its fields in", () => {
    const story = new Story().update("a", { struct: { v: "1" } });
    story.version = "v2";
    story.value = { renamed: { v: "1" } };
    story.update("b", { renamed: { v: "2" } });
    expect(story.owners).toEqual({ a: { "f:struct": {} }, b: { "f:renamed": { "f:v": {} } } });
  });

  it("do not give away what the writer may not own", () => {
    const owners = updateOwners(
      { value: {}, schema },
      { value: { status: { v: "1" }, map: {} }, schema },
      new Map(),
      "a",
      { version: "v1", filter: ({ "f:status": _, ...rest }) => rest },
    );
    expect(owners.get("a")?.set).toEqual({ "f:map": {} });
  });

  it("give the whole to owners of parts of what has become atomic", () => {
    const atomic: MergeSchema = {
      type: "object",
      fields: new Map([["map", { schema: { type: "map", values: string, mapType: "atomic" } }]]),
    };
    const managers: Managers = new Map([
      ["a", { set: { "f:map": { "f:k": {} } }, version: "v1", applied: false }],
    ]);
    const object = { value: { map: { k: "1" } }, schema: atomic };
    expect(updateOwners(object, object, managers, "b", { version: "v1" }).get("a")?.set).toEqual({
      "f:map": {},
    });
  });
});

describe("applies", () => {
  it("remove what the manager wanted and does not want any more", () => {
    const story = new Story()
      .apply("a", { map: { j: "1", k: "2" }, list: [{ name: "x", v: "1" }] })
      .apply("a", { map: { k: "2" } });
    expect(story.value).toEqual({ map: { k: "2" } });
    expect(story.owners).toEqual({ a: { "f:map": { "f:k": {} } } });
  });

  it("keep what somebody else owns too", () => {
    const story = new Story()
      .apply("a", { map: { k: "1" } })
      .apply("b", { map: { k: "1" } })
      .apply("a", {});
    expect(story.value).toEqual({ map: { k: "1" } });
    expect(story.owners).toEqual({ b: { "f:map": { "f:k": {} } } });
  });

  it("keep items that others have put into a list, but not parts that others have put into an item", () => {
    const story = new Story()
      .apply("a", { list: [{ name: "x", v: "1" }, { name: "y" }] })
      .update("b", { list: [{ name: "x", v: "1", w: "2" }, { name: "y" }, { name: "z" }] })
      .apply("a", {});
    expect(story.value).toEqual({ list: [{ name: "z" }] });
  });

  it("remove a struct when its last owned field goes", () => {
    const story = new Story()
      .apply("a", { struct: { v: "1" }, map: { k: "1" } })
      .apply("a", { map: { k: "1" } });
    expect(story.value).toEqual({ map: { k: "1" } });
  });

  it("conflict with owners of fields they change, and take the fields with force", () => {
    const story = new Story().apply("a", { struct: { v: "1", w: "1" }, set: ["x"] }).update("b", {
      struct: { v: "1", w: "2" },
      set: ["x"],
    });
    expect(story.conflicts("c", { struct: { v: "9", w: "9" } })).toEqual(["a .struct.v", "b .struct.w"]);
    expect(story.conflicts("c", { struct: { v: "1" }, set: ["y"] })).toEqual([]);
    story.apply("c", { struct: { v: "9", w: "9" } }, true);
    expect(story.owners).toEqual({
      a: { "f:set": { 'v:"x"': {} } },
      c: { "f:struct": { "f:v": {}, "f:w": {} } },
    });
    expect(story.value).toEqual({ struct: { v: "9", w: "9" }, set: ["x"] });
  });

  it("report no change when there is none", () => {
    const live = { value: { map: { k: "1" } }, schema };
    const result = applyConfig(live, live, new Map(), "a", { version: "v1", force: false });
    expect(result.value).toBeUndefined();
    expect(result.managers.get("a")?.set).toEqual({ "f:map": { "f:k": {} } });
  });

  it("remove fields that were applied in another version", () => {
    const story = new Story().apply("a", { struct: { v: "1" }, map: { k: "1" } });
    story.version = "v2";
    story.value = { renamed: { v: "1" }, map: { k: "1" } };
    story.apply("a", { map: { k: "1" } });
    expect(story.value).toEqual({ map: { k: "1" } });
    expect(story.owners).toEqual({ a: { "f:map": { "f:k": {} } } });
  });
});
