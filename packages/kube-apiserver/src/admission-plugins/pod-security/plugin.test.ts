import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";
import { ADMIN, type Answer, requestAs } from "../../testing/request-as.ts";

const PREFIX = "pod-security.kubernetes.io/";
const PRIVILEGED = { containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] };
const BASELINE = 'privileged (container "c" must not set securityContext.privileged=true)';

async function clusterWith(labels: Record<string, string>) {
  const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
  onTestFinished(() => cluster.stop());
  await cluster.apply([
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "ns", labels: prefixed(labels) } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "ns" } },
  ]);
  const { core } = cluster.cluster.server;
  const create = (path: string, body: object): Promise<Answer> =>
    requestAs(core, ADMIN, { method: "POST", path, body });
  const patch = (path: string, body: object): Promise<Answer> =>
    requestAs(core, ADMIN, {
      method: "PATCH",
      path,
      body,
      contentType: "application/strategic-merge-patch+json",
    });
  const createPod = (name: string, spec: object, metadata: object = {}): Promise<Answer> =>
    create("/api/v1/namespaces/ns/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, ...metadata },
      spec,
    });
  return { create, patch, createPod };
}

function prefixed(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [PREFIX + name, value]));
}

describe("PodSecurity", () => {
  it("refuses pods below the enforced level", async () => {
    const { createPod } = await clusterWith({ enforce: "baseline", "enforce-version": "v1.30" });
    expect(await createPod("p", PRIVILEGED)).toMatchObject({
      status: 403,
      message: `pods "p" is forbidden: violates PodSecurity "baseline:v1.30": ${BASELINE}`,
    });
    expect(await createPod("q", { containers: [{ name: "c", image: "i" }] })).toMatchObject({
      status: 201,
      warnings: [],
    });
  });

  it("warns of pods below the level to warn of, and lets them in", async () => {
    const { createPod } = await clusterWith({ warn: "baseline" });
    expect(await createPod("p", PRIVILEGED)).toMatchObject({
      status: 201,
      warnings: [`would violate PodSecurity "baseline:latest": ${BASELINE}`],
    });
  });

  it.each([
    ["apps/v1", "deployments", "Deployment", (template: object) => ({ template })],
    ["apps/v1", "daemonsets", "DaemonSet", (template: object) => ({ template })],
    [
      "batch/v1",
      "cronjobs",
      "CronJob",
      (template: object) => ({ schedule: "* * * * *", jobTemplate: { spec: { template } } }),
    ],
  ])("of %s %s warns only, as it enforces their pods", async (apiVersion, resource, kind, spec) => {
    const { create } = await clusterWith({ enforce: "baseline" });
    const labels = { app: "a" };
    const template = {
      metadata: { labels },
      spec: { ...PRIVILEGED, restartPolicy: kind === "CronJob" ? "Never" : "Always" },
    };
    const selector = kind === "CronJob" ? {} : { selector: { matchLabels: labels } };
    const body = { apiVersion, kind, metadata: { name: "w" }, spec: { ...selector, ...spec(template) } };
    expect(await create(`/apis/${apiVersion}/namespaces/ns/${resource}`, body)).toMatchObject({
      status: 201,
      warnings: [`would violate PodSecurity "baseline:latest": ${BASELINE}`],
    });
  });

  it("looks at updates of pods only when they change containers", async () => {
    const { createPod, patch } = await clusterWith({});
    await createPod("p", PRIVILEGED);
    await patch("/api/v1/namespaces/ns", { metadata: { labels: prefixed({ enforce: "baseline" }) } });
    expect(await patch("/api/v1/namespaces/ns/pods/p", { metadata: { labels: { a: "b" } } })).toMatchObject({
      status: 200,
    });
    const image = { spec: { containers: [{ ...PRIVILEGED.containers[0], image: "other" }] } };
    expect((await patch("/api/v1/namespaces/ns/pods/p", image)).status).toBe(403);
  });

  it("refuses labels that cannot be read, and leaves old ones alone", async () => {
    const { create, patch } = await clusterWith({});
    const labels = prefixed({ enforce: "bogus" });
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: "other", labels } };
    expect(await create("/api/v1/namespaces", body)).toMatchObject({
      status: 422,
      message: `Namespace "other" is invalid: metadata.labels[${PREFIX}enforce]: Invalid value: "bogus": must be one of privileged, baseline, restricted`,
    });
    expect((await patch("/api/v1/namespaces/ns", { metadata: { labels } })).status).toBe(422);
  });

  it("tells of existing pods when a namespace becomes stricter, one line for pods with the same problem", async () => {
    const { createPod, patch } = await clusterWith({});
    for (const name of ["b", "a", "c"]) await createPod(name, PRIVILEGED);
    await createPod("host", { ...PRIVILEGED, hostNetwork: true });
    const stricter = await patch("/api/v1/namespaces/ns", {
      metadata: { labels: prefixed({ enforce: "baseline" }) },
    });
    expect(stricter).toMatchObject({
      status: 200,
      warnings: [
        'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
        "a (and 2 other pods): privileged",
        "host: host namespaces, privileged",
      ],
    });
    const laxer = await patch("/api/v1/namespaces/ns", {
      metadata: { labels: prefixed({ enforce: "privileged" }) },
    });
    expect(laxer.warnings).toEqual([]);
  });
});
