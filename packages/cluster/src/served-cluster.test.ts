import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EndpointSlice, Endpoints } from "@binnacle/api";
import { resourceType } from "@binnacle/apimachinery";
import { createRealClock, VirtualClock } from "@binnacle/base";
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

it("makes new certificates by the same CA when the server has another address or its certificate runs out", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "binnacle-served-"));
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }));
  const keys = async (): Promise<string[]> =>
    Promise.all(
      ["ca.crt", "ca.key", "sa.key", "apiserver.crt"].map((name) =>
        readFile(join(dataDirectory, "pki", name), "utf8"),
      ),
    );
  await (await start(dataDirectory)).stop();
  const before = await keys();
  await (await start(dataDirectory)).stop();
  expect(await keys()).toEqual(before);
  await (await start(dataDirectory, "192.0.2.77")).stop();
  const moved = await keys();
  expect(moved.slice(0, 3)).toEqual(before.slice(0, 3));
  expect(moved[3]).not.toBe(before[3]);
  expect(new X509Certificate(moved[3]!).verify(new X509Certificate(before[0]!).publicKey)).toBe(true);
  const inAYear = new VirtualClock({ startMs: createRealClock().now() + 360 * 24 * 3_600_000 });
  const later = await startServedCluster({
    dataDirectory,
    components: ["apiserver"],
    securePort: 0,
    advertiseAddress: "192.0.2.77",
    clock: inAYear,
  });
  await later.stop();
  const renewed = await keys();
  expect(renewed.slice(0, 3)).toEqual(before.slice(0, 3));
  expect(Date.parse(new X509Certificate(renewed[3]!).validTo)).toBeGreaterThan(inAYear.now());
});
