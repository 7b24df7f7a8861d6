import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startTestCluster, type TestCluster } from "./test-cluster.ts";

const CASES = join(process.cwd(), "test/cases/first-day");
const file = (name: string): string => join(CASES, name);

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster("--store", "memory");
});
afterAll(() => cluster?.stop());

describe("the first day", () => {
  it("shows the four namespaces that every cluster has", async () => {
    expect(await cluster.kubectl("get", "namespaces", "-o", "name")).toBe(
      "namespace/default\nnamespace/kube-node-lease\nnamespace/kube-public\nnamespace/kube-system\n",
    );
  });

  it("runs the nginx deployment and heals it", async () => {
    const { kubectl } = cluster;
    expect(await kubectl("apply", "-f", file("nginx-deployment.yaml"))).toBe(
      "deployment.apps/nginx-deployment created\n",
    );
    await kubectl("rollout", "status", "deployment/nginx-deployment", "--timeout=30s");
    const before = await kubectl("get", "pods", "-l", "app=nginx", "-o", "name");
    expect(before.trim().split("\n")).toHaveLength(2);
    const [first = ""] = before.split("\n");
    await kubectl("delete", first);
    await kubectl(
      "wait",
      "--for=jsonpath={.status.readyReplicas}=2",
      "deployment/nginx-deployment",
      "--timeout=30s",
    );
    const after = await kubectl(
      "get",
      "pods",
      "-l",
      "app=nginx",
      "--field-selector=status.phase=Running",
      "-o",
      "name",
    );
    expect(after.trim().split("\n")).toHaveLength(2);
    expect(after).not.toContain(first);
  });

  it("scales the deployment, changes its image, and takes the change back", async () => {
    const { kubectl } = cluster;
    const target = "deployment/nginx-deployment";
    await kubectl("scale", target, "--replicas=3");
    await kubectl("rollout", "status", target, "--timeout=30s");
    expect(await kubectl("set", "image", target, "nginx=nginx:1.16.1")).toContain("image updated");
    expect(await kubectl("rollout", "status", target, "--timeout=30s")).toContain("successfully rolled out");
    expect(await kubectl("rollout", "history", target)).toMatch(/REVISION {2}CHANGE-CAUSE\n1 .*\n2 /);
    expect(await kubectl("rollout", "undo", target)).toContain("rolled back");
    await kubectl("rollout", "status", target, "--timeout=30s");
    const image = "-o=jsonpath={.spec.template.spec.containers[0].image}";
    expect(await kubectl("get", target, image)).toBe("nginx:1.14.2");
    expect(await kubectl("rollout", "pause", target)).toContain("paused");
    expect(await kubectl("rollout", "resume", target)).toContain("resumed");
    await kubectl("delete", target);
  });

  it("accepts a deployment that was exported from a live cluster", async () => {
    const { kubectl, tryKubectl } = cluster;
    const created = await kubectl("create", "-f", file("exported-deployment.yaml"));
    expect(created).toBe("deployment.apps/boarder created\n");
    const name = "deployment/boarder";
    await kubectl("rollout", "status", name, "--timeout=30s");
    const object = JSON.parse(await kubectl("get", name, "-o", "json", "--show-managed-fields"));
    expect(object.metadata.uid).not.toBe("a1d511b9-f8a1-45be-903f-27beb9ec2674");
    expect(object.metadata.generation).toBe(1);
    expect(object.metadata.annotations["deployment.kubernetes.io/revision"]).toBe("1");
    // What others are said to own stays theirs, except for what this request writes itself: argocd-controller is said
    // to own nothing but spec.replicas. Source: structured-merge-diff merge/update.go, Update.
    expect(object.metadata.managedFields.map(({ manager }: { manager: string }) => manager).sort()).toEqual([
      "kube-controller-manager",
      "kubectl-create",
    ]);
    expect(object.status).toMatchObject({ replicas: 1, readyReplicas: 1, observedGeneration: 1 });
    // The same file again, without what belongs to the cluster that it came from.
    const exported = parse(await readFile(file("exported-deployment.yaml"), "utf8"));
    delete exported.metadata.uid;
    delete exported.metadata.resourceVersion;
    const { stdout, stderr } = await tryKubectl(["apply", "-f", "-"], { input: JSON.stringify(exported) });
    expect(stderr).toMatch(/^(Warning: resource deployments\/boarder is missing the .*\n)?$/);
    expect(stdout).toBe("deployment.apps/boarder configured\n");
    await kubectl("delete", name);
  });

  it("leaves a pod that nothing fits pending, says why, and schedules it when something does", async () => {
    const { kubectl, tryKubectl } = cluster;
    await kubectl("create", "-f", file("cuda-pod.yaml"));
    await kubectl("wait", "--for=condition=PodScheduled=false", "pod/cuda-test", "--timeout=30s");
    const condition = '-o=jsonpath={.status.conditions[?(@.type=="PodScheduled")]}';
    expect(JSON.parse(await kubectl("get", "pod", "cuda-test", condition))).toMatchObject({
      reason: "Unschedulable",
      message: expect.stringMatching(
        /^0\/1 nodes are available: 1 .*didn't match Pod's node affinity\/selector/,
      ),
    });
    expect(await kubectl("describe", "pod", "cuda-test")).toMatch(
      /Warning +FailedScheduling .* 0\/1 nodes are available/,
    );
    await kubectl("label", "node", "node-1", "accelerator=nvidia-tesla-p100");
    const patch = '{"status":{"capacity":{"nvidia.com/gpu":"1"},"allocatable":{"nvidia.com/gpu":"1"}}}';
    await kubectl("patch", "node", "node-1", "--subresource=status", "--type=merge", "-p", patch);
    const { code } = await tryKubectl(["wait", "--for=condition=Ready", "pod/cuda-test", "--timeout=30s"]);
    expect(code).toBe(0);
    await kubectl("delete", "pod", "cuda-test");
  });

  it("runs a pod of two containers", async () => {
    const { kubectl } = cluster;
    await kubectl("create", "-f", file("sidecar-pod.yaml"));
    await kubectl("wait", "--for=condition=Ready", "pod/web-with-log-collector", "--timeout=30s");
    expect(await kubectl("get", "pod", "web-with-log-collector", "--no-headers")).toMatch(
      /^web-with-log-collector +2\/2 +Running +0 /,
    );
    await kubectl("delete", "pod", "web-with-log-collector");
  });

  it("keeps an object until its finalizer is removed", async () => {
    const { kubectl, tryKubectl } = cluster;
    await kubectl("create", "-f", file("finalizer.yaml"));
    await kubectl("delete", "configmap", "guarded", "--wait=false");
    expect(
      await kubectl("get", "configmap", "guarded", "-o=jsonpath={.metadata.deletionTimestamp}"),
    ).not.toBe("");
    await kubectl(
      "patch",
      "configmap",
      "guarded",
      "--type=json",
      '-p=[{"op":"remove","path":"/metadata/finalizers"}]',
    );
    const { stderr } = await tryKubectl(["get", "configmap", "guarded"]);
    expect(stderr).toBe('Error from server (NotFound): configmaps "guarded" not found\n');
  });

  it("selects by labels and fields", async () => {
    const { code, stdout, stderr } = await cluster.run("sh", [file("selectors.sh")]);
    expect(`${stdout}${stderr}`).not.toContain("FAIL");
    expect(code).toBe(0);
  });
});

describe("a folder of manifests", () => {
  const folder = file("configs");

  it("is created, left as it is by a second apply, without a difference, and removed", async () => {
    const { kubectl, tryKubectl } = cluster;
    const created = await kubectl("apply", "-f", folder);
    expect(created.trim().split("\n")).toHaveLength(14);
    expect(created).not.toMatch(/(configured|unchanged)$/m);
    await kubectl("-n", "shop", "rollout", "status", "deployment/web", "--timeout=30s");
    await kubectl("-n", "shop", "rollout", "status", "statefulset/db", "--timeout=30s");
    await kubectl("-n", "shop", "rollout", "status", "daemonset/node-logs", "--timeout=30s");
    await kubectl("-n", "shop", "wait", "--for=condition=Complete", "job/migrate", "--timeout=30s");

    const again = (await kubectl("apply", "-f", folder)).trim().split("\n");
    expect(again.filter((line) => line.endsWith(" configured")).sort()).toEqual([
      "poddisruptionbudget.policy/web configured",
      "secret/db configured",
      "statefulset.apps/db configured",
    ]);
    expect(again.filter((line) => line.endsWith(" unchanged"))).toHaveLength(11);

    const { code, stdout } = await tryKubectl(["diff", "-f", folder]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });

    await kubectl("delete", "-f", folder, "--timeout=60s");
    const { stderr } = await tryKubectl(["get", "namespace", "shop"]);
    expect(stderr).toContain('namespaces "shop" not found');
  }, 120_000);
});
