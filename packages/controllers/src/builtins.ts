import type { ControllerDefinition } from "@binnacle/controller-runtime";
import { deploymentController } from "./apps/deployment/index.ts";
import { replicaSetController } from "./apps/replicaset/index.ts";
import { replicationControllerController } from "./core/replicationcontroller/index.ts";

/** Every built-in controller. Add each to a manager. */
export const builtinControllers: readonly ControllerDefinition[] = [
  deploymentController,
  replicaSetController,
  replicationControllerController,
];
