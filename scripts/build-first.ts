import { execFileSync } from "node:child_process";

/** Builds the command line, which the caller is about to start. Throws when it cannot be built. */
export function buildFirst(): void {
  execFileSync(process.execPath, ["scripts/run.mjs", "build-cli"], { stdio: "inherit" });
}
