/** The controllers together with everything else, on a virtual clock. What one decides is tested beside it. */
import {
  cronJobs,
  daemonSets,
  deployments,
  endpointSlices,
  jobs,
  namespaces,
  nodes,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods,
  replicaSets,
  statefulSets,
} from "@binnacle/api";
import { isNotFound, type KubeObject, type ResourceType } from "@binnacle/apimachinery";
import { mergePatch } from "@binnacle/client";
import { startCluster } from "@binnacle/envtest";
import { describe, expect, it, onTestFinished } from "vitest";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function virtualCluster(nodeCount = 1) {
  const cluster = await startCluster({ clock: "virtual", nodes: nodeCount });
  onTestFinished(() => cluster.stop());
  const names = async <T extends KubeObject>(
    type: ResourceType<T>,
    labelSelector?: string,
  ): Promise<string[]> => {
    const { items } = await cluster.client.list(type, {
      namespace: type.namespaced ? "default" : "",
      ...(labelSelector === undefined ? {} : { labelSelector }),
    });
    return items.map((each) => each.metadata.name ?? "").sort();
  };
  return { ...cluster, names };
}

const template = (labels: string, command = ""): string =>
  `template: {metadata: {labels: ${labels}}, spec: {containers: [{name: c, image: nginx${command}}]}}`;

const web = (replicas: number, version: string, extra = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  ${extra}
  ${template(`{app: web, v: "${version}"}`)}
`;

describe("Deployments", () => {
  it("roll out, scale, and roll out again without too few pods at any time", async () => {
    const { apply, client, clock, names } = await virtualCluster();
    await apply(web(4, "1"));
    await clock.advance(10_000);
    expect(await names(pods, "v=1")).toHaveLength(4);
    await apply(web(4, "2"));
    let fewest = 4;
    for (let i = 0; i < 40; i++) {
      const { items } = await client.list(pods, { namespace: "default" });
      const ready = items.filter(({ status }) =>
        status?.conditions?.some((each) => each.type === "Ready" && each.status === "True"),
      );
      fewest = Math.min(fewest, ready.length);
      await clock.advance(500);
    }
    expect(fewest).toBeGreaterThanOrEqual(3);
    await clock.advance(MINUTE_MS);
    expect(await names(pods, "v=1")).toHaveLength(0);
    expect(await names(pods, "v=2")).toHaveLength(4);
    const { status } = await client.get(deployments, { namespace: "default", name: "web" });
    expect(status).toMatchObject({ updatedReplicas: 4, availableReplicas: 4 });
    const sizes = (await client.list(replicaSets, { namespace: "default" })).items.map(
      ({ spec }) => spec.replicas,
    );
    expect(sizes.sort()).toEqual([0, 4]);
  });

  it("stop all old pods first where they are told to", async () => {
    const { apply, client, clock } = await virtualCluster();
    await apply(web(2, "1", "strategy: {type: Recreate}"));
    await clock.advance(10_000);
    await apply(web(2, "2", "strategy: {type: Recreate}"));
    for (let i = 0; i < 100; i++) {
      const versions = (await client.list(pods, { namespace: "default" })).items
        .filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending")
        .map(({ metadata }) => metadata.labels?.["v"]);
      expect(new Set(versions).size).toBeLessThanOrEqual(1);
      await clock.advance(500);
    }
    const { status } = await client.get(deployments, { namespace: "default", name: "web" });
    expect(status).toMatchObject({ updatedReplicas: 2, availableReplicas: 2 });
  });

  it("take everything with them when they are deleted", async () => {
    const { apply, client, clock, names } = await virtualCluster();
    await apply(web(3, "1"));
    await clock.advance(10_000);
    await client.delete(
      deployments,
      { namespace: "default", name: "web" },
      { propagationPolicy: "Foreground" },
    );
    await clock.advance(MINUTE_MS);
    for (const type of [deployments, replicaSets, pods])
      expect(await names(type as ResourceType)).toEqual([]);
  });
});

describe("StatefulSets", () => {
  it("make pods in order, each with its claim, and keep the claims", async () => {
    const { apply, client, clock, names } = await virtualCluster();
    await apply(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  ${template("{app: db}")}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
`);
    await clock.advance(MINUTE_MS);
    expect(await names(pods)).toEqual(["db-0", "db-1", "db-2"]);
    const claims = await client.list(persistentVolumeClaims, { namespace: "default" });
    expect(claims.items.map(({ status }) => status?.phase)).toEqual(["Bound", "Bound", "Bound"]);
    await client.patch(
      statefulSets,
      { namespace: "default", name: "db" },
      mergePatch({ spec: { replicas: 1 } }),
    );
    await clock.advance(2 * MINUTE_MS);
    expect(await names(pods)).toEqual(["db-0"]);
    expect(await names(persistentVolumeClaims)).toHaveLength(3);
  });
});

describe("DaemonSets", () => {
  it("follow the nodes", async () => {
    const { apply, client, clock } = await virtualCluster(3);
    await apply(`
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  selector: {matchLabels: {app: agent}}
  ${template("{app: agent}")}
`);
    await clock.advance(20_000);
    const onNodes = async () =>
      (await client.list(pods, { namespace: "default" })).items.map(({ spec }) => spec.nodeName).sort();
    expect(await onNodes()).toEqual(["node-1", "node-2", "node-3"]);
    const { status } = await client.get(daemonSets, { namespace: "default", name: "agent" });
    expect(status).toMatchObject({ desiredNumberScheduled: 3, numberReady: 3, numberAvailable: 3 });
    await client.delete(nodes, { name: "node-2" });
    await clock.advance(5 * MINUTE_MS);
    expect(await onNodes()).toEqual(["node-1", "node-3"]);
  });
});

describe("Jobs", () => {
  it("run to completion and go when their time is over", async () => {
    const { apply, client, clock, names } = await virtualCluster();
    await apply(`
apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: default}
spec:
  completions: 5
  parallelism: 2
  ttlSecondsAfterFinished: 600
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}
`);
    await clock.advance(MINUTE_MS);
    const { status } = await client.get(jobs, { namespace: "default", name: "once" });
    expect(status).toMatchObject({ succeeded: 5, uncountedTerminatedPods: {} });
    expect(status?.conditions?.map((each) => each.type)).toEqual(["SuccessCriteriaMet", "Complete"]);
    expect(await names(pods)).toHaveLength(5);
    await clock.advance(15 * MINUTE_MS);
    expect([await names(jobs), await names(pods)]).toEqual([[], []]);
  });

  it("are started by CronJobs all day long, and old ones are removed", async () => {
    const { apply, client, clock, names } = await virtualCluster();
    await apply(`
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick, namespace: default}
spec:
  schedule: "*/30 * * * *"
  successfulJobsHistoryLimit: 2
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
`);
    await clock.advance(6 * HOUR_MS + MINUTE_MS);
    expect(await names(jobs)).toHaveLength(2);
    const { status } = await client.get(cronJobs, { namespace: "default", name: "tick" });
    expect(status).toMatchObject({ lastScheduleTime: "2026-01-01T06:00:00Z" });
    expect(status?.active).toBeUndefined();
  });
});

describe("Services and budgets", () => {
  it("know the pods that are ready", async () => {
    const { apply, client, clock } = await virtualCluster();
    await apply(web(2, "1"));
    await apply(`
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
`);
    await clock.advance(20_000);
    const [slice] = (
      await client.list(endpointSlices, {
        namespace: "default",
        labelSelector: "kubernetes.io/service-name=web",
      })
    ).items;
    expect(slice?.endpoints?.map((each) => each.conditions?.ready)).toEqual([true, true]);
    const { status } = await client.get(podDisruptionBudgets, { namespace: "default", name: "web" });
    expect(status).toMatchObject({
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
    });
  });
});

describe("Namespaces", () => {
  it("go with all that is in them", async () => {
    const { apply, client, clock } = await virtualCluster();
    await apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n");
    await apply(web(2, "1").replaceAll("namespace: default", "namespace: shop"));
    await clock.advance(20_000);
    await client.delete(namespaces, { name: "shop" });
    await clock.advance(5 * MINUTE_MS);
    await expect(client.get(namespaces, { name: "shop" })).rejects.toSatisfy(isNotFound);
    expect((await client.list(pods, { namespace: "shop" })).items).toEqual([]);
  });
});

describe("idleness", () => {
  it("is reached: a settled cluster does nothing but renew leases", async () => {
    const { apply, client, clock } = await virtualCluster();
    await apply(web(2, "1"));
    await clock.advance(10 * MINUTE_MS);
    const revision = async (): Promise<number> =>
      Number((await client.list(namespaces)).metadata.resourceVersion);
    const before = await revision();
    await clock.advance(HOUR_MS);
    // One node renews its lease every ten seconds and tells its status every five minutes; the API server renews its
    // own every ten minutes.
    expect((await revision()) - before).toBeLessThanOrEqual(360 + 12 + 6);
  });
});
