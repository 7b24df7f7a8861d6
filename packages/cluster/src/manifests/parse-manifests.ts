import { DecodeError, parseYaml, type UnstructuredObject } from "@binnacle/apimachinery";

/** One object of a manifest, and where it was written. */
export interface ManifestObject {
  readonly object: UnstructuredObject;
  /** For messages, such as `web.yaml, document 2`. */
  readonly origin: string;
}

/** A manifest that cannot be read; the message names the file and the document. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
}

/**
 * Reads the objects of a YAML stream or a JSON document, as kubectl does: empty documents are skipped, lists stand for
 * their items. Throws {@link ManifestError}. `source` names the text in messages.
 */
export function parseManifests(text: string, source: string): ManifestObject[] {
  const documents = splitDocuments(text);
  return documents.flatMap((document, index) =>
    objectsOf(document, documents.length === 1 ? source : `${source}, document ${index + 1}`),
  );
}

/** Source: kubernetes v1.36 apimachinery/pkg/util/yaml/decoder.go: documents are separated by lines that start with `---`. */
function splitDocuments(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/^---(?=\s|$).*$/m)
    .filter((document) => !/^(\s*(#.*)?\n?)*$/.test(document));
}

function objectsOf(text: string, origin: string): ManifestObject[] {
  let value: unknown;
  try {
    value = parseYaml(text).value;
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw new ManifestError(`${origin}: ${cause.message.replace(/^error converting YAML to JSON: /, "")}`, {
      cause,
    });
  }
  return value === null ? [] : flatten(value, origin);
}

function flatten(value: unknown, origin: string): ManifestObject[] {
  const object = checked(value, origin);
  if (!object.kind.endsWith("List") || !("items" in object)) return [{ object, origin }];
  if (!Array.isArray(object["items"]))
    throw new ManifestError(`${origin}: items of a ${object.kind} is not a list`);
  return object["items"].flatMap((item: unknown, index) => flatten(item, `${origin}, item ${index + 1}`));
}

function checked(value: unknown, origin: string): UnstructuredObject & { kind: string } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ManifestError(`${origin}: an object with apiVersion and kind was expected`);
  }
  const { apiVersion, kind, metadata } = value as Record<string, unknown>; // A mapping, checked above.
  if (typeof apiVersion !== "string" || apiVersion === "")
    throw new ManifestError(`${origin}: apiVersion is missing`);
  if (typeof kind !== "string" || kind === "") throw new ManifestError(`${origin}: kind is missing`);
  if (kind.endsWith("List") && "items" in value) return { ...value, apiVersion, kind, metadata: {} };
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
    throw new ManifestError(`${origin}: metadata of ${kind} is missing`);
  }
  const { name } = metadata as Record<string, unknown>; // A mapping, checked above.
  if (typeof name !== "string" || name === "")
    throw new ManifestError(`${origin}: metadata.name of ${kind} is missing`);
  return { ...value, apiVersion, kind, metadata };
}
