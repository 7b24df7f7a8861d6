import { createWriteStream, renameSync, statSync, type WriteStream } from "node:fs";
import { inspect } from "node:util";
import { type Clock, createLogger, type Logger, type Stoppable, stringifyJson } from "@binnacle/base";

/** A log that grew beyond this is set aside at the next start; one older log is kept. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
/** While the disk does not keep up, further lines are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** Lines of JSON in a file, opened with the first line. */
export function createLogFile(path: string, clock: Clock): { readonly logger: Logger } & Stoppable {
  let stream: WriteStream | undefined;
  let isBroken = false;
  const open = (): WriteStream => {
    setAside(path);
    const opened = createWriteStream(path, { flags: "a", mode: 0o600 });
    // A full disk must not end the cluster; its own writes report that to those who asked for them.
    opened.on("error", () => {
      isBroken = true;
    });
    return opened;
  };
  const logger = createLogger((level, message, details) => {
    if (isBroken) return;
    stream ??= open();
    if (stream.writableLength > MAX_BUFFERED_BYTES) return;
    stream.write(`${lineOf({ time: new Date(clock.now()).toISOString(), level, message, ...details })}\n`);
  });
  return {
    logger,
    async stop() {
      const ended = stream;
      isBroken = true;
      if (ended === undefined || ended.destroyed) return;
      await new Promise<void>((resolve) => {
        ended.once("close", resolve);
        ended.end();
      });
    },
  };
}

function setAside(path: string): void {
  try {
    if (statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // Node's fs errors carry a code.
  }
}

function lineOf(details: Record<string, unknown>): string {
  const plain = Object.entries(details).map(([key, value]) => [
    key,
    value instanceof Error ? inspect(value) : value,
  ]);
  try {
    return stringifyJson(Object.fromEntries(plain));
  } catch {
    return inspect(details, { breakLength: Number.POSITIVE_INFINITY }); // What no JSON can hold is shown nevertheless.
  }
}
