import { configMaps, pods, type ResourceQuota, resourceQuotas } from "@binnacle/api";
import { isForbidden } from "@binnacle/apimachinery";
import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";

const NAMESPACE = { namespace: "default" };

async function clusterWith(hard: Record<string, string>, components: [] | ["controller-manager"] = []) {
  const cluster = await startCluster({ clock: "virtual", nodes: 0, components });
  onTestFinished(() => cluster.stop());
  const { client } = cluster;
  await client.create(resourceQuotas, { metadata: { name: "q", ...NAMESPACE }, spec: { hard } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
  const stored = await client.get(resourceQuotas, { name: "q", ...NAMESPACE });
  if (components.length === 0)
    await client.updateStatus(resourceQuotas, { ...stored, status: { hard, used } });
  else await cluster.settle();
  const quota = (): Promise<ResourceQuota> => client.get(resourceQuotas, { name: "q", ...NAMESPACE });
  const createMap = (name: string, dryRun = false) =>
    client.create(configMaps, { metadata: { name, ...NAMESPACE } }, { dryRun });
  return { ...cluster, quota, createMap };
}

describe("ResourceQuota", () => {
  it("is never exceeded, however many creates come at once", async () => {
    const { createMap, quota, client } = await clusterWith({ "count/configmaps": "7" });
    const results = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => createMap(`m${i}`)));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(43);
    expect(refused.every(({ reason }) => isForbidden(reason))).toBe(true);
    expect((refused[0] as PromiseRejectedResult).reason.message).toMatch(
      /^configmaps "m\d+" is forbidden: exceeded quota: q, requested: count\/configmaps=1, used: count\/configmaps=7, limited: count\/configmaps=7$/,
    );
    expect(
      (await client.list(configMaps, NAMESPACE)).items.filter((map) => map.metadata.name?.startsWith("m")),
    ).toHaveLength(7);
    expect((await quota()).status?.used).toEqual({ "count/configmaps": "7" });
  });

  it("charges neither a dry run nor a create that fails", async () => {
    const { createMap, quota } = await clusterWith({ "count/configmaps": "2" });
    await createMap("a");
    const before = await quota();
    await createMap("b", true);
    await expect(createMap("a")).rejects.toThrow("already exists");
    expect((await quota()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it("shows who charged the quota", async () => {
    const { createMap, quota } = await clusterWith({ "count/configmaps": "2" });
    await createMap("a");
    expect((await quota()).metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: "kube-apiserver", operation: "Update", subresource: "status" }),
    );
  });

  it("is given back by the controller what is deleted", async () => {
    const { client, clock, createMap, quota } = await clusterWith({ "count/configmaps": "1" }, [
      "controller-manager",
    ]);
    await createMap("a");
    await expect(createMap("b")).rejects.toThrow("exceeded quota");
    await client.delete(configMaps, { name: "a", ...NAMESPACE });
    await clock.advance(10_000);
    await createMap("b");
    expect((await quota()).status?.used).toEqual({ "count/configmaps": "1" });
  });

  it("holds while objects come and go and the controller counts", async () => {
    const { client, clock, createMap, quota } = await clusterWith({ "count/configmaps": "10" }, [
      "controller-manager",
    ]);
    const names = async (): Promise<string[]> =>
      (await client.list(configMaps, NAMESPACE)).items.map(({ metadata }) => metadata.name ?? "");
    for (let round = 0; round < 20; round++) {
      await Promise.allSettled(Array.from({ length: 15 }, (_, i) => createMap(`r${round}-${i}`)));
      const present = await names();
      expect(present.length).toBeLessThanOrEqual(10);
      const gone = present.filter((_, i) => (i + round) % 3 === 0);
      await Promise.all(gone.map((name) => client.delete(configMaps, { name, ...NAMESPACE })));
      await clock.advance(round % 2 === 0 ? 6_000 : 100);
    }
    await clock.advance(10_000);
    expect((await quota()).status?.used).toEqual({ "count/configmaps": String((await names()).length) });
  });

  it("makes controllers' pods wait, not exceed", async () => {
    const { apply, client, clock, quota } = await clusterWith({ pods: "3" }, ["controller-manager"]);
    await apply(`
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: default}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx}]}}
`);
    await clock.advance(60_000);
    expect((await client.list(pods, NAMESPACE)).items).toHaveLength(3);
    expect((await quota()).status?.used).toEqual({ pods: "3" });
  });
});
