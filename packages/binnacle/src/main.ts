import { homedir } from "node:os";
import { createProgram } from "./program.ts";
import type { Terminal } from "./terminal.ts";

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
  env: process.env,
  home: homedir(),
};

process.exitCode = await createProgram(terminal).run(process.argv.slice(2));
