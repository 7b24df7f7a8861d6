import { type StatusError, tooManyRequests } from "@binnacle/apimachinery";
import { type Clock, jsonEquals } from "@binnacle/base";
import type { RequestContext } from "../request/request-context.ts";
import { distinguisherOf, type FlowSchemaSpec, matchesFlow } from "./classify.ts";
import { FairQueues, type QueueShape } from "./fair-queues.ts";

/** A stored FlowSchema. */
export interface FlowSchemaConfig {
  readonly name: string;
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
}

/** A stored PriorityLevelConfiguration; the spec's shape is flowcontrol.apiserver.k8s.io/v1's. */
export interface PriorityLevelConfig {
  readonly name: string;
  readonly uid: string;
  readonly spec: PriorityLevelSpec;
}

export interface PriorityLevelSpec {
  readonly type: string;
  readonly limited?: {
    readonly nominalConcurrencyShares?: number;
    readonly lendablePercent?: number;
    readonly borrowingLimitPercent?: number;
    readonly limitResponse?: { readonly type: string; readonly queuing?: Partial<QueueShape> };
  };
}

export interface FlowControlOptions {
  readonly clock: Clock;
  /** Requests of limited levels under way at a time, over all. Default 600: --max-requests-inflight and its mutating twin. */
  readonly seats?: number;
  /** How long a request waits for a seat, in milliseconds. Default 15,000: a quarter of --request-timeout. */
  readonly waitLimitMs?: number;
}

const DEFAULT_SEATS = 600;
const DEFAULT_WAIT_LIMIT_MS = 15_000;
const TOO_MANY = "too many requests, please try again later.";

/**
 * Decides when a request is served: a schema says which level it belongs to and whose flow it is, the level how many of
 * its kind run at a time and how the others wait. A level lends seats it does not use at once, and has them back as they
 * become free.
 *
 * Source: kubernetes v1.36 apiserver/pkg/util/flowcontrol; there seats are lent anew every ten seconds.
 */
export class FlowControl {
  readonly #clock: Clock;
  readonly #seats: number;
  readonly #waitLimitMs: number;
  #schemas: readonly FlowSchemaConfig[] = [];
  #levels = new Map<string, PriorityLevel>();

  constructor(options: FlowControlOptions) {
    this.#clock = options.clock;
    this.#seats = options.seats ?? DEFAULT_SEATS;
    this.#waitLimitMs = options.waitLimitMs ?? DEFAULT_WAIT_LIMIT_MS;
  }

  /** Follows these objects from now on. Requests that wait or run in a level that changed or went are let through. */
  configure(schemas: readonly FlowSchemaConfig[], levels: readonly PriorityLevelConfig[]): void {
    // Source: apihelpers, FlowSchemaSequence: by precedence, then by name.
    this.#schemas = [...schemas].sort(
      (a, b) =>
        (a.spec.matchingPrecedence ?? 0) - (b.spec.matchingPrecedence ?? 0) || (a.name < b.name ? -1 : 1),
    );
    const shares = levels.reduce((sum, { spec }) => sum + sharesOf(spec), 0);
    const before = this.#levels;
    this.#levels = new Map(
      levels.map((config) => {
        const known = before.get(config.name);
        const level =
          known?.isLike(config) === true ? known : new PriorityLevel(config, this.#levelOptions());
        level.nominalSeats = Math.ceil((this.#seats * sharesOf(config.spec)) / Math.max(1, shares));
        return [config.name, level];
      }),
    );
    for (const level of before.values()) if (this.#levels.get(level.name) !== level) level.retire();
    this.#dispatch();
  }

  /**
   * Takes a seat, at once or as a promise; what it gives must be called when the request is done. Undefined when the
   * request needs none. Throws 429, at once or after waiting too long.
   */
  enter(request: RequestContext): (() => void) | Promise<() => void> | undefined {
    const { user, info } = request;
    const schema = this.#schemas.find(({ spec }) => matchesFlow(spec, user, info));
    const level = schema && this.#levels.get(schema.spec.priorityLevelConfiguration.name);
    if (schema === undefined || level === undefined) return undefined; // Nothing is configured (yet).
    request.answerHeaders["x-kubernetes-pf-flowschema-uid"] = schema.uid;
    request.answerHeaders["x-kubernetes-pf-prioritylevel-uid"] = level.uid;
    if (level.isExempt) return undefined;
    const flow = `${schema.name}\n${distinguisherOf(schema.spec, user, info)}`;
    const entered = level.enter(flow, request);
    if (entered === undefined) throw refused();
    return entered;
  }

  #levelOptions(): LevelOptions {
    return {
      clock: this.#clock,
      waitLimitMs: this.#waitLimitMs,
      canBorrow: () => this.#unusedLendableSeats() > 0,
      onSeatFree: () => this.#dispatch(),
    };
  }

  /** What levels would lend and do not use, less what is borrowed already. */
  #unusedLendableSeats(): number {
    let seats = 0;
    for (const level of this.#levels.values()) seats += level.lendableSeats - level.borrowedSeats;
    return seats;
  }

  #dispatch(): void {
    for (const level of this.#levels.values()) level.dispatch();
  }
}

interface LevelOptions {
  readonly clock: Clock;
  readonly waitLimitMs: number;
  readonly canBorrow: () => boolean;
  readonly onSeatFree: () => void;
}

/** The seats of one PriorityLevelConfiguration. */
class PriorityLevel {
  readonly #config: PriorityLevelConfig;
  readonly #options: LevelOptions;
  readonly #queues: FairQueues | undefined;
  #used = 0;
  #isRetired = false;
  nominalSeats = 0;

  constructor(config: PriorityLevelConfig, options: LevelOptions) {
    this.#config = config;
    this.#options = options;
    const response = config.spec.limited?.limitResponse;
    if (response?.type !== "Queue") return;
    // Source: flowcontrol/v1 defaults.go, SetDefaults_QueuingConfiguration.
    const { queues = 64, handSize = 8, queueLengthLimit = 50 } = response.queuing ?? {};
    this.#queues = new FairQueues({
      clock: options.clock,
      waitLimitMs: options.waitLimitMs,
      shape: { queues, handSize, queueLengthLimit },
      takeSeat: () => this.#takeSeat(),
    });
  }

  get name(): string {
    return this.#config.name;
  }

  get uid(): string {
    return this.#config.uid;
  }

  get isExempt(): boolean {
    return this.#config.spec.type === "Exempt";
  }

  /** Seats that others may have now. */
  get lendableSeats(): number {
    const lendable = Math.round(
      (this.nominalSeats * (this.#config.spec.limited?.lendablePercent ?? 0)) / 100,
    );
    return Math.max(0, Math.min(lendable, this.nominalSeats - this.#used));
  }

  get borrowedSeats(): number {
    return Math.max(0, this.#used - this.nominalSeats);
  }

  isLike(config: PriorityLevelConfig): boolean {
    return config.uid === this.uid && jsonEquals(config.spec, this.#config.spec);
  }

  /** Undefined: there is no seat, and nowhere to wait. */
  enter(flow: string, { signal }: RequestContext): (() => void) | Promise<() => void> | undefined {
    return this.#queues === undefined ? this.#takeSeat() : this.#queues.enter(flow, signal, refused);
  }

  dispatch(): void {
    this.#queues?.dispatch();
  }

  /** Nobody comes any more, and who is here waits no longer. */
  retire(): void {
    this.#isRetired = true;
    this.#queues?.dispatch();
  }

  #takeSeat(): (() => void) | undefined {
    if (!this.#hasSeat()) return undefined;
    this.#used++;
    return () => {
      this.#used--;
      this.#options.onSeatFree();
    };
  }

  #hasSeat(): boolean {
    if (this.#isRetired || this.#used < this.nominalSeats) return true;
    const { borrowingLimitPercent: limit } = this.#config.spec.limited ?? {};
    const most =
      limit === undefined ? Number.POSITIVE_INFINITY : Math.round((this.nominalSeats * limit) / 100);
    return this.borrowedSeats < most && this.#options.canBorrow();
  }
}

function sharesOf({ type, limited }: PriorityLevelSpec): number {
  return type === "Limited" ? (limited?.nominalConcurrencyShares ?? 30) : 0;
}

function refused(): StatusError {
  return tooManyRequests(TOO_MANY, 1);
}
