import type { Event } from "@binnacle/api";
import {
  formatApiVersion,
  isAlreadyExists,
  isNotFound,
  isStatusError,
  type KubeObject,
  msToTime,
  type ResourceType,
  resourceType,
} from "@binnacle/apimachinery";
import { type Activity, type Clock, type Logger, type Random, sleep } from "@binnacle/base";
import { type Client, mergePatch } from "@binnacle/client";
import { EventCorrelator } from "./event-correlator.ts";

export type EventType = "Normal" | "Warning";

/** Tells people what happened to an object. Calls return at once; failures to write are logged and forgotten. */
export interface EventRecorder {
  /** `reason` is one CamelCase word, `message` a sentence for people. */
  event(
    type: ResourceType,
    object: KubeObject,
    eventType: EventType,
    reason: string,
    message: string,
    options?: { readonly fieldPath?: string },
  ): void;
}

export interface EventBroadcasterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Counts events that have not been written yet; not while waiting to try again. */
  readonly activity?: Activity;
}

const events: ResourceType<Event> = resourceType<Event>({
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
});

/** Source: kubernetes v1.36 client-go/tools/record/event.go, maxTriesPerEvent, defaultSleepDuration, maxQueuedEvents. */
const MAX_TRIES = 12;
const RETRY_AFTER_MS = 10_000;
const MAX_QUEUED_EVENTS = 1000;

/** Writes core/v1 Events, one at a time, for any number of recorders. Over 1,000 waiting events, new ones are dropped. */
export class EventBroadcaster {
  readonly #options: EventBroadcasterOptions;
  readonly #correlator: EventCorrelator;
  readonly #stopping = new AbortController();
  readonly #queue: Event[] = [];
  #worker: Promise<void> | undefined;
  #isWorking = false;
  #lastStamp = 0n;
  /** Events that found the queue full since it was last empty. */
  #dropped = 0;

  constructor(options: EventBroadcasterOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
  }

  /** A recorder whose events name `component` as their source. */
  recorder(component: string): EventRecorder {
    return {
      event: (type, object, eventType, reason, message, options = {}) => {
        const now = msToTime(this.#options.clock.now());
        const { name = "", namespace, uid, resourceVersion } = object.metadata;
        // Events of objects without a namespace live in `default`.
        const eventNamespace = namespace === undefined || namespace === "" ? "default" : namespace;
        this.#enqueue({
          metadata: { name: `${name}.${this.#stamp()}`, namespace: eventNamespace },
          involvedObject: {
            kind: type.kind,
            ...(namespace === undefined ? {} : { namespace }),
            name,
            ...(uid === undefined ? {} : { uid }),
            apiVersion: formatApiVersion(type),
            ...(resourceVersion === undefined ? {} : { resourceVersion }),
            ...(options.fieldPath === undefined ? {} : { fieldPath: options.fieldPath }),
          },
          reason,
          message,
          source: { component },
          firstTimestamp: now,
          lastTimestamp: now,
          count: 1,
          type: eventType,
          reportingComponent: component,
          reportingInstance: "",
        });
      },
    };
  }

  /** Gives up what has not been written. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the event broadcaster is stopped"));
    await this.#worker;
  }

  /** Nanoseconds since the epoch in hexadecimal, as upstream names events; never the same twice. */
  #stamp(): string {
    const now = BigInt(Math.floor(this.#options.clock.now() * 1000)) * 1000n;
    this.#lastStamp = now > this.#lastStamp ? now : this.#lastStamp + 1n;
    return this.#lastStamp.toString(16);
  }

  #enqueue(event: Event): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#queue.length >= MAX_QUEUED_EVENTS) {
      if (this.#dropped++ === 0)
        this.#options.logger.warn("too many events are waiting, some are dropped", { reason: event.reason });
      return;
    }
    this.#options.activity?.begin();
    this.#queue.push(event);
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#worker = this.#work();
  }

  async #work(): Promise<void> {
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      if (!this.#stopping.signal.aborted) await this.#write(event);
      this.#options.activity?.end();
    }
    if (this.#dropped > 0) this.#options.logger.warn("events were dropped", { count: this.#dropped });
    this.#dropped = 0;
    // In the same turn in which the queue was seen empty: an event that comes now starts anew.
    this.#isWorking = false;
  }

  /** Never rejects. */
  async #write(fresh: Event): Promise<void> {
    const { client, clock, random, logger, activity } = this.#options;
    const plan = this.#correlator.correlate(fresh);
    if (plan.action === "drop") return;
    const { signal } = this.#stopping;
    for (let tries = 1; ; tries++) {
      try {
        const stored =
          plan.action === "count"
            ? await count(client, plan.event, signal)
            : await client.create(events, plan.event, { signal });
        this.#correlator.wrote(plan.key, stored);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isStatusError(error)) {
          // The server has decided; asking again changes nothing. Most often the namespace is going away.
          if (!isAlreadyExists(error))
            logger.debug("the server refused an event", { reason: fresh.reason, error });
          return;
        }
        if (tries >= MAX_TRIES) {
          logger.warn("cannot write an event, gave up", { reason: fresh.reason, error });
          return;
        }
      }
      activity?.end();
      // The first wait is spread, so that not all clients come back together when a server does.
      const delayMs = tries === 1 ? RETRY_AFTER_MS * random.next() : RETRY_AFTER_MS;
      await sleep(clock, delayMs, signal).catch(() => {}); // Stopping: the next try notices.
      activity?.begin();
    }
  }
}

async function count(client: Client, event: Event, signal: AbortSignal): Promise<Event> {
  const { count: total, lastTimestamp, message } = event;
  try {
    return await client.patch(events, event, mergePatch({ count: total, lastTimestamp, message }), {
      signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // It has expired meanwhile: write it anew, count and all.
    const { resourceVersion: _, uid: __, creationTimestamp: ___, ...metadata } = event.metadata;
    return client.create(events, { ...event, metadata }, { signal });
  }
}

/** Drops every event. */
export const silentRecorder: EventRecorder = { event: () => {} };
