import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createLogger, createRealClock, type Logger } from "@binnacle/base";

/** Warnings and errors as JSON lines in a file, readable by its owner only. A line that cannot be written is dropped. */
export function createFileLogger(path: string): Logger {
  const clock = createRealClock();
  return createLogger(
    (level, message, details) => {
      const line = JSON.stringify({
        time: new Date(clock.now()).toISOString(),
        level,
        message,
        ...plain(details),
      });
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendFileSync(path, `${line}\n`, { mode: 0o600 });
      } catch {
        // A full disk must not take the cluster down; the API keeps answering.
      }
    },
    { level: "warn" },
  );
}

function plain(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      value instanceof Error ? (value.stack ?? value.message) : value,
    ]),
  );
}
