import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@binnacle/base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inClusterConnection } from "./in-cluster.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import {
  addToKubeconfig,
  kubeconfigPaths,
  loadKubeconfig,
  parseKubeconfig,
  removeFromKubeconfig,
} from "./kubeconfig-file.ts";
import { serverConnection } from "./server-connection.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kubeconfig-"));
});
afterEach(() => rm(directory, { recursive: true }));

const clock = new VirtualClock();

function config(user: object, cluster: object = {}): Kubeconfig {
  return {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "shop" } }],
    clusters: [{ name: "k", cluster: { server: "https://127.0.0.1:6443", ...cluster } }],
    users: [{ name: "u", user }],
  };
}

describe("kubeconfig files", () => {
  it("are joined, the first file winning", async () => {
    const [one, two] = [join(directory, "one"), join(directory, "two")];
    await writeFile(one, "clusters: [{name: k, cluster: {server: 'https://one'}}]\ncurrent-context: ''\n");
    await writeFile(
      two,
      "clusters:\n- {name: k, cluster: {server: 'https://two'}}\n- {name: l, cluster: {server: 'https://l', certificate-authority: ca.crt}}\ncurrent-context: x\n",
    );
    const merged = await loadKubeconfig([one, join(directory, "missing"), two]);
    expect(merged["current-context"]).toBe("x");
    expect(merged.clusters).toMatchObject([
      { name: "k", cluster: { server: "https://one" } },
      { name: "l", cluster: { "certificate-authority": join(directory, "ca.crt") } },
    ]);
  });

  it("come from the variable when it is set", () => {
    expect(kubeconfigPaths("a::b:a", "d")).toEqual(["a", "b"]);
    expect(kubeconfigPaths("", "d")).toEqual(["d"]);
  });

  it("are written for their owner only, in one step, keeping other entries", async () => {
    const path = join(directory, "config");
    await writeFile(
      path,
      "current-context: old\ncontexts: [{name: old, context: {cluster: o}}]\nusers: []\n",
    );
    await chmod(path, 0o644);
    const link = join(directory, "link");
    await symlink(path, link);
    await addToKubeconfig(link, config({ token: "t" }));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).sort()).toEqual(["config", "link"]);
    const written = parseKubeconfig(await readFile(path, "utf8"), path);
    expect(written["current-context"]).toBe("c");
    expect(written.contexts.map((each) => each.name)).toEqual(["c", "old"]);
    await removeFromKubeconfig(path, { context: "c", cluster: "k", user: "u" });
    const rest = parseKubeconfig(await readFile(path, "utf8"), path);
    expect(rest).toEqual({
      kind: "Config",
      apiVersion: "v1",
      contexts: [{ name: "old", context: { cluster: "o" } }],
      users: [],
      clusters: [],
    });
  });

  it.each([
    ["a: [", "config: not valid YAML"],
    ["kind: Pod", 'config: kind is "Pod", not "Config"'],
    ["users: {}", "config: users is not a list"],
    ["users: [{}]", "config: an entry of users has no name"],
  ])("that read %j are refused", (text, message) => {
    expect(() => parseKubeconfig(text, "config")).toThrow(message);
  });
});

describe("serverConnection", () => {
  it("reads certificates inline and from files", async () => {
    await writeFile(join(directory, "key"), "KEY");
    const connection = await serverConnection(
      config(
        {
          "client-certificate-data": btoa("CERT"),
          "client-key": join(directory, "key"),
          as: "bob",
          "as-groups": ["g"],
        },
        { "certificate-authority-data": btoa("CA"), "tls-server-name": "kubernetes" },
      ),
      { clock },
    );
    expect(connection).toMatchObject({
      server: "https://127.0.0.1:6443",
      certificateAuthority: "CA",
      tlsServerName: "kubernetes",
      namespace: "shop",
      impersonate: { user: "bob", groups: ["g"] },
    });
    expect(await connection.credentials?.current()).toEqual({ clientCertificate: "CERT", clientKey: "KEY" });
  });

  it.each([
    [{ token: "t" }, "Bearer t"],
    [{ username: "a", password: "b" }, `Basic ${btoa("a:b")}`],
  ])("takes %o", async (user, authorization) => {
    const connection = await serverConnection(config(user), { clock });
    expect(await connection.credentials?.current()).toEqual({ authorization });
  });

  it("reads a token file again after a minute", async () => {
    const tokenFile = join(directory, "token");
    await writeFile(tokenFile, "one\n");
    const time = new VirtualClock();
    const { credentials } = await serverConnection(config({ token: "ignored", tokenFile }), { clock: time });
    expect(await credentials?.current()).toEqual({ authorization: "Bearer one" });
    await writeFile(tokenFile, "two\n");
    expect(await credentials?.current()).toEqual({ authorization: "Bearer one" });
    await time.advance(60_000);
    expect(await credentials?.current()).toEqual({ authorization: "Bearer two" });
  });

  it.each([
    [config({}, { "proxy-url": "http://p" }), 'cluster "k" has a proxy-url, which is not supported'],
    [config({}, { server: "" }), 'cluster "k" has no server'],
    [config({}, { server: "ftp://x" }), 'cluster "k" has an unusable server "ftp://x"'],
    [
      config({ "client-certificate-data": "AA==" }),
      'user "u" needs both a client certificate and a client key',
    ],
    [config({ "auth-provider": {} }), 'user "u" has an auth-provider, which is not supported; use exec'],
    [{ ...config({}), "current-context": "x" }, 'context "x" does not exist'],
    [{ ...config({}), users: [] }, 'user "u" of context "c" does not exist'],
    [
      config({}, { "certificate-authority-data": "AA==", "insecure-skip-tls-verify": true }),
      "both a certificate authority and insecure-skip-tls-verify",
    ],
  ])("explains what is wrong (%#)", async (broken, message) => {
    await expect(serverConnection(broken, { clock })).rejects.toThrow(message);
  });
});

describe("exec plugins", () => {
  const plugin = (script: string, extra: object = {}) => ({
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", script],
      env: [{ name: "FILE", value: join(directory, "runs") }],
      ...extra,
    },
  });
  const counting = `
    const fs = require("fs"); fs.appendFileSync(process.env.FILE, "x");
    const n = fs.readFileSync(process.env.FILE, "utf8").length;
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: info.apiVersion,
      status: { token: n + (info.spec.cluster?.server ?? ""), expirationTimestamp: "2026-01-01T01:00:00Z" } }));`;

  it("run once until what they printed expires or is refused", async () => {
    const time = new VirtualClock({ startMs: Date.UTC(2026, 0, 1) });
    const { credentials } = await serverConnection(config(plugin(counting, { provideClusterInfo: true })), {
      clock: time,
    });
    const token = async () => (await credentials?.current())?.authorization;
    expect(await Promise.all([token(), token()])).toEqual([
      "Bearer 1https://127.0.0.1:6443",
      "Bearer 1https://127.0.0.1:6443",
    ]);
    expect(credentials?.invalidate()).toBe(true);
    expect(await token()).toContain("Bearer 2");
    await time.advance(3_600_000);
    expect(await token()).toContain("Bearer 3");
  });

  it.each([
    ["process.exit(3)", "failed with exit code 3"],
    ["console.log('hi')", "the exec plugin did not print JSON"],
    ["console.log('{}')", "must print an ExecCredential of client.authentication.k8s.io/v1"],
  ])("that do %j are an error", async (script, message) => {
    const { credentials } = await serverConnection(config(plugin(script)), { clock });
    await expect(credentials?.current()).rejects.toThrow(message);
  });

  it("that are not installed show the hint", async () => {
    const missing = plugin("", { command: join(directory, "nothing"), installHint: "get it there" });
    const { credentials } = await serverConnection(config(missing), { clock });
    await expect(credentials?.current()).rejects.toThrow("get it there");
  });
});

describe("inClusterConnection", () => {
  it("is read from the mounted service account", async () => {
    await writeFile(join(directory, "token"), "tok");
    await writeFile(join(directory, "ca.crt"), "CA");
    await writeFile(join(directory, "namespace"), "shop");
    const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const connection = await inClusterConnection({ clock, environment, directory });
    expect(connection).toMatchObject({
      server: "https://[fd00::1]:443",
      certificateAuthority: "CA",
      namespace: "shop",
    });
    await expect(inClusterConnection({ clock, environment: {} })).rejects.toThrow("not inside a cluster");
  });
});
