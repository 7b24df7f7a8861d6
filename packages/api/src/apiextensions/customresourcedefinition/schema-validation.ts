import { type FieldError, forbiddenField, invalid, required } from "@binnacle/apimachinery";
import type { JSONSchemaProps } from "../../generated/apiextensions-v1.generated.ts";

/**
 * That a schema is structural: every value has one type, told in one place.
 *
 * Source: kubernetes v1.36 apiextensions-apiserver/pkg/apiserver/schema/validation.go, ValidateStructural.
 */
export function validateStructuralSchema(schema: JSONSchemaProps, path: string): FieldError[] {
  const errors = validateNode(schema, "root", path);
  if (schema.type !== "object" && schema.type !== undefined && schema.type !== "") {
    errors.push(invalid(`${path}.type`, schema.type, "must be object at the root"));
  }
  return errors;
}

type Place = "root" | "field" | "item";

const TYPE_MISSING: Readonly<Record<Place, string>> = {
  root: "must not be empty at the root",
  field: "must not be empty for specified object fields",
  item: "must not be empty for specified array items",
};

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

function validateNode(schema: JSONSchemaProps, place: Place, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const isIntOrString = schema["x-kubernetes-int-or-string"] === true;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const type = schema.type ?? "";
  if (type === "" && !isIntOrString && (place === "root" || !keepsUnknown)) {
    errors.push(required(`${path}.type`, TYPE_MISSING[place]));
  }
  if (type !== "" && !TYPES.includes(type)) {
    errors.push({
      type: "FieldValueNotSupported",
      path: `${path}.type`,
      body: `Unsupported value: ${JSON.stringify(type)}: supported values: ${TYPES.map((t) => JSON.stringify(t)).join(", ")}`,
    });
  }
  if (isIntOrString && type !== "") {
    errors.push(invalid(`${path}.type`, type, "must be empty if x-kubernetes-int-or-string is true"));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  }
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    errors.push(invalid(`${path}.type`, type, "must be object if x-kubernetes-embedded-resource is true"));
  }
  for (const field of [
    "$ref",
    "id",
    "$schema",
    "patternProperties",
    "definitions",
    "dependencies",
  ] as const) {
    if (schema[field] !== undefined) errors.push(forbiddenField(`${path}.${field}`, "not supported"));
  }
  if (schema.uniqueItems === true) {
    errors.push(
      forbiddenField(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  }
  if (schema.additionalProperties === false) {
    errors.push(
      forbiddenField(`${path}.additionalProperties`, "additionalProperties cannot be set to false"),
    );
  }
  if (
    schema.properties !== undefined &&
    schema.additionalProperties !== undefined &&
    schema.additionalProperties !== false
  ) {
    errors.push(
      forbiddenField(
        `${path}.additionalProperties`,
        "additionalProperties and properties are mutual exclusive",
      ),
    );
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbiddenField(`${path}.items`, "items must be a schema object and not an array"));
  }
  errors.push(...validateListType(schema, path));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...validateNode(property, "field", `${path}.properties[${name}]`));
  }
  if (typeof schema.additionalProperties === "object") {
    errors.push(...validateNode(schema.additionalProperties, "field", `${path}.additionalProperties`));
  }
  if (schema.items !== undefined && !Array.isArray(schema.items)) {
    errors.push(...validateNode(schema.items, "item", `${path}.items`));
  } else if (type === "array" && schema.items === undefined) {
    errors.push(required(`${path}.items`, "must be specified"));
  }
  return errors;
}

/** What identifies the items of a list must be in them. */
function validateListType(schema: JSONSchemaProps, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const errors: FieldError[] = [];
  if (listType !== undefined && schema.type !== "array") {
    const why = "must be array if x-kubernetes-list-type is specified";
    if (!schema.type) errors.push(required(`${path}.type`, why));
    else errors.push(invalid(`${path}.type`, schema.type, why));
  }
  if (listType !== undefined && !["atomic", "map", "set"].includes(listType)) {
    errors.push({
      type: "FieldValueNotSupported",
      path: `${path}.x-kubernetes-list-type`,
      body: `Unsupported value: ${JSON.stringify(listType)}: supported values: "atomic", "map", "set"`,
    });
  }
  if (listType === "map" && keys.length === 0) {
    errors.push(
      required(`${path}.x-kubernetes-list-map-keys`, "must not be empty if x-kubernetes-list-type is map"),
    );
  }
  if (listType !== "map" && keys.length > 0) {
    if (listType === undefined)
      errors.push(
        required(`${path}.x-kubernetes-list-type`, "must be map if x-kubernetes-list-map-keys is non-empty"),
      );
    else
      errors.push(
        invalid(
          `${path}.x-kubernetes-list-type`,
          listType,
          "must be map if x-kubernetes-list-map-keys is non-empty",
        ),
      );
  }
  const items = schema.items === undefined || Array.isArray(schema.items) ? undefined : schema.items;
  for (const [i, key] of keys.entries()) {
    if (items === undefined || Object.hasOwn(items.properties ?? {}, key)) continue;
    errors.push(
      invalid(
        `${path}.x-kubernetes-list-map-keys[${i}]`,
        key,
        "entries have to be defined in items.properties",
      ),
    );
  }
  return errors;
}
