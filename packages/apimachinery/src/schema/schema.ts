/**
 * The shape of a value: what decoding, defaulting by schema, patches, apply, protobuf and OpenAPI all read.
 *
 * Built-in kinds get theirs from generated tables plus the marks in their rooms; a custom resource gets its from the
 * CRD. Types that contain themselves are cyclic object graphs, so never walk a schema without a value beside it.
 */
export type Schema = ObjectSchema | MapSchema | ListSchema | ScalarSchema;

/** A struct: a fixed set of fields. */
export interface ObjectSchema {
  readonly type: "object";
  /** The OpenAPI definition name, such as `io.k8s.api.core.v1.PodSpec`. Anonymous inside CRDs. */
  readonly name?: string;
  /** The Go type's name, such as `PodSpec`: part of decoding errors. Empty for custom resources. */
  readonly goName?: string;
  /** The Go package's name, such as `v1`: part of decoding errors. */
  readonly goPackage?: string;
  /** By JSON name. Built-in types list them in the order of the Go struct, which is the order of encoded JSON. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Atomic: owned and replaced as a whole by server-side apply. Default granular. */
  readonly mapType?: "atomic" | "granular";
  /** Fields that are not listed are kept instead of pruned (x-kubernetes-preserve-unknown-fields). */
  readonly preserveUnknownFields?: boolean;
  /** The value is a whole API object with apiVersion, kind and metadata (x-kubernetes-embedded-resource). */
  readonly embeddedResource?: boolean;
  readonly nullable?: boolean;
  readonly group?: readonly { group: string; version: string; kind: string }[];
  /** x-kubernetes-unions: which fields exclude one another. */
  readonly unions?: readonly { discriminator?: string; fields: readonly string[] }[];
}

/** A field of a struct, with the marks that belong to the field rather than to its type. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** Listed as required in OpenAPI. */
  readonly required: boolean;
  /**
   * What the encoder does with an empty value, as Go's struct tags do:
   * - `absent`: left out only when the user left it out (a pointer, or any field of a custom resource);
   * - `zero`: left out when it is the zero value: "", 0, false, an empty list or map (`omitempty`);
   * - `never`: always written; missing becomes the zero value (`{}` for a struct, null for a list or map).
   */
  readonly omit: "absent" | "zero" | "never";
  /** With omit `never`: missing is written as null whatever the type (a Go pointer without `omitempty`). */
  readonly missingIsNull?: boolean;
  /** x-kubernetes-patch-strategy, such as ["merge", "retainKeys"]. Default replace. */
  readonly patchStrategy?: readonly ("merge" | "replace" | "retainKeys")[];
  /** x-kubernetes-patch-merge-key. */
  readonly patchMergeKey?: string;
  /** x-kubernetes-map-type or -list-type of this field where its type says nothing or something else. */
  readonly structureType?: "atomic" | "granular";
  /** The protobuf field number; undefined where the type has no protobuf form. */
  readonly protobuf?: number;
  /**
   * The protobuf field that this field's message is embedded in (Go's inline structs, such as VolumeSource in
   * Volume): the message of that number holds the field under {@link protobuf}. Outermost first.
   */
  readonly protobufInline?: readonly number[];
  /** The default that the OpenAPI document shows, or a CRD's default. */
  readonly default?: unknown;
}

/** A map from strings. */
export interface MapSchema {
  readonly type: "map";
  readonly values: Schema;
  readonly mapType?: "atomic" | "granular";
  readonly nullable?: boolean;
}

export interface ListSchema {
  readonly type: "list";
  readonly items: Schema;
  /** Default atomic: owned and replaced as a whole by server-side apply. */
  readonly listType: "atomic" | "set" | "map";
  /** The OpenAPI document does not state the list type (lists of objects, lists inside maps). */
  readonly unstated?: boolean;
  /** The fields that identify an item of a list of type `map`. */
  readonly listMapKeys?: readonly string[];
  /** In protobuf the list is a message of its own, its items under number 1 (Go's named slices in maps). */
  readonly protobufMessage?: boolean;
  readonly nullable?: boolean;
}

/**
 * A leaf.
 * - `bytes`: base64 in JSON.
 * - `quantity`: `100m`, `1Gi`; a number is accepted too.
 * - `time`: RFC 3339, whole seconds. `microTime`: RFC 3339 with six digits. `duration`: Go's `1m30s`.
 * - `intOrString`: either.
 * - `any`: any JSON value, kept as is (RawExtension, JSON). `fieldsV1`: the managedFields trie.
 */
export interface ScalarSchema {
  readonly type:
    | "string"
    | "boolean"
    | "integer"
    | "number"
    | "bytes"
    | "quantity"
    | "time"
    | "microTime"
    | "duration"
    | "intOrString"
    | "any"
    | "fieldsV1";
  /** int32 or int64 for integers, double for numbers, as in OpenAPI. */
  readonly format?: string;
  /** Of `any`: the OpenAPI definition it is published as. */
  readonly name?: string;
  /** Of `any`: the value is this struct, or else what `or` names (JSONSchemaPropsOrArray and its like). */
  readonly structOr?: { readonly struct: ObjectSchema; readonly or: "list" | "boolean" | "strings" };
  readonly nullable?: boolean;
}
