import { execFileSync } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { BINNACLE_VERSION } from "../version.ts";

const QUICK = ["--components", "apiserver"];

describe("binnacle status", () => {
  it("exits with 3 when nothing runs, and says how to start", async () => {
    const fake = await createFakeTerminal();
    expect(await fake.run("status", "--name", "ci")).toBe(3);
    expect(fake.output).toBe('cluster "ci" is not running; start it with: binnacle up --name ci\n');
  });

  it("shows what runs, in text and in JSON", async () => {
    const fake = await createFakeTerminal();
    const cluster = await fake.up();
    expect(await fake.run("status")).toBe(0);
    expect(fake.output).toMatch(new RegExp(`state {4}running\nserver {3}${cluster.url}\nversion {2}v1\\.36`));
    const before = fake.output.length;
    expect(await fake.run("status", "-o", "json")).toBe(0);
    expect(JSON.parse(fake.output.slice(before))).toMatchObject({
      name: "binnacle",
      running: true,
      pid: process.pid,
      nodes: 1,
    });
  });

  it("tells clusters apart by name", async () => {
    const fake = await createFakeTerminal();
    await fake.up("--name", "one", ...QUICK);
    expect(await fake.run("status", "--name", "one")).toBe(0);
    expect(await fake.run("status", "--name", "two")).toBe(3);
  });
});

describe("binnacle down", () => {
  it("does nothing when nothing runs", async () => {
    const fake = await createFakeTerminal();
    expect(await fake.run("down")).toBe(0);
    expect(fake.output).toBe('cluster "binnacle" is not running\n');
  });

  it("signals no other process that has the number of one that was killed", async () => {
    const fake = await createFakeTerminal();
    const data = join(fake.folder, "binnacle/binnacle");
    await mkdir(data, { recursive: true });
    const lock = { pid: process.pid, processStart: "another boot:1", startedAt: "2026-01-01T00:00:00Z" };
    await writeFile(join(data, "lock"), JSON.stringify(lock));
    expect(await fake.run("down")).toBe(0);
    expect(fake.output).toBe('cluster "binnacle" is not running\n');
  });
});

describe("binnacle reset", () => {
  it("refuses while the cluster runs", async () => {
    const fake = await createFakeTerminal();
    await fake.up(...QUICK);
    expect(await fake.run("reset", "--yes")).toBe(1);
    expect(fake.errors).toMatch(/^error: a cluster is already running/);
  });

  it("asks a person, and removes nothing without a yes", async () => {
    const questions: string[] = [];
    let answer = false;
    const fake = await createFakeTerminal({
      confirm: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    const data = join(fake.folder, "binnacle/binnacle");
    await (await fake.up(...QUICK)).stop();
    expect(await fake.run("reset")).toBe(1);
    expect((await stat(data)).isDirectory()).toBe(true);
    answer = true;
    expect(await fake.run("reset")).toBe(0);
    await expect(stat(data)).rejects.toThrow("ENOENT");
    expect(questions).toEqual([`Remove everything in ${data}?`, `Remove everything in ${data}?`]);
  });

  it("removes no folder that is not a cluster's", async () => {
    const fake = await createFakeTerminal();
    await writeFile(join(fake.folder, "precious"), "");
    expect(await fake.run("reset", "--yes", "--data-dir", fake.folder)).toBe(1);
    expect(fake.errors).toContain("is not the data directory of a cluster");
    expect(await readFile(join(fake.folder, "precious"), "utf8")).toBe("");
  });
});

describe("binnacle kubeconfig", () => {
  it("prints the kubeconfig, and merges it only when told to", async () => {
    const fake = await createFakeTerminal();
    expect(await fake.run("kubeconfig")).toBe(1);
    expect(fake.errors).toContain("has not been started yet; start it with: binnacle up\n");
    await fake.up(...QUICK);
    const before = fake.output.length;
    expect(await fake.run("kubeconfig")).toBe(0);
    expect(fake.output.slice(before)).toContain("current-context: binnacle");

    const own = join(fake.folder, ".kube/config");
    await mkdir(join(fake.folder, ".kube"));
    await writeFile(
      own,
      "apiVersion: v1\nkind: Config\nclusters: [{name: work, cluster: {server: https://work}}]\n",
    );
    expect(await fake.run("kubeconfig", "--merge")).toBe(0);
    const merged = await readFile(own, "utf8");
    expect(merged).toContain("https://work");
    expect(merged).toContain("current-context: binnacle");
  });
});

describe("binnacle", () => {
  it("prints its version, which is the package's", async () => {
    const fake = await createFakeTerminal();
    expect(await fake.run("version")).toBe(0);
    const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    expect(manifest.version).toBe(BINNACLE_VERSION);
    expect(fake.output).toMatch(new RegExp(`^binnacle ${BINNACLE_VERSION}\nkubernetes v1\\.36\\.`));
  });

  it.each(["up", "status", "down", "reset", "kubeconfig", "version", "completion"])(
    "explains %s with examples",
    async (command) => {
      const fake = await createFakeTerminal();
      expect(await fake.run(command, "--help")).toBe(0);
      expect(fake.output).toMatch(/Usage: binnacle .*\n[\s\S]*Examples?:\n {2}\S/);
    },
  );

  it("suggests the command that was meant", async () => {
    const fake = await createFakeTerminal();
    expect(await fake.run("stats")).toBe(1);
    expect(fake.errors).toBe("error: unknown command 'stats'\n(Did you mean status?)\n");
  });

  it.each([
    ["bash", /complete -o filenames -F _binnacle binnacle/],
    ["zsh", /^#compdef binnacle/],
    ["fish", /complete -c binnacle -n '__fish_seen_subcommand_from up' -l secure-port -x/],
  ])("completes in %s", async (shell, pattern) => {
    const fake = await createFakeTerminal();
    expect(await fake.run("completion", shell)).toBe(0);
    expect(fake.output).toMatch(pattern);
  });

  it.each([
    ["up --no", "--nodes --node"],
    ["up --store ''", ""],
    ["status -o ''", ""],
    ["completion b", "bash"],
  ])("completes binnacle %s in bash with %j", async (words, expected) => {
    const fake = await createFakeTerminal();
    await fake.run("completion", "bash");
    const script = `${fake.output}\nCOMP_WORDS=(binnacle ${words}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _binnacle; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe(`${expected}\n`);
  });

  it("knows no other shell", async () => {
    const fake = await createFakeTerminal();
    expect(await fake.run("completion", "csh")).toBe(1);
    expect(fake.errors).toBe('error: completion: "csh" is unknown; known are bash, zsh, fish\n');
  });
});
