/** A simulated node: how it is called, labelled and sized. */
export interface NodeTemplate {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Quantities by resource name, added to the defaults: 8 CPUs, 16Gi of memory, 110 pods. */
  readonly capacity?: Readonly<Record<string, string>>;
}

/** `count` nodes called `node-1`, `node-2`, … */
export function defaultNodes(count: number): NodeTemplate[] {
  return Array.from({ length: count }, (_, index) => ({ name: `node-${index + 1}` }));
}
