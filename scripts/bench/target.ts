import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

/** A running cluster in another process, and how to reach it. */
export interface Target {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly pid: number;
  /** From the start of the process to the line that says it is ready, in milliseconds. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const CLI = join(process.cwd(), "packages/binnacle/dist/binnacle.mjs");

/** Starts `binnacle up` with these flags on a data directory (default: a new one). */
export async function startTarget(flags: readonly string[], directory?: string): Promise<Target> {
  const data = directory ?? (await mkdtemp(join(tmpdir(), "binnacle-bench-")));
  const started = performance.now();
  const child = spawn(process.execPath, [CLI, "up", "--data-dir", data, "--secure-port", "0", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = await waitForLine(child, /export KUBECONFIG=/);
  const startMs = performance.now() - started;
  const kubeconfig = parse(readFileSync(join(data, "kubeconfig"), "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
    users: { user: { "client-certificate-data": string; "client-key-data": string } }[];
  };
  const decode = (text: string): string => Buffer.from(text, "base64").toString("utf8");
  const { cluster } = kubeconfig.clusters[0]!;
  const { user } = kubeconfig.users[0]!;
  void output;
  return {
    url: cluster.server,
    ca: decode(cluster["certificate-authority-data"]),
    cert: decode(user["client-certificate-data"]),
    key: decode(user["client-key-data"]),
    pid: child.pid ?? 0,
    startMs,
    stop: async () => {
      await stopChild(child);
      if (directory === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Resolves with the output when a line matches; rejects when the process ends before. */
export function waitForLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const onData = (chunk: Buffer): void => {
      output += chunk.toString();
      if (pattern.test(output)) resolve(output);
    };
    child.stdout?.on("data", onData);
    child.stderr?.on("data", onData);
    child.once("exit", (code) => reject(new Error(`the process ended with ${code}: ${output}`)));
  });
}

export function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

/** Resident memory of a process in MiB. Linux only. */
export function residentMiB(pid: number): number {
  const match = /VmRSS:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return match === null ? Number.NaN : Number(match[1]) / 1024;
}
