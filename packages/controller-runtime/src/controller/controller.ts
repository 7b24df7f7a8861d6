import { isConflict } from "@binnacle/apimachinery";
import type { Activity } from "@binnacle/base";
import { parseKey } from "../cache/object-key.ts";
import { type ReconcileContext, TerminalError } from "../reconcile/reconcile.ts";
import { enqueueInto } from "../source/source.ts";
import { createDefaultRateLimiter } from "../workqueue/rate-limiter.ts";
import { WorkQueue } from "../workqueue/work-queue.ts";
import type { ControllerDefinition, ControllerInstance } from "./controller-definition.ts";

/** Counters of one controller since it started. */
export interface ControllerStats {
  readonly name: string;
  /** Keys that wait to be reconciled. */
  readonly queued: number;
  /** Keys that wait for their time. */
  readonly delayed: number;
  /** Keys that are being reconciled. */
  readonly running: number;
  readonly reconciles: number;
  readonly errors: number;
  readonly terminalErrors: number;
  readonly requeues: number;
}

/** A controller that runs: sources fill its queue, workers empty it. */
export class RunningController {
  readonly definition: ControllerDefinition;
  readonly #context: ReconcileContext;
  readonly #queue: WorkQueue;
  readonly #aborting: AbortController;
  readonly #stops: (() => void | Promise<void>)[] = [];
  readonly #counts = { running: 0, reconciles: 0, errors: 0, terminalErrors: 0, requeues: 0 };
  #workers: Promise<void>[] = [];

  constructor(
    definition: ControllerDefinition,
    context: ReconcileContext,
    options: { readonly aborting: AbortController; readonly activity?: Activity },
  ) {
    this.definition = definition;
    this.#context = context;
    this.#aborting = options.aborting;
    const rateLimiter = (definition.options.rateLimiter ?? createDefaultRateLimiter)(context.clock);
    this.#queue = new WorkQueue({
      clock: context.clock,
      rateLimiter,
      ...(options.activity === undefined ? {} : { activity: options.activity }),
    });
  }

  get stats(): ControllerStats {
    return {
      name: this.definition.name,
      queued: this.#queue.length,
      delayed: this.#queue.delayedLength,
      ...this.#counts,
    };
  }

  /**
   * Waits until what sources and reconciler read has arrived, then starts the sources and the workers: handlers may read
   * any resource of the controller from their first event on. Informers tell each new handler of what is there.
   */
  async start(): Promise<void> {
    const { sources, reads, setup, options } = this.definition;
    const { cache } = this.#context;
    const enqueue = enqueueInto(this.#queue);
    const instance = setup(this.#context);
    const types = [
      ...sources.flatMap((source) => (source.type === undefined ? [] : [source.type])),
      ...(instance.observers ?? []).map((observer) => observer.type),
      ...reads,
    ];
    await cache.waitForSync(types);
    if (this.#aborting.signal.aborted) return;
    for (const { type, onEvent } of instance.observers ?? [])
      this.#stops.push(cache.informer(type).addHandler(onEvent));
    for (const source of sources) this.#stops.push(source.start(enqueue, { cache }));
    if (instance.start !== undefined) this.#stops.push(instance.start(enqueue));
    for (let i = 0; i < (options.concurrency ?? 1); i++) this.#workers.push(this.#work(instance));
  }

  /** Aborts what is under way and resolves when it is over. */
  async stop(): Promise<void> {
    this.#aborting.abort(new Error(`controller ${this.definition.name} is stopped`));
    this.#queue.shutDown();
    for (const stop of this.#stops.splice(0).reverse()) await stop();
    await Promise.all(this.#workers);
    this.#workers = [];
  }

  async #work(instance: ControllerInstance): Promise<void> {
    for (let key = await this.#queue.take(); key !== undefined; key = await this.#queue.take()) {
      if (!this.#aborting.signal.aborted) await this.#reconcile(instance, key);
      this.#queue.done(key);
    }
  }

  /** Never rejects. */
  async #reconcile(instance: ControllerInstance, key: string): Promise<void> {
    this.#counts.running++;
    this.#counts.reconciles++;
    try {
      const { requeueAfterMs } = await instance.reconcile(parseKey(key), this.#context);
      this.#queue.forget(key);
      if (requeueAfterMs !== undefined) {
        this.#counts.requeues++;
        this.#queue.addAfter(key, requeueAfterMs);
      }
    } catch (error) {
      this.#fail(key, error);
    } finally {
      this.#counts.running--;
    }
  }

  #fail(key: string, error: unknown): void {
    if (this.#aborting.signal.aborted) return;
    const { logger } = this.#context;
    if (error instanceof TerminalError) {
      this.#counts.terminalErrors++;
      this.#queue.forget(key);
      logger.error("cannot reconcile, will not try again", { key, error: error.cause ?? error });
      return;
    }
    this.#counts.errors++;
    // The cache was behind: with what has arrived by the next try it will do.
    if (isConflict(error)) logger.debug("reconciled an old version, will try again", { key });
    else logger.warn("cannot reconcile, will try again", { key, error, failures: this.#queue.failures(key) });
    this.#queue.addRateLimited(key);
  }
}
