import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withClusterClient } from "../cluster-client.ts";
import { createFakeTerminal, type FakeTerminal } from "../testing/fake-terminal.ts";

const MEMORY = ["--store", "memory"];

async function write(fake: FakeTerminal, name: string, text: string): Promise<string> {
  const path = join(fake.folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
  return path;
}

const configMap = (name: string, namespace = "default"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {a: b}\n`;

describe("binnacle up", () => {
  it("ends with the two lines that scripts read, and with 0 after an interrupt", async () => {
    const fake = await createFakeTerminal();
    const cluster = await fake.up(...MEMORY);
    const kubeconfig = join(fake.folder, "binnacle/binnacle/kubeconfig");
    expect(fake.output).toMatch(/^ready at https:\/\/127\.0\.0\.1:[0-9]+\nexport KUBECONFIG=.*\n$/);
    expect(fake.output).toContain(`export KUBECONFIG=${kubeconfig}\n`);
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
    expect(await cluster.stop()).toBe(0);
    expect(fake.errors).toBe("");
  });

  it("ends the process at once on a second interrupt", async () => {
    const fake = await createFakeTerminal();
    const cluster = await fake.up(...MEMORY, "--components", "apiserver");
    fake.interrupt();
    expect(await cluster.stop()).toBe(0);
    expect(fake.abandoned).toEqual([130]);
  });

  it("applies manifests in the order in which they are needed, as field manager binnacle", async () => {
    const fake = await createFakeTerminal();
    await write(fake, "m/a.yaml", configMap("settings", "shop"));
    await write(fake, "m/b.json", '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}');
    await write(fake, "m/notes.txt", "not a manifest");
    const single = await write(fake, "single.yaml", configMap("one"));
    await fake.up(...MEMORY, "-f", join(fake.folder, "m"), "--filename", single);
    expect(fake.output).toMatch(/^manifests: 3 applied\nready at /);
    const body = await withClusterClient(
      join(fake.folder, "binnacle/binnacle"),
      fake.terminal.clock,
      (client) => client.send({ method: "GET", path: "/api/v1/namespaces/shop/configmaps/settings" }),
    );
    expect(body).toMatchObject({
      metadata: { managedFields: [{ manager: "binnacle", operation: "Apply" }] },
    });
  });

  it("gives nodes the labels and the capacity asked for", async () => {
    const fake = await createFakeTerminal();
    await fake.up(...MEMORY, "--nodes", "1", "--node", "name=gpu,labels=tier=gpu,capacity=nvidia.com/gpu=2");
    const body = await withClusterClient(
      join(fake.folder, "binnacle/binnacle"),
      fake.terminal.clock,
      (client) => client.send({ method: "GET", path: "/api/v1/nodes" }),
    );
    expect(body).toMatchObject({
      items: [
        {
          metadata: { name: "gpu", labels: { tier: "gpu" } },
          status: { capacity: { "nvidia.com/gpu": "2" } },
        },
        { metadata: { name: "node-1" } },
      ],
    });
  });

  it("keeps its state from one start to the next", async () => {
    const fake = await createFakeTerminal();
    const file = await write(fake, "a.yaml", configMap("kept"));
    await (await fake.up("--components", "apiserver", "-f", file)).stop();
    await fake.up("--components", "apiserver");
    const path = "/api/v1/namespaces/default/configmaps/kept";
    const body = await withClusterClient(
      join(fake.folder, "binnacle/binnacle"),
      fake.terminal.clock,
      (client) => client.send({ method: "GET", path }),
    );
    expect(body).toMatchObject({ metadata: { name: "kept" } });
  });

  it("draws a picture for a person", async () => {
    const fake = await createFakeTerminal({ isInteractive: true });
    const cluster = await fake.up(...MEMORY);
    await fake.outputMatching(/nodes 1\/1 ready/);
    expect(await cluster.stop()).toBe(0);
    expect(fake.output).toContain("✓ API server");
    expect(fake.output).toMatch(/stopping …\n$/);
  });

  it("writes the kubeconfig where it is told to, and leaves ~/.kube/config alone", async () => {
    const fake = await createFakeTerminal();
    const path = join(fake.folder, "sub/ci.yaml");
    await fake.up(...MEMORY, "--components", "apiserver", "--write-kubeconfig", path);
    expect(fake.output).toContain(`export KUBECONFIG=${path}\n`);
    expect(await readFile(path, "utf8")).toContain("current-context: binnacle");
    await expect(stat(join(fake.folder, ".kube"))).rejects.toThrow("ENOENT");
  });
});

describe("binnacle up refuses in one clear sentence", () => {
  it("a second cluster on the same data", async () => {
    const fake = await createFakeTerminal();
    await fake.up("--components", "apiserver");
    expect(await fake.run("up", "--secure-port", "0")).toBe(1);
    expect(fake.errors).toMatch(
      /^error: a cluster is already running on .* stop it with: binnacle down --data-dir .*\n$/,
    );
  });

  it("a port that is taken", async () => {
    const fake = await createFakeTerminal();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.address() as { port: number }; // Of a TCP server.
    expect(await fake.run("up", ...MEMORY, "--secure-port", String(port))).toBe(1);
    expect(fake.errors).toBe(
      `error: port ${port} on 127.0.0.1 is taken: choose another with --secure-port, or 0 for a free one\n`,
    );
  });

  it("a data directory that cannot be written", async () => {
    const fake = await createFakeTerminal();
    const file = await write(fake, "file", "");
    expect(await fake.run("up", "--data-dir", join(file, "data"))).toBe(1);
    expect(fake.errors).toMatch(/^error: cannot write to .*: a part of the path is not a directory\n$/);
  });

  it("a store that is damaged, and does not touch it", async () => {
    const fake = await createFakeTerminal();
    const data = join(fake.folder, "data");
    const store = await write(fake, "data/store/store.mdb", "no database ".repeat(2_000));
    expect(await fake.run("up", "--secure-port", "0", "--data-dir", data)).toBe(1);
    expect(fake.errors).toMatch(
      /^error: .*store\.mdb is not a store: move it away, or choose another data directory\n$/,
    );
    expect(await readFile(store, "utf8")).toBe("no database ".repeat(2_000));
  });

  it.each(["apiserver.crt", "ca.crt", "admin.key", "sa.key"])(
    "keys that are damaged: %s",
    async (damaged) => {
      const fake = await createFakeTerminal();
      const data = join(fake.folder, "data");
      await (await fake.up(...MEMORY, "--components", "apiserver", "--data-dir", data)).stop();
      await write(fake, `data/pki/${damaged}`, "garbled");
      expect(await fake.run("up", ...MEMORY, "--secure-port", "0", "--data-dir", data)).toBe(1);
      expect(fake.errors).toMatch(
        /^error: the keys in .*pki are damaged: restore them, or remove that folder/,
      );
    },
  );

  it("a manifest that cannot be read, before anything is started", async () => {
    const fake = await createFakeTerminal();
    const file = await write(fake, "bad.yaml", `${configMap("a")}---\nkind: Pod\n`);
    expect(await fake.run("up", "-f", file)).toBe(1);
    expect(fake.errors).toBe(`error: ${file}, document 2: apiVersion is missing\n`);
    expect(await fake.run("up", "-f", join(fake.folder, "none.yaml"))).toBe(1);
    expect(fake.errors).toContain("none.yaml: there is no such file\n");
    await write(fake, "nested/inner/a.yaml", configMap("a"));
    expect(await fake.run("up", "-f", join(fake.folder, "nested"))).toBe(1);
    expect(fake.errors).toContain(
      "nested holds no manifest: files ending in .yaml, .yml or .json were expected in it\n",
    );
    await expect(stat(join(fake.folder, "binnacle"))).rejects.toThrow("ENOENT");
  });

  it("a manifest that the server refuses", async () => {
    const fake = await createFakeTerminal();
    const file = await write(fake, "bad.yaml", configMap("UPPER"));
    expect(await fake.run("up", ...MEMORY, "--secure-port", "0", "-f", file)).toBe(1);
    expect(fake.errors).toMatch(
      /^error: .*bad\.yaml: ConfigMap "UPPER" is invalid: metadata\.name: Invalid value/,
    );
  });

  it.each([
    [["--store", "sqlite"], '--store: "sqlite" is unknown; known are lmdb, memory'],
    [
      ["--components", "kubelet"],
      '--components: "kubelet" is unknown; known are apiserver, controller-manager',
    ],
    [["--authorization-mode", "RBAC,ABAC"], '--authorization-mode: "ABAC" is unknown; known are Node, RBAC'],
    [["--secure-port", "70000"], '--secure-port: "70000" is not a whole number from 0 to 65535'],
    [["--bind-address", "localhost"], '--bind-address: "localhost" is not an IP address'],
    [["--service-cluster-ip-range", "10.0.0.0/8"], "--service-cluster-ip-range:"],
    [["--anonymous-auth=perhaps"], '--anonymous-auth: "perhaps" is neither true nor false'],
    [["--etcd-compaction-interval", "5"], '--etcd-compaction-interval: "5" is not a duration such as'],
    [["--token-auth-file", "/nonexistent/tokens"], "--token-auth-file: cannot read /nonexistent/tokens:"],
    [["--tls-cert-file", "/dev/null"], "--tls-cert-file and --tls-private-key-file must be given together"],
    [["--client-ca-file", "/dev/null"], "--client-ca-file holds no certificate in PEM"],
    [["--node", "name=node-1", "--nodes", "1"], '--node: there are two nodes called "node-1"'],
    [["--name", "a/b"], '--name: "a/b" is not a name'],
    [["--enable-admission-plugins", "Nope"], 'admission plugin "Nope" is unknown; known are '],
    [["--unknown"], "unknown option '--unknown'"],
    [["extra"], "too many arguments for 'up'"],
  ])("%j", async (args, message) => {
    const fake = await createFakeTerminal();
    expect(await fake.run("up", ...MEMORY, ...args)).toBe(1);
    expect(fake.errors).toContain(`error: ${message}`);
    expect(fake.errors.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("kube-apiserver's flags", () => {
  it("accepts static tokens and refuses privileged containers and anonymous requests when told to", async () => {
    const fake = await createFakeTerminal();
    const tokens = await write(fake, "tokens.csv", 'secret,ann,1,"system:masters"\n');
    const pod = await write(
      fake,
      "pod.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, securityContext: {privileged: true}}]}\n",
    );
    const flags = [
      ...MEMORY,
      "--token-auth-file",
      tokens,
      "--anonymous-auth=false",
      "--allow-privileged=false",
    ];
    expect(await fake.run("up", "--secure-port", "0", ...flags, "-f", pod)).toBe(1);
    expect(fake.errors).toContain(
      "spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy",
    );
  });
});
