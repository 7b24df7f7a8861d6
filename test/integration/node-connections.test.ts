import { isStatusError } from "@binnacle/apimachinery";
import { requestInProcess } from "@binnacle/apiserver";
import { startCluster, type TestCluster } from "@binnacle/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const pod = (name: string, containers: readonly string[], nodeName?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: {
    automountServiceAccountToken: false,
    containers: containers.map((container) => ({
      name: container,
      image: "i",
      resources: { requests: { cpu: "1" }, limits: { cpu: "2" } },
    })),
    ...(nodeName === undefined ? {} : { nodeName }),
  },
});
const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec: { ports: [{ name: "http", port: 80 }] },
});
const slice = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "web-1", namespace: "default", labels: { "kubernetes.io/service-name": "web" } },
  addressType: "IPv4",
  endpoints: [{ addresses: ["10.244.0.2"], nodeName: "n" }],
  ports: [{ name: "http", port: 80 }],
};

describe("what ends at a node", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({ components: ["apiserver"] });
    await cluster.apply([
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } },
      {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: "n" },
        status: { allocatable: { cpu: "1500m", memory: "1Gi" } },
      },
      pod("placed", ["c"], "n"),
      pod("waiting", ["c"]),
      pod("two", ["a", "b"], "n"),
      service("web"),
      service("empty"),
      slice,
    ]);
  });
  afterAll(() => cluster.stop());

  async function ask(method: string, pathAndQuery: string, body?: unknown): Promise<string> {
    const [path = "", query = ""] = pathAndQuery.split("?");
    try {
      const answer = await requestInProcess(cluster.cluster.server.core, {
        method,
        path,
        query: new URLSearchParams(query),
        user: { name: "admin", groups: ["system:masters"] },
        userAgent: "test",
        ...(body === undefined ? {} : { body, contentType: "application/merge-patch+json" }),
      });
      return String(answer.status);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      return `${error.status.code} ${error.message}`;
    }
  }

  const NO_KUBELET =
    '500 error dialing backend: node "n" is simulated: it runs no containers and has no kubelet to ask';
  it.each([
    ["GET", "pods/placed/log", NO_KUBELET],
    ["GET", "pods/waiting/log", "204"],
    ["GET", "pods/none/log", '404 pods "none" not found'],
    ["GET", "pods/placed/log/x", "404 the server could not find the requested resource"],
    ["GET", "pods/placed/log?container=x", "400 container x is not valid for pod placed"],
    ["GET", "pods/two/log", "400 a container name must be specified for pod two, choose one of: [a b]"],
    ["GET", "pods/two/log?container=b", NO_KUBELET],
    [
      "GET",
      "pods/placed/log?tailLines=-1",
      '422 PodLogOptions "placed" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      "GET",
      "pods/placed/log?limitBytes=0&sinceSeconds=0",
      '422 PodLogOptions "placed" is invalid: [limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
    ],
    ["GET", "pods/placed/log?tailLines=x", '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ["POST", "pods/placed/exec?command=ls", NO_KUBELET],
    ["POST", "pods/waiting/exec?command=ls", "400 pod waiting does not have a host assigned"],
    ["GET", "pods/placed/attach?container=x", "400 container x is not valid for pod placed"],
    ["POST", "pods/waiting/portforward", "400 pod waiting does not have a host assigned"],
    ["DELETE", "pods/placed/log", "405 the server does not allow this method on the requested resource"],
    ["GET", "pods/http:placed:80/proxy/a/b", NO_KUBELET],
    ["GET", "services/web:http/proxy/", NO_KUBELET],
    ["GET", "services/web:81/proxy/", '503 no service port "81" found for service "web"'],
    ["GET", "services/empty:80/proxy/", '503 no endpoints available for service "empty"'],
    ["GET", "services/none/proxy/", '404 services "none" not found'],
  ])("%s %s", async (method, path, expected) => {
    expect(await ask(method, `/api/v1/namespaces/default/${path}`)).toBe(expected);
  });

  it("answers for nodes", async () => {
    expect(await ask("GET", "/api/v1/nodes/n/proxy/metrics")).toBe(NO_KUBELET);
    expect(await ask("GET", "/api/v1/nodes/m/proxy")).toBe('404 nodes "m" not found');
  });

  it("refuses to make a pod larger than its node, and nothing else", async () => {
    const resize = (cpu: string) =>
      ask("PATCH", "/api/v1/namespaces/default/pods/placed/resize", {
        spec: {
          containers: [
            { ...pod("p", ["c"]).spec.containers[0], resources: { requests: { cpu }, limits: { cpu: "2" } } },
          ],
        },
      });
    expect(await resize("1500m")).toBe("200");
    expect(await resize("1600m")).toBe(
      '403 pods "placed" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 1600, allocatable: 1500',
    );
  });
});
