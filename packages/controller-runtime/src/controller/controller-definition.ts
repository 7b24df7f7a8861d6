import type { KubeObject, ResourceType } from "@binnacle/apimachinery";
import type { Clock } from "@binnacle/base";
import type { ObjectEvent } from "../cache/informer.ts";
import type { Reconcile, ReconcileContext } from "../reconcile/reconcile.ts";
import type { Enqueue, Source } from "../source/source.ts";
import type { RateLimiter } from "../workqueue/rate-limiter.ts";

export interface ControllerOptions {
  /** How many keys are reconciled at a time. Default 1. */
  readonly concurrency?: number;
  /** How long failed keys wait. Default: client-go's. */
  readonly rateLimiter?: (clock: Clock) => RateLimiter;
  /** Runs only in the process that leads, where leader election is on. Default true. */
  readonly needsLeader?: boolean;
  /** The component that events of this controller name. Default: the controller's name. */
  readonly eventSource?: string;
  /** The field manager of writes. Default: the client's. */
  readonly fieldManager?: string;
}

/** One controller, as a plain value: nothing runs before a manager starts it. Made with `controllerFor`. */
export interface ControllerDefinition {
  /** Unique within a manager; appears in logs and metrics. */
  readonly name: string;
  readonly sources: readonly Source[];
  /** Resources that are read without being watched for keys. They have arrived before the first key is reconciled. */
  readonly reads: readonly ResourceType[];
  readonly options: ControllerOptions;
  /** Makes the running part. Called once per start; whatever state the controller keeps is made here. */
  readonly setup: (context: ReconcileContext) => ControllerInstance;
}

/** The running part of a controller. */
export interface ControllerInstance {
  readonly reconcile: Reconcile;
  /**
   * Hears every change of the resources it names, before sources turn the change into keys: for bookkeeping such as
   * expectations.
   */
  readonly observers?: readonly Observer[];
  /** Called when all resources have arrived, before the first key is reconciled; gives what stops it. */
  readonly start?: (enqueue: Enqueue) => () => void | Promise<void>;
}

export interface Observer {
  readonly type: ResourceType;
  readonly onEvent: (event: ObjectEvent) => void;
}

/** Hears the changes of one resource. */
export function observe<T extends KubeObject>(
  type: ResourceType<T>,
  onEvent: (event: ObjectEvent<T>) => void,
): Observer {
  return { type, onEvent: onEvent as Observer["onEvent"] }; // Called with events of this resource only.
}
