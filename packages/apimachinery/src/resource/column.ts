import type { KubeObject } from "../meta/object-meta.ts";

/** What a table cell may hold. */
export type Cell = string | number | boolean | null;

/** A column of `kubectl get`. Source: kubernetes v1.36 pkg/printers/internalversion/printers.go. */
export interface Column<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** `name` marks the column with the object's name. Default "". */
  readonly format?: string;
  /** 0 is always shown, 1 only with `-o wide`. Default 0. */
  readonly priority?: number;
  readonly description: string;
  readonly cell: (object: T, context: ColumnContext) => Cell;
}

export interface ColumnContext {
  /** Milliseconds since the epoch, for ages. */
  readonly nowMs: number;
}
