import { MASTERS_GROUP, type UserInfo } from "@binnacle/apiserver";
import {
  type Activity,
  type Clock,
  type Logger,
  type Random,
  type Stoppable,
  StopStack,
} from "@binnacle/base";
import type { Transport } from "@binnacle/client";
import { createManager, type Manager } from "@binnacle/controller-runtime";
import { builtinControllers, type CertificateSigner, createDefaultStorageClass } from "@binnacle/controllers";
import { KUBERNETES_VERSION } from "@binnacle/kube-apiserver";
import { addSimulatedNodes, registerNodes } from "@binnacle/kubelet";
import { scheduler } from "@binnacle/scheduler";
import { defaultNodes, type NodeTemplate } from "./nodes.ts";

/** What `--components` may name. */
export type ComponentName = "apiserver" | "controller-manager" | "scheduler" | "nodes";

export const COMPONENT_NAMES: readonly ComponentName[] = [
  "apiserver",
  "controller-manager",
  "scheduler",
  "nodes",
];

/** What every component gets. */
export interface ComponentContext {
  /** Default: all. */
  readonly names: readonly ComponentName[] | undefined;
  /** Default: one node. */
  readonly nodes: readonly NodeTemplate[] | undefined;
  readonly transport: (identity: { readonly user: UserInfo; readonly userAgent: string }) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly activity: Activity;
  /** PEM; empty: pods get no ConfigMap with it. */
  readonly rootCa: string;
  readonly certificateSigner?: CertificateSigner;
}

/** Components that are starting or running. */
export interface RunningComponents extends Stoppable {
  /** Resolves when every controller has read what it needs and works. Rejects when one cannot start. */
  readonly ready: Promise<void>;
}

/** Starts the chosen components on top of a running API server, each with a manager of its own. */
export async function startComponents(context: ComponentContext): Promise<RunningComponents> {
  const names = new Set(context.names ?? COMPONENT_NAMES);
  const stack = new StopStack();
  const managers: Manager[] = [];
  if (names.has("controller-manager")) managers.push(controllerManager(context, stack));
  if (names.has("scheduler")) managers.push(schedulerManager(context, stack));
  if (names.has("nodes")) managers.push(await nodesManager(context, stack));
  for (const manager of managers) stack.add(() => manager.stop());
  const ready = Promise.all(managers.map((manager) => manager.start())).then(() => {});
  return { ready, stop: () => stack.stop() };
}

function controllerManager(context: ComponentContext, stack: StopStack): Manager {
  const manager = managerFor(context, stack, "kube-controller-manager");
  const options = {
    ...(context.rootCa === "" ? {} : { certificateAuthority: context.rootCa }),
    ...(context.certificateSigner === undefined ? {} : { certificateSigner: context.certificateSigner }),
  };
  for (const controller of builtinControllers(options)) manager.add(controller);
  return manager;
}

function schedulerManager(context: ComponentContext, stack: StopStack): Manager {
  return managerFor(context, stack, "kube-scheduler").add(scheduler({ activity: context.activity }));
}

async function nodesManager(context: ComponentContext, stack: StopStack): Promise<Manager> {
  const manager = managerFor(context, stack, "kubelet");
  const version = KUBERNETES_VERSION.gitVersion;
  addSimulatedNodes(manager, { version });
  await Promise.all([
    registerNodes(manager, { nodes: context.nodes ?? defaultNodes(1), version }),
    createDefaultStorageClass(manager),
  ]);
  return manager;
}

function managerFor(context: ComponentContext, stack: StopStack, name: string): Manager {
  const { clock, random, logger, activity } = context;
  // Components of this process are trusted as the cluster itself is; others' identities come with their certificates.
  const user = { name: `system:${name}`, groups: [MASTERS_GROUP] };
  const transport = context.transport({ user, userAgent: name });
  stack.add(() => transport.close());
  return createManager({ transport, clock, random, logger: logger.with({ component: name }), activity });
}
