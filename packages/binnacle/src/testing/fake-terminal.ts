import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRealClock } from "@binnacle/base";
import { onTestFinished } from "vitest";
import { createProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";

/** A command line in a folder of its own, whose output can be read and which can be interrupted. */
export interface FakeTerminal {
  readonly terminal: Terminal;
  /** A new folder that is also the home and the data home; gone when the test is over. */
  readonly folder: string;
  readonly output: string;
  readonly errors: string;
  /** Exit codes that a second interrupt ended the process with. */
  readonly abandoned: readonly number[];
  interrupt(): void;
  /** Resolves with the output when it matches. */
  outputMatching(pattern: RegExp): Promise<string>;
  /** Runs one command; gives the exit code. */
  run(...args: string[]): Promise<number>;
  /** Starts `up` and waits until it is ready. */
  up(...args: string[]): Promise<{ readonly url: string; stop(): Promise<number> }>;
}

export async function createFakeTerminal(overrides: Partial<Terminal> = {}): Promise<FakeTerminal> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let output = "";
  let errors = "";
  const abandoned: number[] = [];
  const interrupts = new Set<() => void>();
  const waiters = new Set<() => void>();
  const terminal: Terminal = {
    out(text) {
      output += text;
      for (const wake of [...waiters]) wake();
    },
    err(text) {
      errors += text;
    },
    isInteractive: false,
    hasColor: false,
    columns: 100,
    env: { XDG_DATA_HOME: folder },
    home: folder,
    clock: createRealClock(),
    self: [],
    onInterrupt(callback) {
      interrupts.add(callback);
      return () => interrupts.delete(callback);
    },
    confirm: async () => false,
    abandon: (code) => abandoned.push(code),
    ...overrides,
  };
  const run = (...args: string[]): Promise<number> => createProgram(terminal).run(args);
  const interrupt = (): void => {
    for (const callback of [...interrupts]) callback();
  };
  const outputMatching = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!pattern.test(output)) return;
        waiters.delete(look);
        resolve(output);
      };
      waiters.add(look);
      look();
    });
  return {
    terminal,
    folder,
    get output() {
      return output;
    },
    get errors() {
      return errors;
    },
    abandoned,
    interrupt,
    outputMatching,
    run,
    async up(...args) {
      const seen = output.length;
      const ended = run("up", "--secure-port", "0", ...args);
      const isReady = new RegExp(`^[\\s\\S]{${seen}}[\\s\\S]*export KUBECONFIG=`);
      const early = await Promise.race([outputMatching(isReady), ended]);
      if (typeof early === "number") throw new Error(`up ended with ${early}: ${errors}`);
      const url = /ready at (\S+)/.exec(output.slice(seen))?.[1] ?? "";
      const stop = (): Promise<number> => {
        interrupt();
        return ended;
      };
      onTestFinished(async () => void (await stop()));
      return { url, stop };
    },
  };
}
