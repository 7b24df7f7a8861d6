import type { Field, ObjectSchema, Schema } from "@binnacle/apimachinery";

/** A JSON Schema object of an OpenAPI document. */
export type Definition = { [keyword: string]: unknown };

/** Texts for definitions and their properties, by definition name. */
export interface Descriptions {
  of(
    definition: string,
  ): { readonly text?: string; readonly fields?: Readonly<Record<string, string>> } | undefined;
}

/** Which of the two document formats is written. */
export type Dialect = "v2" | "v3";

const PREFIX: Readonly<Record<Dialect, string>> = { v2: "#/definitions/", v3: "#/components/schemas/" };

const REFERENCES: Readonly<Record<string, string>> = {
  quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  time: "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
  microTime: "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
  intOrString: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  fieldsV1: "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
};

/** Definitions of what is not a struct. Source: the OpenAPIDefinition methods of the Go types. */
const LEAVES: Readonly<Record<string, { readonly v2: Definition; readonly v3?: Definition }>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": {
    v2: { type: "string" },
    v3: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": { v2: { type: "string", format: "date-time" } },
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": { v2: { type: "string", format: "date-time" } },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {
    v2: { type: "string", format: "int-or-string" },
    v3: { oneOf: [{ type: "integer" }, { type: "string" }], format: "int-or-string" },
  },
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": { v2: { type: "object" } },
  "io.k8s.apimachinery.pkg.runtime.RawExtension": { v2: { type: "object" } },
};

/** Collects the definitions that some types need, following references. */
export class DefinitionCollector {
  readonly definitions: { [name: string]: Definition } = {};
  readonly #dialect: Dialect;
  readonly #descriptions: Descriptions | undefined;

  constructor(dialect: Dialect, descriptions?: Descriptions) {
    this.#dialect = dialect;
    this.#descriptions = descriptions;
  }

  /** Adds a named type and everything it refers to; gives the reference to it. */
  add(schema: ObjectSchema): Definition {
    const name = schema.name ?? "";
    if (!Object.hasOwn(this.definitions, name)) {
      this.definitions[name] = {}; // Types may contain themselves.
      this.definitions[name] = this.#struct(schema, name);
    }
    return this.#reference(name);
  }

  #struct(schema: ObjectSchema, name: string): Definition {
    const texts = this.#descriptions?.of(name);
    const definition: Definition = { type: "object" };
    if (texts?.text !== undefined) definition["description"] = texts.text;
    const required: string[] = [];
    const properties: Record<string, Definition> = {};
    for (const field of schema.fields.values()) {
      properties[field.name] = this.#property(field, texts?.fields?.[field.name]);
      if (field.required) required.push(field.name);
    }
    if (schema.fields.size > 0) definition["properties"] = properties;
    if (required.length > 0) definition["required"] = required;
    if (schema.mapType !== undefined) definition["x-kubernetes-map-type"] = schema.mapType;
    if (schema.group !== undefined) definition["x-kubernetes-group-version-kind"] = schema.group;
    if (schema.unions !== undefined) definition["x-kubernetes-unions"] = schema.unions.map(unionOf);
    return definition;
  }

  #property(field: Field, description: string | undefined): Definition {
    let property = this.type(field.schema);
    if (this.#dialect === "v3" && "$ref" in property) property = { allOf: [property] }; // Siblings of $ref are ignored.
    if (description !== undefined) property["description"] = description;
    if (field.default !== undefined && this.#dialect === "v3") property["default"] = field.default;
    if (field.patchStrategy !== undefined)
      property["x-kubernetes-patch-strategy"] = field.patchStrategy.join(",");
    if (field.patchMergeKey !== undefined) property["x-kubernetes-patch-merge-key"] = field.patchMergeKey;
    if (field.structureType !== undefined) {
      property[`x-kubernetes-${field.schema.type === "bytes" ? "list" : "map"}-type`] = field.structureType;
    }
    return property;
  }

  /** The schema of a value, with references to named types. */
  type(schema: Schema): Definition {
    switch (schema.type) {
      case "object":
        return this.add(schema);
      case "map":
        return {
          type: "object",
          additionalProperties: this.type(schema.values),
          ...(schema.mapType === undefined ? {} : { "x-kubernetes-map-type": schema.mapType }),
        };
      case "list":
        return {
          type: "array",
          items: this.type(schema.items),
          ...(schema.unstated === true ? {} : { "x-kubernetes-list-type": schema.listType }),
          ...(schema.listMapKeys === undefined
            ? {}
            : { "x-kubernetes-list-map-keys": [...schema.listMapKeys] }),
        };
      case "bytes":
        return { type: "string", format: "byte" };
      case "any":
        return this.#leaf(schema.name ?? "io.k8s.apimachinery.pkg.runtime.RawExtension");
      default: {
        const reference = REFERENCES[schema.type];
        if (reference !== undefined) return this.#leaf(reference);
        return schema.format === undefined
          ? { type: schema.type }
          : { type: schema.type, format: schema.format };
      }
    }
  }

  #leaf(name: string): Definition {
    if (!Object.hasOwn(this.definitions, name)) {
      const leaf = LEAVES[name];
      const description = this.#descriptions?.of(name)?.text;
      this.definitions[name] = {
        ...(this.#dialect === "v3" ? (leaf?.v3 ?? leaf?.v2) : leaf?.v2),
        ...(description === undefined ? {} : { description }),
      };
    }
    return this.#reference(name);
  }

  #reference(name: string): Definition {
    return { $ref: PREFIX[this.#dialect] + name };
  }
}

function unionOf(union: { discriminator?: string; fields: readonly string[] }): Definition {
  const { discriminator, fields } = union;
  return {
    ...(discriminator === undefined ? {} : { discriminator }),
    "fields-to-discriminateBy": Object.fromEntries(
      fields.map((field) => [field, field.charAt(0).toUpperCase() + field.slice(1)]),
    ),
  };
}
