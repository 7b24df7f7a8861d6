import { homedir } from "node:os";
import { createRealClock } from "@binnacle/base";
import { createProgram } from "./program.ts";
import { columnsOf, type ParentMessage, type Terminal } from "./terminal.ts";

const isInteractive = process.stdout.isTTY === true;
/** Set by `up --detach` for the process that it leaves behind. */
const isDetached = process.env["BINNACLE_DETACHED"] === "1" && process.send !== undefined;

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive,
  hasColor: isInteractive && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb",
  columns: columnsOf(process.stdout),
  env: process.env,
  home: homedir(),
  clock: createRealClock(),
  self: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
  onInterrupt(callback) {
    process.on("SIGINT", callback);
    process.on("SIGTERM", callback);
    return () => {
      process.off("SIGINT", callback);
      process.off("SIGTERM", callback);
    };
  },
  async confirm(question) {
    if (!isInteractive || process.stdin.isTTY !== true) return false;
    const { confirm } = await import("@clack/prompts"); // Loaded only when somebody is asked.
    return (await confirm({ message: question, initialValue: false })) === true;
  },
  abandon: (exitCode) => process.exit(exitCode),
  ...(isDetached ? { tellParent } : {}),
};

// Whoever reads the output may stop reading: `binnacle status | head -1`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await createProgram(terminal).run(process.argv.slice(2));

/** The first message is the only one: whoever started this process goes its own way then. */
function tellParent(message: ParentMessage): void {
  if (process.connected !== true) return;
  process.send?.(message, () => {
    if (process.connected === true) process.disconnect();
  });
}
