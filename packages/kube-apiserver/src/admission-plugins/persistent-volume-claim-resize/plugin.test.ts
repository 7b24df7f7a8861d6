import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";
import { ADMIN, requestAs } from "../../testing/request-as.ts";

const PATH = "/api/v1/namespaces/default/persistentvolumeclaims/c";

/** Grows a claim of 1Gi and gives the answer. */
async function grow(given: {
  phase: string;
  allowVolumeExpansion: boolean;
  storage: string;
  claimClass?: string;
}) {
  const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
  onTestFinished(() => cluster.stop());
  const { core } = cluster.cluster.server;
  const { allowVolumeExpansion, claimClass = "s" } = given;
  await cluster.apply([
    {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "s" },
      provisioner: "p",
      allowVolumeExpansion,
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "c", namespace: "default" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: claimClass,
        resources: { requests: { storage: "1Gi" } },
      },
    },
  ]);
  const patch = (path: string, body: object) =>
    requestAs(core, ADMIN, { method: "PATCH", path, body, contentType: "application/merge-patch+json" });
  await patch(`${PATH}/status`, { status: { phase: given.phase } });
  return patch(PATH, { spec: { resources: { requests: { storage: given.storage } } } });
}

const NOT_DYNAMIC =
  'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

describe("PersistentVolumeClaimResize", () => {
  it("lets bound claims grow where their class allows it", async () => {
    const answer = await grow({ phase: "Bound", allowVolumeExpansion: true, storage: "2Gi" });
    expect(answer).toMatchObject({
      status: 200,
      body: { spec: { resources: { requests: { storage: "2Gi" } } } },
    });
  });

  it("asks nothing of updates that do not grow", async () => {
    expect((await grow({ phase: "Bound", allowVolumeExpansion: false, storage: "1024Mi" })).status).toBe(200);
  });

  it.each([
    ["a class that forbids it", { phase: "Bound", allowVolumeExpansion: false, storage: "2Gi" }],
    ["no class at all", { phase: "Bound", allowVolumeExpansion: true, storage: "2Gi", claimClass: "" }],
    [
      "a class that is gone",
      { phase: "Bound", allowVolumeExpansion: true, storage: "2Gi", claimClass: "gone" },
    ],
  ])("refuses with %s", async (_title, given) => {
    expect(await grow(given)).toMatchObject({ status: 403, message: NOT_DYNAMIC });
  });
});
