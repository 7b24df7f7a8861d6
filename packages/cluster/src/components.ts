import type { UserInfo } from "@binnacle/apiserver";
import { type Activity, type Clock, type Logger, type Random, type Stoppable, StopStack } from "@binnacle/base";
import type { Transport } from "@binnacle/client";
import type { NodeTemplate } from "./nodes.ts";

/** What `--components` may name. */
export type ComponentName = "apiserver" | "controller-manager" | "scheduler" | "nodes";

export const COMPONENT_NAMES: readonly ComponentName[] = ["apiserver", "controller-manager", "scheduler", "nodes"];

/** What every component gets. */
export interface ComponentContext {
  readonly names: readonly ComponentName[] | undefined;
  readonly nodes: readonly NodeTemplate[] | undefined;
  readonly transport: (identity: { readonly user: UserInfo; readonly userAgent: string }) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly activity: Activity;
  readonly rootCa: string;
}

/** Starts the chosen components on top of a running API server, in start order. */
export async function startComponents(_context: ComponentContext): Promise<Stoppable> {
  return new StopStack();
}
