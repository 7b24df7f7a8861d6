import { expect, it, onTestFinished } from "vitest";
import { createCluster } from "../cluster.ts";
import { applyManifests } from "./apply-manifests.ts";
import { parseManifests } from "./parse-manifests.ts";

it("applies a namespace, and in it a pod whose service account a controller has yet to make", async () => {
  const cluster = await createCluster();
  onTestFinished(() => cluster.stop());
  const text = `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec: {containers: [{name: web, image: nginx}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`;
  const order: (string | undefined)[] = [];
  const applied = await applyManifests(cluster.client, parseManifests(text, "shop.yaml"), {
    clock: cluster.clock,
    onApplied: ({ object }) => order.push(object.kind),
  });
  expect(order).toEqual(["Namespace", "Pod"]);
  expect(applied[1]?.metadata.managedFields?.[0]).toMatchObject({ manager: "binnacle", operation: "Apply" });
});

it("names the document that the server refuses", async () => {
  const cluster = await createCluster({ components: [] });
  onTestFinished(() => cluster.stop());
  const apply = (text: string) =>
    applyManifests(cluster.client, parseManifests(text, "bad.yaml"), { clock: cluster.clock });
  await expect(apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: UPPER}")).rejects.toThrow(
    /^bad\.yaml: ConfigMap "UPPER" is invalid/,
  );
  await expect(apply("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}")).rejects.toThrow(
    "bad.yaml: the server has no kind Widget in example.com/v1",
  );
});
