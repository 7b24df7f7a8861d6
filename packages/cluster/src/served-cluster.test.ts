import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EndpointSlice, Endpoints } from "@binnacle/api";
import { resourceType } from "@binnacle/apimachinery";
import { expect, it, onTestFinished } from "vitest";
import { type RunningCluster, startServedCluster } from "./served-cluster.ts";

const kubernetes = { namespace: "default", name: "kubernetes" };
const endpoints = resourceType<Endpoints>({
  group: "",
  version: "v1",
  kind: "Endpoints",
  resource: "endpoints",
  namespaced: true,
});
const slices = resourceType<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  resource: "endpointslices",
  namespaced: true,
});

async function start(dataDirectory: string, advertiseAddress?: string): Promise<RunningCluster> {
  const cluster = await startServedCluster({
    dataDirectory,
    components: ["apiserver"],
    securePort: 0,
    ...(advertiseAddress === undefined ? {} : { advertiseAddress }),
  });
  onTestFinished(() => cluster.stop());
  return cluster;
}

it("shows where the server is in the endpoints of the service kubernetes, and corrects them", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "binnacle-served-"));
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }));
  const first = await start(dataDirectory, "192.0.2.10");
  expect(await first.client.get(endpoints, kubernetes)).toMatchObject({
    metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [
      {
        addresses: [{ ip: "192.0.2.10" }],
        ports: [{ name: "https", port: Number(new URL(first.url).port), protocol: "TCP" }],
      },
    ],
  });
  await first.stop();
  const second = await start(dataDirectory, "2001:db8::1");
  const slice = await second.client.get(slices, kubernetes);
  // A slice cannot change its type of addresses: it is replaced.
  expect(slice).toMatchObject({
    metadata: { labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: "IPv6",
    endpoints: [{ addresses: ["2001:db8::1"], conditions: { ready: true } }],
    ports: [{ name: "https", port: Number(new URL(second.url).port), protocol: "TCP" }],
  });
});
