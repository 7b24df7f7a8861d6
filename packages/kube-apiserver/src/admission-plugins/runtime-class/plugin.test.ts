import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";
import { ADMIN, requestAs } from "../../testing/request-as.ts";

async function clusterWithClass(fields: object) {
  const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
  onTestFinished(() => cluster.stop());
  await cluster.apply([
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } },
    {
      apiVersion: "node.k8s.io/v1",
      kind: "RuntimeClass",
      metadata: { name: "vm" },
      handler: "vm",
      ...fields,
    },
  ]);
  return (spec: object) =>
    requestAs(cluster.cluster.server.core, ADMIN, {
      method: "POST",
      path: "/api/v1/namespaces/default/pods",
      body: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p" },
        spec: { runtimeClassName: "vm", containers: [{ name: "c", image: "i" }], ...spec },
      },
    });
}

const OVERHEAD = { overhead: { podFixed: { cpu: "250m" } } };
const SCHEDULING = {
  scheduling: { nodeSelector: { runtime: "vm" }, tolerations: [{ key: "vm", operator: "Exists" }] },
};

describe("RuntimeClass", () => {
  it("gives pods its overhead and their nodes", async () => {
    const create = await clusterWithClass({ ...OVERHEAD, ...SCHEDULING });
    const { status, body } = await create({ nodeSelector: { zone: "a" } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      spec: {
        overhead: { cpu: "250m" },
        nodeSelector: { zone: "a", runtime: "vm" },
        tolerations: expect.arrayContaining([{ key: "vm", operator: "Exists" }]),
      },
    });
  });

  it.each<[string, object, object, string]>([
    [
      "an unknown class",
      {},
      { runtimeClassName: "no" },
      'pods "p" is forbidden: pod rejected: RuntimeClass "no" not found',
    ],
    [
      "another overhead",
      OVERHEAD,
      { overhead: { cpu: "1" } },
      "pods \"p\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      "an overhead that no class has",
      {},
      { overhead: { cpu: "1" } },
      'pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      "other nodes",
      SCHEDULING,
      { nodeSelector: { runtime: "runc" } },
      'pods "p" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[runtime] = vm; pod.spec.nodeSelector[runtime] = runc',
    ],
  ])("refuses %s", async (_title, fields, spec, message) => {
    const create = await clusterWithClass(fields);
    expect(await create(spec)).toMatchObject({ status: 403, message });
  });

  it("takes the same overhead in other words", async () => {
    const create = await clusterWithClass(OVERHEAD);
    expect((await create({ overhead: { cpu: "0.25" } })).status).toBe(201);
  });
});
