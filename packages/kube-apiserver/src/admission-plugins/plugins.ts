import type { AdmissionPlugin } from "@binnacle/apiserver";
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from "./certificates/plugins.ts";
import { defaultIngressClass } from "./default-ingress-class/plugin.ts";
import { defaultStorageClass } from "./default-storage-class/plugin.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds/plugin.ts";
import { limitRanger } from "./limit-ranger/plugin.ts";
import { namespaceLifecycle } from "./namespace-lifecycle/plugin.ts";
import { nodeRestriction } from "./node-restriction/plugin.ts";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize/plugin.ts";
import { podSecurity } from "./pod-security/plugin.ts";
import { priority } from "./priority/plugin.ts";
import { resourceQuota } from "./resource-quota/plugin.ts";
import { runtimeClass } from "./runtime-class/plugin.ts";
import { serviceAccount } from "./service-account/plugin.ts";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection/plugin.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition/plugin.ts";

/**
 * The admission plugins, in the order in which they run.
 *
 * Source: kubernetes v1.36 pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins.
 */
export const ADMISSION_PLUGINS: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  resourceQuota,
];

/**
 * The plugins that are on: all but the disabled ones. Throws an Error that lists the known names for an unknown one.
 */
export function choosePlugins(choice: {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}): readonly AdmissionPlugin[] {
  const known = new Set(ADMISSION_PLUGINS.map((plugin) => plugin.name));
  for (const name of [...choice.enabled, ...choice.disabled]) {
    if (!known.has(name)) {
      throw new Error(
        `admission plugin ${JSON.stringify(name)} is unknown; known are ${[...known].sort().join(", ")}`,
      );
    }
  }
  return ADMISSION_PLUGINS.filter((plugin) => !choice.disabled.includes(plugin.name));
}
