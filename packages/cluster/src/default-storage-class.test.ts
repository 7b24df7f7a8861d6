import { storageClasses } from "@binnacle/api";
import { expect, it, onTestFinished } from "vitest";
import { createCluster } from "./cluster.ts";
import { createDefaultStorageClass } from "./default-storage-class.ts";

it("is there in a new cluster with nodes, and not made again beside another", async () => {
  const cluster = await createCluster();
  onTestFinished(() => cluster.stop());
  const names = async () =>
    (await cluster.client.list(storageClasses)).items.map(({ metadata }) => metadata.name);
  expect(await names()).toEqual(["standard"]);
  await cluster.client.create(storageClasses, { metadata: { name: "own" }, provisioner: "example.com/disk" });
  await cluster.client.delete(storageClasses, { name: "standard" });
  await createDefaultStorageClass(cluster.client);
  expect(await names()).toEqual(["own"]);
});
