export { type ControllerBuilder, controllerFor, controllerNamed } from "./builder/builder.ts";
export { Cache, type CacheListOptions, type CacheOptions, resourceKey } from "./cache/cache.ts";
export {
  Informer,
  type InformerLimits,
  type InformerOptions,
  type ObjectEvent,
  type ObjectHandler,
} from "./cache/informer.ts";
export { formatKey, parseKey, textKeyOf } from "./cache/object-key.ts";
export { Reflector, type ReflectorOptions, type ReflectorSink } from "./cache/reflector.ts";
export { type IndexFunction, NAMESPACE_INDEX, OWNER_INDEX, Store } from "./cache/store.ts";
export { findCondition, isConditionTrue, setCondition } from "./condition/condition.ts";
export { type ControllerStats, RunningController } from "./controller/controller.ts";
export {
  type ControllerDefinition,
  type ControllerInstance,
  type ControllerOptions,
  type Observer,
  observe,
} from "./controller/controller-definition.ts";
export {
  addFinalizer,
  type FinalizerOutcome,
  finalize,
  hasFinalizer,
  isTerminating,
  removeFinalizer,
} from "./finalizer/finalizer.ts";
export { type EventHandler, enqueueMapped, enqueueObject, enqueueOwner } from "./handler/handler.ts";
export { type LeaderElectionOptions, LeaderElector } from "./leader-election/leader-elector.ts";
export { type CachedClient, createCachedClient } from "./manager/cached-client.ts";
export { createManager, type Manager, type ManagerOptions, type Runnable } from "./manager/manager.ts";
export { type CreateOrPatchResult, createOrPatch, mergePatchBetween } from "./owner/create-or-patch.ts";
export {
  controllerOf,
  controllerReference,
  isControlledBy,
  ownerReference,
  withController,
} from "./owner/owner-reference.ts";
export {
  and,
  annotationsChanged,
  created,
  deleted,
  generationChanged,
  labelsChanged,
  not,
  objectMatches,
  or,
  type Predicate,
} from "./predicate/predicate.ts";
export {
  done,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  TerminalError,
  terminal,
} from "./reconcile/reconcile.ts";
export { type Correlated, EventCorrelator } from "./recorder/event-correlator.ts";
export {
  EventBroadcaster,
  type EventBroadcasterOptions,
  type EventRecorder,
  type EventType,
  silentRecorder,
} from "./recorder/event-recorder.ts";
export {
  createKeyChannel,
  type Enqueue,
  enqueueInto,
  type KeyChannel,
  kindSource,
  type Source,
} from "./source/source.ts";
export {
  createBucketRateLimiter,
  createDefaultRateLimiter,
  createExponentialRateLimiter,
  createMaxOfRateLimiter,
  type RateLimiter,
  TokenBucket,
} from "./workqueue/rate-limiter.ts";
export { WorkQueue, type WorkQueueOptions } from "./workqueue/work-queue.ts";
