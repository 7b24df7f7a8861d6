import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster("--store", "memory");
});
afterAll(() => cluster?.stop());

const configMap = (name: string, data: Record<string, string>, labels?: Record<string, string>): string =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data });

async function deploy(name: string): Promise<string> {
  await cluster.kubectl("create", "deployment", name, "--image", "nginx:1.26");
  await cluster.kubectl("rollout", "status", `deployment/${name}`, "--timeout=30s");
  return `deployment/${name}`;
}

describe("changing objects", () => {
  it("labels and annotates", async () => {
    const { kubectl, tryKubectl } = cluster;
    await kubectl("create", "configmap", "marked", "--from-literal=a=b");
    expect(await kubectl("label", "configmap", "marked", "tier=one")).toBe("configmap/marked labeled\n");
    const again = await tryKubectl(["label", "configmap", "marked", "tier=two"]);
    expect(again.stderr).toBe("error: 'tier' already has a value (one), and --overwrite is false\n");
    await kubectl("label", "configmap", "marked", "tier=two", "--overwrite");
    expect(await kubectl("get", "configmap", "-L", "tier", "-l", "tier=two", "--no-headers")).toMatch(
      /^marked +1 +\d+s +two\n$/,
    );
    expect(await kubectl("label", "configmap", "marked", "tier-")).toBe("configmap/marked unlabeled\n");
    expect(await kubectl("annotate", "configmap", "marked", "note=hello world")).toMatch(
      /^configmap\/marked annotated?\n$/, // Without the last letter before 1.28.
    );
    expect(await kubectl("get", "configmap", "marked", "-o=jsonpath={.metadata.annotations.note}")).toBe(
      "hello world",
    );
  });

  it("edits with an editor", async () => {
    const { kubectl, tryKubectl, folder } = cluster;
    await kubectl("create", "configmap", "edited", "--from-literal=color=red");
    const editor = join(folder, "editor.sh");
    await writeFile(editor, '#!/bin/sh\nsed -i "s/color: red/color: blue/" "$1"\n', { mode: 0o755 });
    const { code, stdout, stderr } = await tryKubectl(["edit", "configmap", "edited"], {
      env: { KUBE_EDITOR: editor },
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "configmap/edited edited\n", stderr: "" });
    expect(await kubectl("get", "configmap", "edited", "-o=jsonpath={.data.color}")).toBe("blue");
  });

  it("waits for a condition, for a value and for a deletion", async () => {
    const { kubectl } = cluster;
    await kubectl("run", "short", "--image=busybox");
    expect(await kubectl("wait", "--for=condition=Ready", "pod/short", "--timeout=30s")).toBe(
      "pod/short condition met\n",
    );
    expect(
      await kubectl("wait", "--for=jsonpath={.status.phase}=Running", "pod/short", "--timeout=30s"),
    ).toBe("pod/short condition met\n");
    await kubectl("delete", "pod", "short", "--wait=false");
    await kubectl("wait", "--for=delete", "pod/short", "--timeout=40s");
  });
});

describe("rolling out", () => {
  it("keeps a history that can be gone back to", async () => {
    const { kubectl, tryKubectl } = cluster;
    const web = await deploy("web");
    for (const tag of ["1.27", "1.28"]) {
      await kubectl("set", "image", web, `nginx=nginx:${tag}`);
      expect(await kubectl("rollout", "status", web, "--timeout=30s")).toContain(
        'deployment "web" successfully rolled out',
      );
    }
    expect(await kubectl("rollout", "history", web)).toBe(
      "deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n3         <none>\n\n",
    );
    expect(await kubectl("rollout", "history", web, "--revision=2")).toContain("nginx:1.27");
    expect(await kubectl("rollout", "undo", web, "--to-revision=1")).toBe(
      "deployment.apps/web rolled back\n",
    );
    await kubectl("rollout", "status", web, "--timeout=30s");
    expect(await kubectl("get", web, "-o=jsonpath={.spec.template.spec.containers[0].image}")).toBe(
      "nginx:1.26",
    );
    expect(await kubectl("rollout", "history", web)).toMatch(/CHANGE-CAUSE\n2 .*\n3 .*\n4 /);
    const { stderr } = await tryKubectl(["rollout", "undo", web, "--to-revision=9"]);
    expect(stderr).toBe("error: unable to find specified revision 9 in history\n");
  });

  it("pauses, resumes and restarts", async () => {
    const { kubectl, tryKubectl } = cluster;
    const paused = await deploy("paused");
    await kubectl("rollout", "pause", paused);
    await kubectl("set", "image", paused, "nginx=nginx:1.27");
    expect(await kubectl("get", "replicasets", "-l", "app=paused", "-o", "name")).toMatch(
      /^replicaset\.apps\/paused-\w+\n$/,
    );
    const { stderr } = await tryKubectl(["rollout", "restart", paused]);
    expect(stderr).toContain("can't restart paused deployment (run rollout resume first)");
    await kubectl("rollout", "resume", paused);
    await kubectl("rollout", "status", paused, "--timeout=30s");
    expect(await kubectl("rollout", "restart", paused)).toBe("deployment.apps/paused restarted\n");
    await kubectl("rollout", "status", paused, "--timeout=30s");
    expect(await kubectl("get", "replicasets", "-l", "app=paused", "-o", "name")).toMatch(
      /^(replicaset\.apps\/paused-\w+\n){3}$/,
    );
  });

  it("is exposed and autoscaled", async () => {
    const { kubectl } = cluster;
    const shop = await deploy("shop");
    expect(await kubectl("expose", shop, "--port=80", "--target-port=8080")).toBe("service/shop exposed\n");
    await kubectl(
      "wait",
      "--for=jsonpath={.endpoints[0].conditions.ready}=true",
      "endpointslice",
      "-l",
      "kubernetes.io/service-name=shop",
      "--timeout=30s",
    );
    expect(await kubectl("get", "service", "shop", "--no-headers")).toMatch(
      /^shop +ClusterIP +10\.96\.\d+\.\d+ +<none> +80\/TCP /,
    );
    expect(await kubectl("autoscale", shop, "--min=2", "--max=5", "--cpu-percent=80")).toContain(
      "autoscaled",
    );
    await kubectl("wait", "--for=jsonpath={.status.readyReplicas}=2", shop, "--timeout=30s");
    await kubectl("wait", "--for=jsonpath={.status.desiredReplicas}=2", "hpa/shop", "--timeout=30s");
    // What the autoscaler says there is was counted before it scaled; it counts again after fifteen seconds.
    expect(await kubectl("get", "hpa", "shop", "--no-headers")).toMatch(
      /^shop +Deployment\/shop +\S.* +2 +5 +[12] /,
    );
  }, 90_000);
});

describe("applying", () => {
  it("refuses to take a field from another manager until it is forced to", async () => {
    const { kubectl, tryKubectl } = cluster;
    const apply = (color: string, ...flags: string[]) =>
      tryKubectl(["apply", "--server-side", "-f", "-", ...flags], { input: configMap("owned", { color }) });
    expect((await apply("red", "--field-manager=one")).stdout).toBe("configmap/owned serverside-applied\n");
    const conflict = await apply("blue", "--field-manager=two");
    expect(conflict.code).toBe(1);
    expect(conflict.stderr).toContain('Apply failed with 1 conflict: conflict with "one": .data.color');
    expect((await apply("blue", "--field-manager=two", "--force-conflicts")).code).toBe(0);
    expect(await kubectl("get", "configmap", "owned", "-o=jsonpath={.data.color}")).toBe("blue");
  });

  it("prunes what is no longer in the set", async () => {
    const { kubectl, tryKubectl } = cluster;
    const apply = (...names: string[]) =>
      tryKubectl(["apply", "-f", "-", "--prune", "-l", "set=a", "--prune-allowlist=core/v1/ConfigMap"], {
        input: `---\n${names.map((name) => configMap(name, { a: "b" }, { set: "a" })).join("\n---\n")}`,
      });
    expect((await apply("first", "second")).stdout).toBe(
      "configmap/first created\nconfigmap/second created\n",
    );
    expect((await apply("second")).stdout).toBe("configmap/second unchanged\nconfigmap/first pruned\n");
    expect(await kubectl("get", "configmaps", "-l", "set=a", "-o", "name")).toBe("configmap/second\n");
  });
});

describe("deleting", () => {
  it("in the foreground removes what an object owns first", async () => {
    const { kubectl } = cluster;
    const owner = await deploy("foreground");
    await kubectl("delete", owner, "--cascade=foreground", "--timeout=40s");
    expect(await kubectl("get", "rs,pods", "-l", "app=foreground", "-o", "name")).toBe("");
  });

  it("as an orphan leaves it", async () => {
    const { kubectl } = cluster;
    const owner = await deploy("orphaned");
    await kubectl("delete", owner, "--cascade=orphan", "--timeout=40s");
    const kept = await kubectl("get", "rs,pods", "-l", "app=orphaned", "-o", "name");
    expect(kept).toMatch(/^replicaset\.apps\/orphaned-\S+\npod\/orphaned-\S+\n$/);
    expect(
      await kubectl("get", "rs", "-l", "app=orphaned", "-o=jsonpath={.items[*].metadata.ownerReferences}"),
    ).toBe("");
    await kubectl("delete", "rs", "-l", "app=orphaned", "--timeout=40s");
  });

  it("a namespace removes everything in it", async () => {
    const { kubectl, tryKubectl } = cluster;
    await kubectl("create", "namespace", "gone");
    await kubectl("-n", "gone", "create", "deployment", "web", "--image=nginx", "--replicas=2");
    await kubectl("-n", "gone", "rollout", "status", "deployment/web", "--timeout=30s");
    await kubectl("delete", "namespace", "gone", "--timeout=60s");
    expect((await tryKubectl(["get", "namespace", "gone"])).stderr).toContain("not found");
  });
});
