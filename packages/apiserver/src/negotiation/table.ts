import {
  badRequest,
  type Cell,
  type Column,
  type ColumnContext,
  type KubeObject,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { ServedResource } from "../registry/resource-registry.ts";

/** How much of each object a table row carries. */
export type IncludeObject = "Metadata" | "Object" | "None";

/** The `includeObject` parameter; throws 400 for anything unknown. */
export function parseIncludeObject(value: string | null): IncludeObject {
  if (value === null || value === "" || value === "Metadata") return "Metadata";
  if (value === "Object" || value === "None") return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

export interface TableOptions {
  readonly version: string;
  readonly includeObject: IncludeObject;
  readonly nowMs: number;
  /** Watch frames after the first leave the definitions out. Default true. */
  readonly hasDefinitions?: boolean;
}

/**
 * The Table form of objects, as `kubectl get` prints it.
 *
 * Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/response.go, asTable.
 */
export function toTable(
  served: ServedResource,
  items: readonly { readonly hub: UnstructuredObject; readonly object: UnstructuredObject }[],
  listMetadata: Record<string, unknown>,
  options: TableOptions,
): Record<string, unknown> {
  const columns = served.columns ?? DEFAULT_COLUMNS;
  const context: ColumnContext = { nowMs: options.nowMs };
  const apiVersion = `meta.k8s.io/${options.version}`;
  return {
    kind: "Table",
    apiVersion,
    metadata: listMetadata,
    columnDefinitions:
      options.hasDefinitions === false ? null : columns.map((column) => columnDefinition(column)),
    rows: isGoNil(columns, items.length)
      ? null
      : items.map(({ hub, object }) => {
          const row: Record<string, unknown> = {
            cells: columns.map((column): Cell => column.cell(hub as KubeObject, context)),
          };
          const conditions = served.definition.rowConditions?.(hub as KubeObject) ?? [];
          if (conditions.length > 0) row["conditions"] = conditions;
          if (options.includeObject === "Object") row["object"] = object;
          else if (options.includeObject === "Metadata")
            row["object"] = toPartialMetadata(object, apiVersion);
          else row["object"] = null;
          return row;
        }),
  };
}

/** Go's generic table leaves the rows of an empty list nil, which is written as null; the printers' tables do not. */
function isGoNil(columns: readonly Column[], count: number): boolean {
  return count === 0 && columns[1]?.name === "Created At";
}

/** Only the metadata of an object. */
export function toPartialMetadata(object: UnstructuredObject, apiVersion: string): UnstructuredObject {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: object.metadata };
}

const NAME_DESCRIPTION =
  "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const CREATED_DESCRIPTION =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** For kinds without columns of their own. Source: apiserver/pkg/registry/rest/table.go. */
const DEFAULT_COLUMNS: readonly Column[] = [
  {
    name: "Name",
    type: "string",
    format: "name",
    description: NAME_DESCRIPTION,
    cell: (object) => object.metadata.name ?? "",
  },
  {
    name: "Created At",
    type: "date",
    description: CREATED_DESCRIPTION,
    cell: (object) => object.metadata.creationTimestamp ?? null,
  },
];

function columnDefinition(column: Column): Record<string, unknown> {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description: column.description,
    priority: column.priority ?? 0,
  };
}
