import type { Clock, Logger, Random } from "@binnacle/base";
import type { ObjectKey } from "@binnacle/client";
import type { Cache } from "../cache/cache.ts";
import type { CachedClient } from "../manager/cached-client.ts";
import type { EventRecorder } from "../recorder/event-recorder.ts";

/**
 * Brings the world closer to what one object asks for. It is told which object, never what happened to it: it reads
 * the present state and acts on that. Never runs twice at a time for one key.
 *
 * Throwing means: try again later, each time later. Waiting for time to pass is not an error: give `requeueAfterMs`.
 */
export type Reconcile = (key: ObjectKey, context: ReconcileContext) => Promise<ReconcileResult>;

export interface ReconcileResult {
  /** Come back for this key after so many milliseconds, whether or not something changes before. */
  readonly requeueAfterMs?: number;
}

/** What a reconciler may use. */
export interface ReconcileContext {
  /** Reads come from the cache and may be a moment old; `client.live` asks the server. */
  readonly client: CachedClient;
  /** The same cache without promises, for resources that the controller watches, owns or reads. */
  readonly cache: Cache;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Aborted when the controller stops. */
  readonly signal: AbortSignal;
}

/** Nothing is left to do for this key until something changes. */
export const done: ReconcileResult = Object.freeze({});

/** A failure that trying again will not mend. It is logged and not retried. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/** Marks a failure as not worth another try. */
export function terminal(error: Error | string): TerminalError {
  return typeof error === "string"
    ? new TerminalError(error)
    : new TerminalError(error.message, { cause: error });
}
