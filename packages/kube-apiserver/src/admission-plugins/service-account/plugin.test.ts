import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";
import { ADMIN, requestAs } from "../../testing/request-as.ts";

async function createPod(metadata: object, spec: object) {
  const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
  onTestFinished(() => cluster.stop());
  return requestAs(cluster.cluster.server.core, ADMIN, {
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: { containers: [{ name: "c", image: "i" }], ...spec },
    },
  });
}

describe("ServiceAccount", () => {
  it("names a pod that has no name yet by what its name will start with", async () => {
    expect(await createPod({ generateName: "web-" }, {})).toMatchObject({
      status: 403,
      message:
        'pods "web-" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    });
  });

  it("lets a mirror pod refer to nothing", async () => {
    const metadata = { name: "m", annotations: { "kubernetes.io/config.mirror": "x" } };
    expect((await createPod(metadata, { nodeName: "n" })).status).toBe(201);
    const volumes = [{ name: "v", configMap: { name: "c" } }];
    expect(await createPod(metadata, { nodeName: "n", volumes })).toMatchObject({
      status: 403,
      message: 'pods "m" is forbidden: a mirror pod may not reference configmaps',
    });
  });
});
