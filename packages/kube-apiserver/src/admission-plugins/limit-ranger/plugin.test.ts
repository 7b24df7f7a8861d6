import { limitRanges, persistentVolumeClaims, pods } from "@binnacle/api";
import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";

const home = { namespace: "default" };

async function clusterWith(limits: object[]) {
  const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
  onTestFinished(() => cluster.stop());
  const { client } = cluster;
  await client.create(limitRanges, { metadata: { name: "l", ...home }, spec: { limits: limits as never } });
  const createPod = (resources: object, metadata: object = { name: "p" }) =>
    client.create(pods, {
      metadata: { ...metadata, ...home },
      spec: { containers: [{ name: "c", image: "nginx", resources }] },
    });
  await cluster.apply(
    "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: default}}",
  );
  return { ...cluster, createPod };
}

describe("LimitRanger", () => {
  it("sets defaults before it checks, so that the quality of service follows from them", async () => {
    const { createPod } = await clusterWith([{ type: "Container", max: { cpu: "1", memory: "1Gi" } }]);
    const pod = await createPod({});
    expect(pod.spec.containers[0]?.resources).toEqual({
      requests: { cpu: "1", memory: "1Gi" },
      limits: { cpu: "1", memory: "1Gi" },
    });
    expect(pod.status?.qosClass).toBe("Guaranteed");
  });

  it("refuses with everything that is wrong, under the name that the pod is to get", async () => {
    const { createPod } = await clusterWith([{ type: "Container", max: { cpu: "1", memory: "1Gi" } }]);
    await expect(createPod({ limits: { cpu: "2", memory: "2Gi" } })).rejects.toThrow(
      'pods "p" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    );
  });

  it("checks claims when they are made and when they grow", async () => {
    const { client } = await clusterWith([{ type: "PersistentVolumeClaim", max: { storage: "1Gi" } }]);
    const claim = (name: string, storage: string) =>
      client.create(persistentVolumeClaims, {
        metadata: { name, ...home },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
      });
    await expect(claim("big", "2Gi")).rejects.toThrow(
      'persistentvolumeclaims "big" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    );
    await claim("small", "1Gi");
  });
});
