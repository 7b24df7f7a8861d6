import { deployments, pods } from "@binnacle/api";
import { createRealClock } from "@binnacle/base";
import { createClient, createHttpTransport, loadKubeconfig, serverConnection } from "@binnacle/client";
import { ManifestError } from "@binnacle/cluster";
import { describe, expect, it, onTestFinished } from "vitest";
import { type StartClusterOptions, startCluster } from "./start-cluster.ts";

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;

async function virtualCluster(options: StartClusterOptions = {}) {
  const cluster = await startCluster({ ...options, clock: "virtual" });
  onTestFinished(() => cluster.stop());
  return cluster;
}

describe("a cluster in a test", () => {
  it("starts in fifty milliseconds once the code is loaded", async () => {
    await (await startCluster()).stop();
    const clock = createRealClock();
    const tookMs: number[] = [];
    for (let i = 0; i < 5; i++) {
      const startedAt = clock.now();
      const cluster = await startCluster();
      tookMs.push(clock.now() - startedAt);
      await cluster.stop();
    }
    expect(Math.min(...tookMs)).toBeLessThanOrEqual(50);
  });

  it("makes a deployment available by settling and moving the clock", async () => {
    const cluster = await virtualCluster();
    await cluster.apply(web);
    await cluster.settle();
    expect((await cluster.client.list(pods, { namespace: "default" })).items).toHaveLength(3);
    await cluster.clock.advance(5_000);
    const deployment = await cluster.client.get(deployments, { namespace: "default", name: "web" });
    expect(deployment.status).toMatchObject({
      availableReplicas: 3,
      readyReplicas: 3,
      observedGeneration: 1,
    });
  });

  it("moves a whole day forward at once", async () => {
    const cluster = await virtualCluster({ manifests: web });
    const before = cluster.clock.now();
    await cluster.clock.advance(24 * 3_600_000);
    expect(cluster.clock.now() - before).toBe(24 * 3_600_000);
    const { items } = await cluster.client.list(pods, { namespace: "default" });
    expect(items.map(({ status }) => status?.phase)).toEqual(["Running", "Running", "Running"]);
  });

  it("heals, as settled state", async () => {
    const cluster = await virtualCluster({ manifests: web, nodes: 2 });
    await cluster.clock.advance(5_000);
    const [victim] = (await cluster.client.list(pods, { namespace: "default" })).items;
    await cluster.client.delete(pods, victim!, { gracePeriodSeconds: 0 });
    await cluster.clock.advance(5_000);
    const { items } = await cluster.client.list(pods, { namespace: "default" });
    expect(items).toHaveLength(3);
    expect(items.map(({ metadata }) => metadata.uid)).not.toContain(victim?.metadata.uid);
  });

  it("serves clients of other processes when told to", async () => {
    const cluster = await startCluster({ listen: true, components: [] });
    onTestFinished(() => cluster.stop());
    const clock = createRealClock();
    const connection = await serverConnection(await loadKubeconfig([cluster.kubeconfig ?? ""]), { clock });
    const transport = createHttpTransport(connection, { clock });
    onTestFinished(() => transport.close());
    const body = await createClient(transport).send({ method: "GET", path: "/api/v1/namespaces/default" });
    expect(body).toMatchObject({ metadata: { name: "default" } });
  });

  it("says which manifest is refused, and stops what it had started", async () => {
    await expect(
      startCluster({ manifests: [{ apiVersion: "v1", kind: "Nope", metadata: { name: "a" } }] }),
    ).rejects.toThrow(new ManifestError("manifests, object 1: the server has no kind Nope in v1"));
  });
});
