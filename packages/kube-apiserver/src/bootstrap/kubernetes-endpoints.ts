import type { EndpointSlice, Endpoints } from "@binnacle/api";
import { formatApiVersion, type UnstructuredObject } from "@binnacle/apimachinery";
import {
  type ApiServerCore,
  keyOf,
  objectOf,
  requestInProcess,
  type ServedResource,
} from "@binnacle/apiserver";
import { jsonEquals, type Stoppable, type Timer } from "@binnacle/base";
import { API_SERVER } from "./bootstrap.ts";

/** Source: kubernetes v1.36 pkg/controlplane/controller/kubernetesservice/controller.go, EndpointInterval. */
const RECONCILE_MS = 10_000;

/**
 * Keeps the endpoints of the service `kubernetes` in `default` at the address where this server is reached. They stay
 * when it stops: nobody can read them then, and the next start corrects them.
 *
 * Source: kubernetes v1.36 pkg/controlplane/reconcilers/{lease,endpointsadapter}.go.
 */
export async function publishKubernetesEndpoints(
  core: ApiServerCore,
  address: { readonly ip: string; readonly port: number },
): Promise<Stoppable> {
  const wanted = [endpointsAt(address), endpointSliceAt(address)];
  let timer: Timer | undefined;
  let isStopped = false;
  const reconcile = async (): Promise<void> => {
    try {
      await Promise.all(wanted.map((object) => put(core, object)));
    } catch (error) {
      core.logger.warn("the endpoints of the service kubernetes cannot be written", { error });
    }
    if (!isStopped) timer = core.clock.setTimer(RECONCILE_MS, () => void reconcile());
  };
  await reconcile();
  return {
    async stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

const METADATA = { name: "kubernetes", namespace: "default" };

function endpointsAt({ ip, port }: { ip: string; port: number }): Endpoints & UnstructuredObject {
  return {
    kind: "Endpoints",
    apiVersion: "v1",
    metadata: { ...METADATA, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip }], ports: [{ name: "https", port, protocol: "TCP" }] }],
  };
}

function endpointSliceAt({ ip, port }: { ip: string; port: number }): EndpointSlice & UnstructuredObject {
  return {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    metadata: { ...METADATA, labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: ip.includes(":") ? "IPv6" : "IPv4",
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports: [{ name: "https", port, protocol: "TCP" }],
  };
}

/** Writes the object unless it is stored like that already. */
async function put(core: ApiServerCore, object: UnstructuredObject): Promise<void> {
  const served = core.registry.findByKind(object.apiVersion ?? "", object.kind ?? "");
  if (served === undefined) return; // The kind is not served: nobody can ask for it.
  const entry = core.storage.get(keyOf(served, METADATA.namespace, METADATA.name));
  if (entry === undefined) {
    await send(core, served, "POST", object);
    return;
  }
  const stored = objectOf(entry);
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const isSame =
    jsonEquals(stored.metadata.labels, metadata.labels) &&
    Object.entries(rest).every(([field, value]) => jsonEquals(stored[field], value));
  if (isSame) return;
  if (stored["addressType"] !== object["addressType"]) {
    await send(core, served, "DELETE"); // A slice cannot turn from one family to the other.
    await send(core, served, "POST", object);
    return;
  }
  await send(core, served, "PUT", {
    ...object,
    metadata: { ...stored.metadata, labels: metadata.labels ?? {} },
  });
}

function send(
  core: ApiServerCore,
  served: ServedResource,
  method: "POST" | "PUT" | "DELETE",
  body?: UnstructuredObject,
): Promise<unknown> {
  const root = served.group === "" ? `/api/${served.version}` : `/apis/${formatApiVersion(served)}`;
  const collection = `${root}/namespaces/${METADATA.namespace}/${served.resource}`;
  return requestInProcess(core, {
    method,
    path: method === "POST" ? collection : `${collection}/${METADATA.name}`,
    query: new URLSearchParams(),
    user: API_SERVER,
    userAgent: "kube-apiserver",
    body,
  });
}
