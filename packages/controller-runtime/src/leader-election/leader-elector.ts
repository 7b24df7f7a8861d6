import type { Lease } from "@binnacle/api";
import {
  isAlreadyExists,
  isConflict,
  type KubeObject,
  msToMicroTime,
  type ResourceType,
  resourceType,
} from "@binnacle/apimachinery";
import { type Clock, type Logger, type Random, sleep } from "@binnacle/base";
import type { Client, ObjectKey } from "@binnacle/client";

export interface LeaderElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The Lease that candidates compete for. */
  readonly lease: ObjectKey;
  /** This candidate's name, unlike all others'. */
  readonly identity: string;
  /** Others wait so long after the last renewal before they take over. Default 15,000. */
  readonly leaseDurationMs?: number;
  /** A leader that cannot renew for so long gives up. Default 10,000. */
  readonly renewDeadlineMs?: number;
  /** Between two tries. Default 2,000. */
  readonly retryPeriodMs?: number;
  /** Frees the lease when stopped, so that the next one need not wait. Default true. */
  readonly releaseOnStop?: boolean;
  /** Called when this candidate leads; the signal is aborted when it no longer does. */
  readonly onStartedLeading: (signal: AbortSignal) => void;
  /** Called when it no longer leads, other than by `stop`. It does not run again. */
  readonly onStoppedLeading: () => void;
  /** Called when somebody else, or this candidate, is seen to lead. */
  readonly onNewLeader?: (identity: string) => void;
}

const leases: ResourceType<Lease & KubeObject> = resourceType({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
});

/** Source: kubernetes v1.36 component-base/config/v1alpha1/defaults.go, RecommendedDefaultLeaderElectionConfiguration. */
const DEFAULT_LEASE_DURATION_MS = 15_000;
const DEFAULT_RENEW_DEADLINE_MS = 10_000;
const DEFAULT_RETRY_PERIOD_MS = 2_000;
/** Source: kubernetes v1.36 client-go/tools/leaderelection/leaderelection.go, JitterFactor. */
const JITTER = 1.2;

/**
 * Takes part in the election of one leader among several processes, by means of a Lease. Clocks need not agree: a
 * lease counts as alive for its duration since this process saw it change.
 *
 * Source: kubernetes v1.36 client-go/tools/leaderelection/leaderelection.go.
 */
export class LeaderElector {
  readonly #options: LeaderElectionOptions;
  readonly #leaseDurationMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryPeriodMs: number;
  readonly #stopping = new AbortController();
  readonly #leading = new AbortController();
  #observed: { lease: Lease; at: number } | undefined;
  #reportedLeader = "";
  #isLeader = false;
  #run: Promise<void> | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#leaseDurationMs = options.leaseDurationMs ?? DEFAULT_LEASE_DURATION_MS;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? DEFAULT_RENEW_DEADLINE_MS;
    this.#retryPeriodMs = options.retryPeriodMs ?? DEFAULT_RETRY_PERIOD_MS;
    if (this.#leaseDurationMs <= this.#renewDeadlineMs)
      throw new RangeError("leaseDurationMs must be greater than renewDeadlineMs");
    if (this.#renewDeadlineMs <= JITTER * this.#retryPeriodMs)
      throw new RangeError("renewDeadlineMs must be greater than 1.2 × retryPeriodMs");
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Starts competing. */
  start(): void {
    this.#run ??= this.#compete();
  }

  /** Stops; frees the lease if it is held. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("leader election is stopped"));
    await this.#run;
    this.#leading.abort(new Error("leader election is stopped"));
    const wasLeader = this.#isLeader;
    this.#isLeader = false;
    if (wasLeader && (this.#options.releaseOnStop ?? true)) await this.#release();
  }

  /** Never rejects. */
  async #compete(): Promise<void> {
    const { clock, logger, identity } = this.#options;
    while (!this.#stopping.signal.aborted && !(await this.#tryOnce())) await this.#pause(JITTER);
    if (this.#stopping.signal.aborted) return;
    this.#isLeader = true;
    logger.info("leads", { lease: this.#options.lease, identity });
    this.#options.onStartedLeading(this.#leading.signal);
    let renewedAt = clock.now();
    for (;;) {
      await this.#pause(0);
      if (this.#stopping.signal.aborted) return;
      if (await this.#tryOnce()) renewedAt = clock.now();
      else if (clock.now() - renewedAt >= this.#renewDeadlineMs) break;
    }
    this.#isLeader = false;
    logger.warn("no longer leads: the lease could not be renewed", { lease: this.#options.lease });
    this.#leading.abort(new Error("leadership is lost"));
    this.#options.onStoppedLeading();
  }

  async #pause(jitter: number): Promise<void> {
    const { clock, random } = this.#options;
    const delayMs = this.#retryPeriodMs * (1 + jitter * random.next());
    await sleep(clock, delayMs, this.#stopping.signal).catch(() => {}); // Stopping: the caller asks.
  }

  /** Acquires or renews; false when somebody else holds the lease or the server cannot be asked. */
  async #tryOnce(): Promise<boolean> {
    try {
      return await this.#acquireOrRenew();
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      const isLost = isConflict(error) || isAlreadyExists(error);
      if (!isLost) this.#options.logger.warn("cannot acquire or renew the lease", { error });
      return false;
    }
  }

  async #acquireOrRenew(): Promise<boolean> {
    const { client, clock, lease: key, identity } = this.#options;
    const { signal } = this.#stopping;
    const now = msToMicroTime(clock.now());
    const leaseDurationSeconds = Math.ceil(this.#leaseDurationMs / 1000);
    const mine = { holderIdentity: identity, leaseDurationSeconds, renewTime: now };
    const present = await client.find(leases, key, { signal });
    if (present === undefined) {
      const spec = { ...mine, acquireTime: now, leaseTransitions: 0 };
      this.#observe(await client.create(leases, { metadata: { ...key }, spec }, { signal }));
      return true;
    }
    this.#observe(present);
    const holder = present.spec?.holderIdentity ?? "";
    const isMine = holder === identity;
    if (!isMine && holder !== "" && this.#isAlive()) return false;
    const spec = {
      ...present.spec,
      ...mine,
      acquireTime: isMine ? (present.spec?.acquireTime ?? now) : now,
      leaseTransitions: (present.spec?.leaseTransitions ?? 0) + (isMine ? 0 : 1),
    };
    this.#observe(await client.update(leases, { ...present, spec }, { signal }));
    return true;
  }

  #observe(lease: Lease): void {
    const isNews = this.#observed?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion;
    if (isNews || this.#observed === undefined) this.#observed = { lease, at: this.#options.clock.now() };
    const leader = lease.spec?.holderIdentity ?? "";
    if (leader === this.#reportedLeader || leader === "") return;
    this.#reportedLeader = leader;
    this.#options.onNewLeader?.(leader);
  }

  /** Whether the lease was seen to change within its duration. */
  #isAlive(): boolean {
    if (this.#observed === undefined) return false;
    const durationMs = (this.#observed.lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return this.#observed.at + durationMs > this.#options.clock.now();
  }

  async #release(): Promise<void> {
    const { client, clock, logger } = this.#options;
    const lease = this.#observed?.lease;
    if (lease === undefined) return;
    const now = msToMicroTime(clock.now());
    const spec = {
      ...lease.spec,
      holderIdentity: "",
      leaseDurationSeconds: 1,
      renewTime: now,
      acquireTime: now,
    };
    try {
      await client.update(leases, { ...lease, spec });
    } catch (error) {
      logger.debug("cannot free the lease; it will expire", { error });
    }
  }
}
