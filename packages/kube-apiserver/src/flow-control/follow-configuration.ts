import type { FlowSchema, PriorityLevelConfiguration } from "@binnacle/api";
import { formatApiVersion, type KubeObject, type UnstructuredObject } from "@binnacle/apimachinery";
import {
  type ApiServerCore,
  objectOf,
  requestInProcess,
  type ServedResource,
  toTime,
} from "@binnacle/apiserver";
import { jsonEquals, type Stoppable, type Timer } from "@binnacle/base";
import { API_SERVER } from "../bootstrap/bootstrap.ts";
import {
  AUTO_UPDATE,
  defaultFlowSchemas,
  defaultPriorityLevels,
  MANDATORY,
} from "./default-configuration.ts";

/** Changes are followed at once; what they ask to be put right is put right together, so that starting is not held up. */
const REPAIR_AFTER_MS = 1_000;
const API_VERSION = "flowcontrol.apiserver.k8s.io/v1";

/**
 * Makes flow control follow the stored FlowSchemas and PriorityLevelConfigurations, keeps the mandatory ones and those
 * that ask for it as they should be, and says of each schema whether its level exists.
 *
 * Source: kubernetes v1.36 apiserver/pkg/util/flowcontrol/apf_controller.go and
 * pkg/registry/flowcontrol/rest/storage_flowcontrol.go.
 */
export function followFlowControlConfiguration(core: ApiServerCore): Stoppable {
  const schemas = core.registry.findByKind(API_VERSION, "FlowSchema");
  const levels = core.registry.findByKind(API_VERSION, "PriorityLevelConfiguration");
  if (schemas === undefined || levels === undefined) return { stop: async () => {} }; // Not served: nothing to follow.
  let isDue = false;
  let isStopped = false;
  let repairTimer: Timer | undefined;
  let repairing = Promise.resolve();
  const follow = (): void => {
    isDue = false;
    if (isStopped) return;
    core.flowControl.configure(
      objectsOf<FlowSchema>(core, schemas).map(toConfig),
      objectsOf<PriorityLevelConfiguration>(core, levels).map(toConfig),
    );
    repairTimer ??= core.clock.setTimer(REPAIR_AFTER_MS, () => {
      repairTimer = undefined;
      repairing = repair(core, schemas, levels);
    });
  };
  const subscriptions = [schemas, levels].map((served) =>
    core.watchHub.subscribe({
      resourcePrefix: served.keyPrefix,
      prefix: served.keyPrefix,
      afterRevision: undefined,
      onEvents: () => {
        if (isDue) return;
        isDue = true;
        queueMicrotask(follow); // Once for all events of a batch.
      },
    }),
  );
  follow();
  return {
    async stop() {
      isStopped = true;
      repairTimer?.cancel();
      for (const { stop } of subscriptions) stop();
      await repairing;
    },
  };
}

function toConfig<T extends FlowSchema | PriorityLevelConfiguration>({ metadata, spec }: T) {
  // Stored specs were validated: they have the shape that flow control reads.
  return { name: metadata.name ?? "", uid: metadata.uid ?? "", spec: spec as NonNullable<T["spec"]> };
}

/** Never rejects. */
async function repair(core: ApiServerCore, schemas: ServedResource, levels: ServedResource): Promise<void> {
  core.activity.begin();
  const storedSchemas = objectsOf<FlowSchema>(core, schemas);
  const storedLevels = objectsOf<PriorityLevelConfiguration>(core, levels);
  try {
    await keepDefaults(core, levels, defaultPriorityLevels(), storedLevels);
    await keepDefaults(core, schemas, defaultFlowSchemas(), storedSchemas);
    const names = new Set(storedLevels.map(({ metadata }) => metadata.name));
    await Promise.all(storedSchemas.map((schema) => tellWhetherDangling(core, schemas, schema, names)));
  } catch (error) {
    core.logger.warn("the configuration of flow control cannot be kept up", { error });
  } finally {
    core.activity.end();
  }
}

async function keepDefaults(
  core: ApiServerCore,
  served: ServedResource,
  defaults: readonly UnstructuredObject[],
  stored: readonly (FlowSchema | PriorityLevelConfiguration)[],
): Promise<void> {
  for (const wanted of defaults) {
    const name = wanted.metadata.name ?? "";
    const found = stored.find(({ metadata }) => metadata.name === name);
    if (found === undefined) {
      if (MANDATORY.has(name)) await send(core, served, "POST", "", wanted);
    } else if (
      found.metadata.annotations?.[AUTO_UPDATE] === "true" &&
      !jsonEquals(found.spec, wanted["spec"])
    ) {
      await send(core, served, "PUT", `/${name}`, { ...asObject(served, found), spec: wanted["spec"] });
    }
  }
}

/** Source: apf_controller.go, syncFlowSchemaStatus. */
async function tellWhetherDangling(
  core: ApiServerCore,
  served: ServedResource,
  schema: FlowSchema,
  levels: ReadonlySet<string | undefined>,
): Promise<void> {
  const level = schema.spec?.priorityLevelConfiguration.name ?? "";
  const exists = levels.has(level);
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const condition = exists
    ? { type: "Dangling", status: "False", reason: "Found", message: `${reference} and it exists` }
    : {
        type: "Dangling",
        status: "True",
        reason: "NotFound",
        message: `${reference} but there is no such object`,
      };
  const others = (schema.status?.conditions ?? []).filter(({ type }) => type !== "Dangling");
  const before = schema.status?.conditions?.find(({ type }) => type === "Dangling");
  if (before?.status === condition.status && before.message === condition.message) return;
  const status = {
    conditions: [...others, { ...condition, lastTransitionTime: toTime(core.clock.now()) }],
  };
  await send(core, served, "PUT", `/${schema.metadata.name}/status`, { ...asObject(served, schema), status });
}

function asObject(served: ServedResource, object: KubeObject): UnstructuredObject {
  return { kind: served.kind, apiVersion: served.apiVersion, ...object } as UnstructuredObject;
}

function objectsOf<T extends KubeObject>(core: ApiServerCore, served: ServedResource): T[] {
  return core.storage.range({ prefix: served.keyPrefix }).entries.map((entry) => objectOf<T>(entry));
}

async function send(
  core: ApiServerCore,
  served: ServedResource,
  method: "POST" | "PUT",
  path: string,
  body: UnstructuredObject,
): Promise<void> {
  await requestInProcess(core, {
    method,
    path: `/apis/${formatApiVersion(served)}/${served.resource}${path}`,
    query: new URLSearchParams(),
    user: API_SERVER,
    userAgent: "api-priority-and-fairness-config-producer-v1",
    body,
  });
}
