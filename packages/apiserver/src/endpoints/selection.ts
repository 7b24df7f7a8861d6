import {
  badRequest,
  type FieldMatcher,
  type LabelMatcher,
  matchFields,
  matchLabels,
  parseFieldSelector,
  parseLabelSelector,
  requiredFieldValue,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { Entry } from "@binnacle/storage";
import { keyOf, type ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { ListOptions } from "./list-options.ts";

/** Which objects of a resource a list, watch or collection delete is about. */
export interface Selection {
  /** Keys with this prefix; the whole key for a single object. */
  readonly prefix: string;
  /** Set when only one object can be meant. */
  readonly singleKey: string | undefined;
  /** Whether selectors may leave objects out. */
  readonly isFiltered: boolean;
  readonly matches: (entry: Entry) => boolean;
}

/** Reads selectors. Throws 400 for ones that do not parse or name a field that cannot be selected by. */
export function select(served: ServedResource, info: RequestInfo, options: ListOptions): Selection {
  const labels = options.labelSelector === "" ? undefined : parseLabelSelector(options.labelSelector);
  const fields = parseFields(served, options.fieldSelector);
  const namespace = served.namespaced ? info.namespace : "";
  const name = info.name !== "" ? info.name : valueOf(fields, "metadata.name");
  const namespaceField = served.namespaced ? valueOf(fields, "metadata.namespace") : undefined;
  const effectiveNamespace = namespace !== "" ? namespace : (namespaceField ?? "");
  let prefix = served.keyPrefix;
  let singleKey: string | undefined;
  if (effectiveNamespace !== "") prefix += `${effectiveNamespace}/`;
  if (name !== undefined && name !== "" && (!served.namespaced || effectiveNamespace !== "")) {
    singleKey = keyOf(served, effectiveNamespace, name);
  }
  const isFiltered = labels !== undefined || fields !== undefined;
  const nameOnly = info.name;
  return {
    prefix: singleKey ?? prefix,
    singleKey,
    isFiltered: isFiltered || nameOnly !== "",
    matches: isFiltered || nameOnly !== "" ? matcher(served, labels, fields, nameOnly) : () => true,
  };
}

function matcher(
  served: ServedResource,
  labels: LabelMatcher | undefined,
  fields: FieldMatcher | undefined,
  name: string,
): (entry: Entry) => boolean {
  return (entry) => {
    const object = objectOf(entry);
    if (name !== "" && object.metadata.name !== name) return false;
    if (labels !== undefined && !matchLabels(labels, object.metadata.labels)) return false;
    return fields === undefined || matchFields(fields, (field) => fieldValue(served, object, field));
  };
}

/** The value a field selector compares with. */
function fieldValue(served: ServedResource, object: UnstructuredObject, field: string): string {
  if (field === "metadata.name") return object.metadata.name ?? "";
  if (field === "metadata.namespace") return object.metadata.namespace ?? "";
  return served.definition.selectableFields?.(object)[field] ?? "";
}

function valueOf(fields: FieldMatcher | undefined, field: string): string | undefined {
  return fields === undefined ? undefined : requiredFieldValue(fields, field);
}

function parseFields(served: ServedResource, text: string): FieldMatcher | undefined {
  if (text === "") return undefined;
  const selector = parseFieldSelector(text);
  const known = served.definition.selectableFieldNames ?? [];
  for (const { field } of selector.requirements) {
    if (field === "metadata.name" || (field === "metadata.namespace" && served.namespaced)) continue;
    if (known.includes(field)) continue;
    throw badRequest(
      known.length === 0
        ? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
        : `field label not supported: ${field}`,
    );
  }
  return selector;
}
