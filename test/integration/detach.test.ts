import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const PROGRAM = join(process.cwd(), "packages/binnacle/dist/binnacle.mjs");

async function inFolder(): Promise<
  (...args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>
> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-detach-"));
  const binnacle = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve, reject) => {
      const child = spawn(process.execPath, [PROGRAM, ...args], {
        env: { PATH: process.env["PATH"] ?? "", HOME: folder, XDG_DATA_HOME: folder },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      child.on("error", reject);
      child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
  onTestFinished(async () => {
    await binnacle("down");
    await rm(folder, { recursive: true, force: true });
  });
  return binnacle;
}

it("runs detached: up returns when it is ready, status finds it, down ends it", async () => {
  const binnacle = await inFolder();
  const up = await binnacle("up", "--detach", "--secure-port", "0");
  expect(up.stderr).toBe("");
  expect(up.stdout).toMatch(/^ready at https:\/\/127\.0\.0\.1:\d+\nexport KUBECONFIG=\S+\n$/);
  const path = /KUBECONFIG=(\S+)/.exec(up.stdout)?.[1] ?? "";
  expect(await readFile(join(path, "../binnacle.log"), "utf8")).toContain("ready at https://");
  const status = await binnacle("status", "-o", "json");
  expect(JSON.parse(status.stdout)).toMatchObject({ running: true, nodes: 1 });

  const second = await binnacle("up", "--detach", "--secure-port", "0");
  expect([second.code, second.stdout]).toEqual([1, ""]);
  expect(second.stderr).toMatch(/^error: a cluster is already running on /);

  expect(await binnacle("down")).toMatchObject({ code: 0, stdout: 'cluster "binnacle" has stopped\n' });
  expect((await binnacle("status")).code).toBe(3);
});

it("passes on why a detached cluster could not start", async () => {
  const binnacle = await inFolder();
  const up = await binnacle("up", "--detach", "--secure-port", "0", "--enable-admission-plugins", "Nope");
  expect(up).toMatchObject({ code: 1, stdout: "" });
  expect(up.stderr).toMatch(/^error: admission plugin "Nope" is unknown; known are .*\n$/);
});
