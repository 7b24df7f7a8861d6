import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsOf, startTestCluster, type TestCluster } from "./test-cluster.ts";

const CHART = join(process.cwd(), "test/charts/shop");
const KINDS =
  "serviceaccounts,roles,rolebindings,configmaps,secrets,deployments,services,ingresses,networkpolicies,poddisruptionbudgets,cronjobs";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster("--store", "memory");
});
afterAll(() => cluster?.stop());

describe("helm", () => {
  const release = ["-n", "market", "--timeout", "60s"];
  const objects = () =>
    cluster.kubectl("-n", "market", "get", KINDS, "-l", "app.kubernetes.io/instance=shop", "-o", "name");
  const value = (name: string, path: string) =>
    cluster.kubectl("-n", "market", "get", name, `-o=jsonpath={${path}}`);

  it("installs a chart of eleven kinds, with its hooks, and waits until it works", async () => {
    const { helm } = cluster;
    const output = await helm("install", "shop", CHART, "--create-namespace", "--wait", ...release);
    expect(output).toMatch(/STATUS: deployed\nREVISION: 1\n/);
    expect(output).toContain("shop says hello.");
    expect((await objects()).trim().split("\n")).toHaveLength(11);
    expect(await value("deployment/shop", ".status.readyReplicas")).toBe("2");
    expect(await value("job/shop-migrate", ".status.succeeded")).toBe("1");
    expect(await value("configmap/shop-installed", ".data.revision")).toBe("1");
  }, 90_000);

  it("runs the chart's test", async () => {
    expect(await cluster.helm("test", "shop", ...release)).toMatch(
      /TEST SUITE: +shop-reachable\n[\s\S]*Phase: +Succeeded/,
    );
  }, 90_000);

  it("upgrades, tells the history and rolls back", async () => {
    const { helm } = cluster;
    const upgraded = await helm(
      "upgrade",
      "shop",
      CHART,
      "--set",
      "greeting=hi,replicas=3",
      "--wait",
      ...release,
    );
    expect(upgraded).toMatch(/REVISION: 2\n/);
    expect(await value("configmap/shop", ".data.greeting")).toBe("hi");
    expect(await value("deployment/shop", ".status.readyReplicas")).toBe("3");
    await helm("rollback", "shop", "1", "--wait", ...release);
    expect(await value("configmap/shop", ".data.greeting")).toBe("hello");
    expect(await value("deployment/shop", ".spec.replicas")).toBe("2");
    const history = rowsOf((await helm("history", "shop", "-n", "market")).replaceAll("\t", "  "));
    expect(history.map((row) => row.find((cell) => /^(superseded|deployed)/.test(cell))?.trim())).toEqual([
      "superseded",
      "superseded",
      "deployed",
    ]);
    expect(await helm("list", "-n", "market", "--short")).toBe("shop\n");
  }, 120_000);

  it("removes everything again", async () => {
    const { helm } = cluster;
    expect(await helm("uninstall", "shop", "--wait", ...release)).toContain('release "shop" uninstalled\n');
    expect(await objects()).toBe("");
    expect(await helm("list", "-n", "market", "--short")).toBe("");
  }, 90_000);
});
