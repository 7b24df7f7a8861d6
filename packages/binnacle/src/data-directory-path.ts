import { join } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Where a cluster of this name keeps its state. Source: XDG Base Directory Specification, XDG_DATA_HOME. */
export function dataDirectoryOf(terminal: Terminal, name: string): string {
  const base = terminal.env["XDG_DATA_HOME"] ?? join(terminal.home, ".local", "share");
  return join(base, "binnacle", name);
}
