import type { PathHandler, PathHandlers } from "../registry/api-server-core.ts";

/** Handlers of paths outside of resources: exact ones, and prefixes that end in a slash. */
export class PathTable implements PathHandlers {
  readonly #exact = new Map<string, PathHandler>();
  readonly #prefixes: { prefix: string; handler: PathHandler }[] = [];

  /** A path, or a prefix when it ends in a slash. */
  add(path: string, handler: PathHandler): void {
    if (!path.endsWith("/") || path === "/") this.#exact.set(path, handler);
    else {
      this.#prefixes.push({ prefix: path, handler });
      this.#prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
    }
  }

  find(path: string): PathHandler | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    return this.#prefixes.find(({ prefix }) => path.startsWith(prefix) || path === prefix.slice(0, -1))
      ?.handler;
  }

  /** The paths, each once and sorted, as `/` lists them. */
  paths(): string[] {
    const paths = new Set([
      ...this.#exact.keys(),
      ...this.#prefixes.map(({ prefix }) => prefix.slice(0, -1)),
    ]);
    paths.delete("/");
    return [...paths].sort();
  }
}
