import type { ServiceCIDR } from "@binnacle/api";
import { formatApiVersion, isAlreadyExists, type UnstructuredObject } from "@binnacle/apimachinery";
import {
  type ApiServerCore,
  keyOf,
  MASTERS_GROUP,
  objectOf,
  requestInProcess,
  toTime,
  type UserInfo,
} from "@binnacle/apiserver";
import { defaultFlowSchemas, defaultPriorityLevels } from "../flow-control/default-configuration.ts";
import { defaultPolicy } from "./rbac/default-policy.ts";

export interface BootstrapOptions {
  readonly serviceAddress: string;
  readonly serviceClusterIpRange: string;
  readonly clientCa: string | undefined;
}

/** Who creates what every cluster has. Source: kubernetes v1.36 apiserver/pkg/authentication/user, APIServerUser. */
export const API_SERVER: UserInfo = { name: "system:apiserver", groups: [MASTERS_GROUP] };

/** Source: pkg/controlplane/controller/systemnamespaces. */
const NAMESPACES = ["kube-system", "kube-public", "kube-node-lease", "default"] as const;

/**
 * Creates what every cluster has and what is not there yet. Objects that somebody changed or that exist are left
 * alone. All of them are on their way at once, so that a durable store syncs once for all.
 */
export async function createBootstrapObjects(core: ApiServerCore, options: BootstrapOptions): Promise<void> {
  await createMissing(
    core,
    NAMESPACES.map((name) => ({ kind: "Namespace", apiVersion: "v1", metadata: { name } })),
  );
  await createMissing(core, [
    ...defaultPolicy(),
    ...systemObjects(options),
    ...defaultPriorityLevels(),
    ...defaultFlowSchemas(),
  ]);
  await markServiceCidrReady(core);
}

/** Source: kubernetes v1.36 pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go. */
async function markServiceCidrReady(core: ApiServerCore): Promise<void> {
  const served = core.registry.findByKind("networking.k8s.io/v1", "ServiceCIDR");
  const entry = served && core.storage.get(keyOf(served, "", "kubernetes"));
  if (entry === undefined) return;
  const cidr = objectOf<ServiceCIDR>(entry);
  if (cidr.status?.conditions?.some(({ type }) => type === "Ready") === true) return;
  const ready = {
    type: "Ready",
    status: "True",
    reason: "",
    message: "Kubernetes default Service CIDR is ready",
    lastTransitionTime: toTime(core.clock.now()),
  };
  await requestInProcess(core, {
    method: "PUT",
    path: "/apis/networking.k8s.io/v1/servicecidrs/kubernetes/status",
    query: new URLSearchParams(),
    user: API_SERVER,
    userAgent: "kube-apiserver",
    body: { ...cidr, status: { conditions: [...(cidr.status?.conditions ?? []), ready] } },
  });
}

async function createMissing(core: ApiServerCore, objects: readonly UnstructuredObject[]): Promise<void> {
  await Promise.all(objects.map((object) => createUnlessThere(core, object)));
}

async function createUnlessThere(core: ApiServerCore, object: UnstructuredObject): Promise<void> {
  const served = core.registry.findByKind(object.apiVersion ?? "", object.kind ?? "");
  if (served === undefined) return; // The kind is not served: nothing can miss the object.
  const { name = "", namespace = "" } = object.metadata;
  if (core.storage.get(keyOf(served, namespace, name)) !== undefined) return;
  const root = served.group === "" ? `/api/${served.version}` : `/apis/${formatApiVersion(served)}`;
  const home = served.namespaced ? `/namespaces/${namespace}` : "";
  try {
    await requestInProcess(core, {
      method: "POST",
      path: `${root}${home}/${served.resource}`,
      query: new URLSearchParams(),
      user: API_SERVER,
      userAgent: "kube-apiserver",
      body: object,
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function systemObjects(options: BootstrapOptions): UnstructuredObject[] {
  const objects: UnstructuredObject[] = [
    {
      kind: "Service",
      apiVersion: "v1",
      metadata: {
        name: "kubernetes",
        namespace: "default",
        labels: { component: "apiserver", provider: "kubernetes" },
      },
      spec: {
        type: "ClusterIP",
        clusterIP: options.serviceAddress,
        sessionAffinity: "None",
        ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: 6443 }],
      },
    },
    {
      kind: "ServiceCIDR",
      apiVersion: "networking.k8s.io/v1",
      metadata: { name: "kubernetes" },
      spec: { cidrs: [options.serviceClusterIpRange] },
    },
    {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "extension-apiserver-authentication", namespace: "kube-system" },
      data: options.clientCa === undefined ? {} : { "client-ca-file": options.clientCa },
    },
    ...["system-cluster-critical", "system-node-critical"].map((name, index) => ({
      kind: "PriorityClass",
      apiVersion: "scheduling.k8s.io/v1",
      metadata: { name },
      value: 2_000_000_000 + index * 1_000,
      description:
        index === 0
          ? "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."
          : "Used for system critical pods that must not be moved from their current node.",
    })),
  ];
  return objects;
}
