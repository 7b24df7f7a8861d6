import type { ControllerDefinition } from "@binnacle/controller-runtime";
import { daemonSetController } from "./apps/daemonset/index.ts";
import { deploymentController } from "./apps/deployment/index.ts";
import { replicaSetController } from "./apps/replicaset/index.ts";
import { statefulSetController } from "./apps/statefulset/index.ts";
import { horizontalPodAutoscalerController } from "./autoscaling/horizontalpodautoscaler/index.ts";
import { cronJobController } from "./batch/cronjob/index.ts";
import { finishedJobController, jobController } from "./batch/job/index.ts";
import {
  certificateRequestCleaner,
  certificateSigningController,
} from "./certificates/certificatesigningrequest/index.ts";
import type { CertificateSigner } from "./certificates/certificatesigningrequest/signer.ts";
import { rootCaPublisher } from "./core/configmap/root-ca-publisher.ts";
import { endpointsController } from "./core/endpoints/index.ts";
import { garbageCollector } from "./core/garbage-collector/index.ts";
import { namespaceController } from "./core/namespace/index.ts";
import { nodeLifecycleController } from "./core/node/index.ts";
import { volumeBinder, volumeProtection } from "./core/persistentvolume/index.ts";
import { claimBinder, claimProtection } from "./core/persistentvolumeclaim/index.ts";
import { podGarbageCollector } from "./core/pod-garbage-collector/index.ts";
import { replicationControllerController } from "./core/replicationcontroller/index.ts";
import { resourceQuotaController } from "./core/resourcequota/index.ts";
import { serviceAccountController } from "./core/serviceaccount/index.ts";
import { endpointSliceController } from "./discovery/endpointslice/index.ts";
import { endpointSliceMirroringController } from "./discovery/endpointslice/mirroring.ts";
import { podDisruptionBudgetController } from "./policy/poddisruptionbudget/index.ts";
import { clusterRoleAggregationController } from "./rbac/clusterrole/index.ts";

export interface BuiltinOptions {
  /** PEM certificates that pods verify the API server by. Default: no ConfigMap is published. */
  readonly certificateAuthority?: string;
  /** Signs what CertificateSigningRequests ask for. Default: approved requests stay unsigned. */
  readonly certificateSigner?: CertificateSigner;
}

/** Every built-in controller. Add each to a manager. */
export function builtinControllers(options: BuiltinOptions = {}): readonly ControllerDefinition[] {
  const { certificateAuthority, certificateSigner } = options;
  return [
    garbageCollector,
    namespaceController,
    serviceAccountController,
    ...(certificateAuthority === undefined ? [] : [rootCaPublisher(certificateAuthority)]),
    nodeLifecycleController,
    podGarbageCollector,
    endpointsController,
    endpointSliceController,
    endpointSliceMirroringController,
    podDisruptionBudgetController,
    resourceQuotaController,
    claimBinder,
    claimProtection,
    volumeBinder,
    volumeProtection,
    horizontalPodAutoscalerController,
    deploymentController,
    replicaSetController,
    statefulSetController,
    daemonSetController,
    replicationControllerController,
    jobController,
    finishedJobController,
    cronJobController,
    clusterRoleAggregationController,
    ...(certificateSigner === undefined ? [] : [certificateSigningController(certificateSigner)]),
    certificateRequestCleaner,
  ];
}
