import type { ReplicationController } from "@binnacle/api";
import { labelMatcherFromMap } from "@binnacle/apimachinery";
import type { ControllerDefinition } from "@binnacle/controller-runtime";
import { replicaController } from "../../apps/replicaset/replica-controller.ts";
import { isPodActive } from "../../pod-control/pod-state.ts";
import { pods, replicationControllers } from "../../resource-types.ts";

/** Keeps the pods of ReplicationControllers running. */
export const replicationControllerController: ControllerDefinition = replicaController<ReplicationController>(
  {
    type: replicationControllers,
    view: ({ spec, status }) => ({
      replicas: spec?.replicas ?? 1,
      minReadySeconds: spec?.minReadySeconds ?? 0,
      selector: labelMatcherFromMap(spec?.selector ?? {}),
      template: spec?.template,
      status: status ?? { replicas: 0 },
    }),
    withStatus: (object, status) => ({ ...object, status }),
    countsTerminating: false,
    related: ({ metadata, spec }, { cache }) =>
      cache
        .list(pods, {
          namespace: metadata.namespace ?? "",
          labelSelector: labelMatcherFromMap(spec?.selector ?? {}),
        })
        .filter(isPodActive),
    eventSource: "replication-controller",
  },
);
