import {
  type Activity,
  type Clock,
  type Logger,
  type Random,
  type Stoppable,
  silentLogger,
} from "@binnacle/base";
import { type Client, createClient, type Transport } from "@binnacle/client";
import { Cache, type CacheOptions } from "../cache/cache.ts";
import { type ControllerStats, RunningController } from "../controller/controller.ts";
import type { ControllerDefinition } from "../controller/controller-definition.ts";
import { type LeaderElectionOptions, LeaderElector } from "../leader-election/leader-elector.ts";
import { EventBroadcaster } from "../recorder/event-recorder.ts";
import { type CachedClient, createCachedClient } from "./cached-client.ts";

export interface ManagerOptions {
  /** How to reach the API server. One of `transport` and `client`. */
  readonly transport?: Transport;
  readonly client?: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Default: silence. */
  readonly logger?: Logger;
  /** Counts everything that is under way: queued and processed keys, lists, unwritten events. */
  readonly activity?: Activity;
  /** What the cache keeps. Default everything that is asked for. */
  readonly cache?: Pick<CacheOptions, "limits" | "resourceLimits" | "pageSize" | "watchTimeoutSeconds">;
  /** Run controllers only while leading. Default: always. */
  readonly leaderElection?: Pick<
    LeaderElectionOptions,
    "lease" | "identity" | "leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs" | "releaseOnStop"
  >;
  /** Called when leadership is lost; the manager has stopped its controllers by then and starts none again. */
  readonly onLeadershipLost?: () => void;
}

/** Anything else that starts and stops with a manager. */
export interface Runnable {
  readonly name: string;
  /** Runs only in the process that leads. Default true. */
  readonly needsLeader?: boolean;
  start(manager: Manager): Promise<Stoppable> | Stoppable;
}

/** Runs controllers over one shared cache. */
export interface Manager {
  /** Reads come from the cache. */
  readonly client: CachedClient;
  readonly cache: Cache;
  readonly events: EventBroadcaster;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Adds a controller or a runnable; one that is added after the start is started at once. */
  add(part: ControllerDefinition | Runnable): Manager;
  /** Starts everything; resolves when all controllers have what they read and their workers run. */
  start(): Promise<void>;
  /** Stops everything; resolves when it is over. */
  stop(): Promise<void>;
  /** Whether all informers have synced and, where there is leader election, whether this process leads. */
  readonly health: { readonly hasSynced: boolean; readonly isLeader: boolean };
  readonly stats: readonly ControllerStats[];
}

/** A manager that has not started. */
export function createManager(options: ManagerOptions): Manager {
  return new ControllerManager(options);
}

type Part = ControllerDefinition | Runnable;

class ControllerManager implements Manager {
  readonly client: CachedClient;
  readonly cache: Cache;
  readonly events: EventBroadcaster;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly #options: ManagerOptions;
  readonly #live: Client;
  readonly #parts: Part[] = [];
  readonly #controllers: RunningController[] = [];
  readonly #runnables: Stoppable[] = [];
  readonly #starting = new Set<Promise<void>>();
  #elector: LeaderElector | undefined;
  #state: "new" | "started" | "stopped" = "new";
  #mayLead: boolean;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.random = options.random;
    this.logger = options.logger ?? silentLogger;
    if (options.client !== undefined) this.#live = options.client;
    else if (options.transport !== undefined) this.#live = createClient(options.transport);
    else throw new TypeError("a manager needs a transport or a client");
    const activity = options.activity === undefined ? {} : { activity: options.activity };
    const shared = { client: this.#live, clock: this.clock, random: this.random, ...activity };
    this.cache = new Cache({ ...shared, logger: this.logger, ...options.cache });
    this.client = createCachedClient(this.#live, this.cache);
    this.events = new EventBroadcaster({ ...shared, logger: this.logger });
    this.#mayLead = options.leaderElection === undefined;
  }

  get health(): { hasSynced: boolean; isLeader: boolean } {
    return { hasSynced: this.cache.hasSynced, isLeader: this.#mayLead };
  }

  get stats(): readonly ControllerStats[] {
    return this.#controllers.map((controller) => controller.stats);
  }

  add(part: Part): Manager {
    if (this.#parts.some((each) => each.name === part.name))
      throw new TypeError(`${part.name} has been added already`);
    this.#parts.push(part);
    if (this.#state === "started" && (this.#mayLead || !needsLeader(part))) this.#launch(part);
    return this;
  }

  async start(): Promise<void> {
    if (this.#state !== "new") throw new TypeError("a manager starts once");
    this.#state = "started";
    this.cache.start();
    for (const part of this.#parts) if (this.#mayLead || !needsLeader(part)) this.#launch(part);
    if (this.#options.leaderElection !== undefined) this.#elect(this.#options.leaderElection);
    await Promise.all(this.#starting);
  }

  async stop(): Promise<void> {
    if (this.#state === "stopped") return;
    this.#state = "stopped";
    await this.#stopParts();
    await this.#elector?.stop();
    await this.events.stop();
    await this.cache.stop();
  }

  #elect(options: NonNullable<ManagerOptions["leaderElection"]>): void {
    this.#elector = new LeaderElector({
      ...options,
      client: this.#live,
      clock: this.clock,
      random: this.random,
      logger: this.logger,
      onStartedLeading: () => {
        this.#mayLead = true;
        for (const part of this.#parts) if (needsLeader(part)) this.#launch(part);
      },
      onStoppedLeading: () => {
        this.#mayLead = false;
        void this.stop().then(() => this.#options.onLeadershipLost?.());
      },
    });
    this.#elector.start();
  }

  /** Starts a part in the background; {@link start} waits for those of the first hour. */
  #launch(part: Part): void {
    const started = ("setup" in part ? this.#startController(part) : this.#startRunnable(part))
      .catch((error: unknown) => this.logger.error("a part cannot be started", { part: part.name, error }))
      .finally(() => this.#starting.delete(started));
    this.#starting.add(started);
  }

  #startController(definition: ControllerDefinition): Promise<void> {
    const { name, options } = definition;
    const aborting = new AbortController();
    const client =
      options.fieldManager === undefined
        ? this.client
        : createCachedClient(this.#live.withOptions({ fieldManager: options.fieldManager }), this.cache);
    const context = {
      client,
      cache: this.cache,
      recorder: this.events.recorder(options.eventSource ?? name),
      clock: this.clock,
      random: this.random,
      logger: this.logger.with({ controller: name }),
      signal: aborting.signal,
    };
    const { activity } = this.#options;
    const controller = new RunningController(definition, context, {
      aborting,
      ...(activity === undefined ? {} : { activity }),
    });
    this.#controllers.push(controller);
    return controller.start();
  }

  async #startRunnable(runnable: Runnable): Promise<void> {
    const running = await runnable.start(this);
    if (this.#state === "stopped") await running.stop();
    else this.#runnables.push(running);
  }

  async #stopParts(): Promise<void> {
    await Promise.all([
      ...this.#controllers.map((controller) => controller.stop()),
      ...this.#runnables.splice(0).map((runnable) => runnable.stop()),
    ]);
  }
}

function needsLeader(part: Part): boolean {
  return ("setup" in part ? part.options.needsLeader : part.needsLeader) ?? true;
}
