import type { KubeObject, ResourceType } from "@binnacle/apimachinery";
import type {
  ControllerDefinition,
  ControllerInstance,
  ControllerOptions,
} from "../controller/controller-definition.ts";
import { type EventHandler, enqueueObject, enqueueOwner } from "../handler/handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Reconcile, ReconcileContext } from "../reconcile/reconcile.ts";
import { kindSource, type Source } from "../source/source.ts";

/** Puts a controller together, step by step. Each step gives a new builder. */
export interface ControllerBuilder {
  /** Changes of these objects enqueue the object that controls them. */
  owns<O extends KubeObject>(type: ResourceType<O>, ...predicates: Predicate<O>[]): ControllerBuilder;
  /** Changes of these objects enqueue what the handler says. */
  watches<W extends KubeObject>(
    type: ResourceType<W>,
    handler: EventHandler<W>,
    ...predicates: Predicate<W>[]
  ): ControllerBuilder;
  /** Keys from anywhere else. */
  source(source: Source): ControllerBuilder;
  /** Read from the cache, without enqueuing anything. */
  reads(...types: ResourceType[]): ControllerBuilder;
  /** Default: the kind in lower case. */
  named(name: string): ControllerBuilder;
  withOptions(options: ControllerOptions): ControllerBuilder;
  /** A reconciler without state of its own. */
  reconcile(reconcile: Reconcile): ControllerDefinition;
  /** A reconciler with state, made anew at each start. */
  setup(setup: (context: ReconcileContext) => ControllerInstance): ControllerDefinition;
}

/**
 * A controller for the objects of one resource: each is reconciled when it changes.
 *
 * ```ts
 * export const replicaSetController: ControllerDefinition =
 *   controllerFor(replicaSets).owns(pods).reconcile(reconcileReplicaSet);
 * ```
 */
export function controllerFor<T extends KubeObject>(
  type: ResourceType<T>,
  ...predicates: Predicate<T>[]
): ControllerBuilder {
  return build({
    name: type.kind.toLowerCase(),
    owner: type,
    sources: [kindSource(type, enqueueObject<T>(), predicates)],
    reads: [],
    options: {},
  });
}

/** A controller whose keys come from `watches` and `source` alone. */
export function controllerNamed(name: string): ControllerBuilder {
  return build({ name, owner: undefined, sources: [], reads: [], options: {} });
}

interface Plan {
  readonly name: string;
  readonly owner: ResourceType | undefined;
  readonly sources: readonly Source[];
  readonly reads: readonly ResourceType[];
  readonly options: ControllerOptions;
}

function build(plan: Plan): ControllerBuilder {
  const withSource = (source: Source): ControllerBuilder =>
    build({ ...plan, sources: [...plan.sources, source] });
  const define = (setup: ControllerDefinition["setup"]): ControllerDefinition =>
    Object.freeze({
      name: plan.name,
      sources: plan.sources,
      reads: plan.reads,
      options: plan.options,
      setup,
    });
  return {
    owns(type, ...predicates) {
      if (plan.owner === undefined) throw new TypeError("a controller of no resource owns nothing");
      return withSource(kindSource(type, enqueueOwner(plan.owner), predicates));
    },
    watches: (type, handler, ...predicates) => withSource(kindSource(type, handler, predicates)),
    source: withSource,
    reads: (...types) => build({ ...plan, reads: [...plan.reads, ...types] }),
    named: (name) => build({ ...plan, name }),
    withOptions: (options) => build({ ...plan, options: { ...plan.options, ...options } }),
    reconcile: (reconcile) => define(() => ({ reconcile })),
    setup: define,
  };
}
