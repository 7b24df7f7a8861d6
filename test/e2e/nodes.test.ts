import { nodes, type Pod, pods } from "@binnacle/api";
import { createRealClock } from "@binnacle/base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "./test-cluster.ts";

const clock = createRealClock();
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster("--nodes", "3", "--store", "memory");
  await cluster.kubectl("create", "deployment", "web", "--image=nginx", "--replicas=6");
  await cluster.kubectl("rollout", "status", "deployment/web", "--timeout=30s");
});
afterAll(() => cluster?.stop());

/** Resolves with the time it takes until these pods, and no others, are `count` ready ones. */
async function untilReady(
  count: number,
  isWanted: (pod: Pod) => boolean,
  act: () => Promise<unknown>,
): Promise<number> {
  const live = new Map<string, Pod>();
  let check = (): void => {};
  const watch = await cluster.client.watch(
    pods,
    { namespace: "default", labelSelector: "app=web" },
    {
      onEvent({ type, object }) {
        const pod = object as Pod; // The watched resource.
        if (type === "DELETED") live.delete(pod.metadata.uid ?? "");
        else live.set(pod.metadata.uid ?? "", pod);
        check();
      },
      onEnd() {},
    },
  );
  try {
    const startedAt = clock.now();
    await act();
    await new Promise<void>((resolve) => {
      check = () => {
        const ready = [...live.values()].filter((pod) => isReady(pod) && isWanted(pod));
        if (ready.length >= count) resolve();
      };
      check();
    });
    return clock.now() - startedAt;
  } finally {
    watch.stop();
  }
}

function isReady(pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  return pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

describe("nodes", () => {
  it("spread pods over themselves", async () => {
    const names = (
      await cluster.kubectl("get", "pods", "-l", "app=web", "-o=jsonpath={.items[*].spec.nodeName}")
    ).split(" ");
    for (const node of ["node-1", "node-2", "node-3"]) {
      expect(names.filter((name) => name === node)).toHaveLength(2);
    }
  });

  it("take no pods while they are cordoned or tainted", async () => {
    const { kubectl } = cluster;
    expect(await kubectl("cordon", "node-1")).toBe("node/node-1 cordoned\n");
    expect(await kubectl("get", "node", "node-1", "--no-headers")).toMatch(/Ready,SchedulingDisabled/);
    expect(await kubectl("taint", "nodes", "node-2", "dedicated=gpu:NoSchedule")).toBe(
      "node/node-2 tainted\n",
    );
    await kubectl("create", "deployment", "late", "--image=nginx", "--replicas=3");
    await kubectl("rollout", "status", "deployment/late", "--timeout=30s");
    expect(await kubectl("get", "pods", "-l", "app=late", "-o=jsonpath={.items[*].spec.nodeName}")).toBe(
      "node-3 node-3 node-3",
    );
    expect(await kubectl("uncordon", "node-1")).toBe("node/node-1 uncordoned\n");
    expect(await kubectl("taint", "nodes", "node-2", "dedicated-")).toBe("node/node-2 untainted\n");
    await kubectl("delete", "deployment", "late");
  });

  it("give up pods that do not tolerate a NoExecute taint", async () => {
    const { kubectl } = cluster;
    await untilReady(
      6,
      ({ spec }) => spec.nodeName !== "node-2",
      () => kubectl("taint", "nodes", "node-2", "broken=yes:NoExecute"),
    );
    await kubectl("taint", "nodes", "node-2", "broken-");
  });

  it("are drained", async () => {
    const { kubectl } = cluster;
    const output = await kubectl("drain", "node-3", "--ignore-daemonsets", "--timeout=60s");
    expect(output).toMatch(/node\/node-3 cordoned\n[\s\S]*node\/node-3 drained\n$/);
    await kubectl("rollout", "status", "deployment/web", "--timeout=30s");
    const names = await kubectl("get", "pods", "-l", "app=web", "-o=jsonpath={.items[*].spec.nodeName}");
    expect(names).not.toContain("node-3");
    await kubectl("uncordon", "node-3");
  }, 90_000);
});

describe("self-healing within a second", () => {
  it("replaces a deleted pod", async () => {
    const { items } = await cluster.client.list(pods, { namespace: "default", labelSelector: "app=web" });
    const victim = items.find(isReady)!;
    const tookMs = await untilReady(
      6,
      ({ metadata }) => metadata.uid !== victim.metadata.uid,
      () => cluster.client.delete(pods, victim),
    );
    expect(tookMs).toBeLessThan(1_000);
  });

  it("moves the pods of a node that was deleted", async () => {
    const { items } = await cluster.client.list(pods, { namespace: "default", labelSelector: "app=web" });
    const node = items.find(isReady)!.spec.nodeName!;
    const tookMs = await untilReady(
      6,
      ({ spec }) => spec.nodeName !== node,
      () => cluster.client.delete(nodes, { name: node }),
    );
    expect(tookMs).toBeLessThan(1_000);
  });
});
