import { ageOf, type Cell, type Column, type ColumnContext, type KubeObject } from "@binnacle/apimachinery";
import { AGE_DESCRIPTION, columnDescriptions, NAME_DESCRIPTION } from "./column-descriptions.ts";

/** A column before it has its description. */
export type ColumnDraft<T extends KubeObject> = Omit<Column<T>, "description"> & {
  readonly description?: string;
};

/** The columns of a resource; what they say about themselves is looked up by resource and name. */
export function columnsFor<T extends KubeObject>(
  resource: string,
  columns: readonly ColumnDraft<T>[],
): Column<T>[] {
  return columns.map((column) => ({
    ...column,
    description: column.description ?? columnDescriptions[resource]?.[column.name] ?? "",
  }));
}

/** A text column. */
export function text<T extends KubeObject>(
  name: string,
  cell: (object: T, context: ColumnContext) => Cell,
): ColumnDraft<T> {
  return { name, type: "string", cell };
}

/** A text column that only `-o wide` shows. */
export function wide<T extends KubeObject>(
  name: string,
  cell: (object: T, context: ColumnContext) => Cell,
): ColumnDraft<T> {
  return { name, type: "string", priority: 1, cell };
}

/** A column of whole numbers. */
export function integer<T extends KubeObject>(name: string, cell: (object: T) => Cell): ColumnDraft<T> {
  return { name, type: "integer", cell };
}

export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  description: NAME_DESCRIPTION,
  cell: (object) => object.metadata.name ?? "",
};

export const ageColumn: Column = {
  name: "Age",
  type: "string",
  description: AGE_DESCRIPTION,
  cell: (object, { nowMs }) => ageOf(object.metadata.creationTimestamp, nowMs),
};

export const createdAtColumn: Column = {
  name: "Created At",
  type: "date",
  description: AGE_DESCRIPTION,
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

/** `a=1,b=2` in the order of the keys, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const keys = Object.keys(labels ?? {}).sort();
  return keys.length === 0 ? "<none>" : keys.map((key) => `${key}=${labels?.[key]}`).join(",");
}
