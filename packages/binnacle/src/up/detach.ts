import { type ChildProcess, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { DataDirectory, DirectoryInUseError, runningOwner } from "@binnacle/cluster";
import type { ParentMessage, Terminal } from "../terminal.ts";
import { addressLines } from "./progress.ts";

/**
 * Starts the same command again without a terminal and waits until it is ready. The process that stays behind writes to
 * the data directory's log. Rejects with its sentence when it could not start.
 */
export async function startDetached(
  args: readonly string[],
  dataDirectory: string,
  terminal: Terminal,
): Promise<void> {
  const directory = await DataDirectory.open(dataDirectory);
  const owner = await runningOwner(dataDirectory);
  if (owner !== undefined) throw new DirectoryInUseError(dataDirectory, owner);
  const log = await open(directory.logPath, "a", 0o600);
  let child: ChildProcess;
  try {
    const [program = "", ...first] = terminal.self;
    child = spawn(program, [...first, ...args], {
      detached: true,
      stdio: ["ignore", log.fd, log.fd, "ipc"],
      env: { ...terminal.env, BINNACLE_DETACHED: "1" },
    });
  } finally {
    await log.close();
  }
  const stopListening = terminal.onInterrupt(() => child.kill("SIGTERM"));
  try {
    const message = await firstMessage(child, directory.logPath);
    if (message.kind === "failed") throw new Error(message.message);
    terminal.out(addressLines(message));
  } finally {
    stopListening();
    if (child.connected) child.disconnect();
    child.unref();
  }
}

function firstMessage(child: ChildProcess, logPath: string): Promise<ParentMessage> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as ParentMessage)); // Only our own program is at the other end.
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the cluster ended while it started; its log is ${logPath}`)));
  });
}
