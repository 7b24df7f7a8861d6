import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createRealClock } from "@binnacle/base";
import {
  type Client,
  createClient,
  createHttpTransport,
  loadKubeconfig,
  serverConnection,
} from "@binnacle/client";
import { type ClientVersion, fetchClients } from "../../scripts/kubectl/fetch.ts";

/** The clients that the tests use: those of one Kubernetes minor version. Chosen by `npm run test:clients`. */
export const CLIENT_VERSION = (process.env["BINNACLE_CLIENTS"] ?? "v36") as ClientVersion; // Refused by name if unknown.

/** What a finished program said. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A cluster in a process of its own, and the real clients with nothing in their surroundings but it. */
export interface TestCluster {
  readonly folder: string;
  readonly url: string;
  readonly kubeconfig: string;
  /** A client of our own, for what must be timed. */
  readonly client: Client;
  /** The output of kubectl; throws with everything it said when it fails. */
  kubectl(...args: string[]): Promise<string>;
  /** Whatever becomes of kubectl. */
  tryKubectl(args: readonly string[], options?: RunOptions): Promise<Result>;
  /** The output of helm; throws when it fails. */
  helm(...args: string[]): Promise<string>;
  /** Runs any program in the same surroundings. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<Result>;
  /** Starts kubectl and gives its output as it comes. */
  startKubectl(...args: string[]): RunningProgram;
  stop(): Promise<void>;
}

/** A program whose output is read while it runs. */
export interface RunningProgram {
  readonly output: string;
  /** Resolves when the output matches; rejects when the program ends before. */
  outputMatching(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

const root = process.cwd();
const BINNACLE = join(root, "packages/binnacle/dist/binnacle.mjs");

/** Starts `binnacle up` with these further arguments, on a free port of the loopback address. */
export async function startTestCluster(...args: string[]): Promise<TestCluster> {
  if (!existsSync(BINNACLE)) throw new Error("there is no build of the command line: npm run build");
  const clients = await fetchClients(CLIENT_VERSION);
  const folder = await mkdtemp(join(tmpdir(), "binnacle-e2e-"));
  await mkdir(join(folder, "home"));
  const kubeconfig = join(folder, "data/kubeconfig");
  const env = {
    PATH: [dirname(clients.kubectl), dirname(clients.helm), process.env["PATH"] ?? ""].join(delimiter),
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: join(folder, "home/cache"),
    XDG_CONFIG_HOME: join(folder, "home/config"),
    XDG_DATA_HOME: join(folder, "home/data"),
    KUBECONFIG: kubeconfig,
    TZ: "UTC",
  };
  const up = spawn(
    process.execPath,
    [BINNACLE, "up", "--secure-port", "0", "--data-dir", join(folder, "data"), ...args],
    { env, stdio: ["ignore", "pipe", "pipe"] },
  );
  const follower = follow(up, "binnacle up");
  const ready = await follower.outputMatching(/^export KUBECONFIG=/m);
  const clock = createRealClock();
  const connection = await serverConnection(await loadKubeconfig([kubeconfig]), { clock });
  const transport = createHttpTransport(connection, { clock });
  const run: TestCluster["run"] = (program, programArgs, options = {}) =>
    runProgram(program, programArgs, { ...options, env: { ...env, ...options.env } });
  const succeed = async (program: string, programArgs: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(program, programArgs);
    if (code !== 0) throw new Error(`${programArgs.join(" ")}: exit code ${code}\n${stderr}${stdout}`);
    return stdout;
  };
  return {
    folder,
    url: /ready at (\S+)/.exec(ready)?.[1] ?? "",
    kubeconfig,
    client: createClient(transport, { fieldManager: "e2e" }),
    kubectl: (...programArgs) => succeed(clients.kubectl, programArgs),
    tryKubectl: (programArgs, options) => run(clients.kubectl, programArgs, options),
    helm: (...programArgs) => succeed(clients.helm, programArgs),
    run,
    startKubectl: (...programArgs) =>
      follow(spawn(clients.kubectl, programArgs, { env, stdio: ["ignore", "pipe", "pipe"] }), "kubectl"),
    async stop() {
      await transport.close();
      await follower.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions & { readonly env: Readonly<Record<string, string>> },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: options.env, cwd: root, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {}); // A program that does not read its input closes it.
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

function follow(child: ChildProcess, title: string): RunningProgram {
  let output = "";
  let errors = "";
  const waiters = new Set<() => void>();
  let isOver = false;
  const wake = (): void => {
    for (const waiter of [...waiters]) waiter();
  };
  const over = new Promise<void>((resolve) => {
    child.on("close", () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    wake();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return {
    get output() {
      return output;
    },
    outputMatching: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(output)) resolve(output);
          else if (isOver) reject(new Error(`${title} ended: ${errors}${output}`));
          else return;
          waiters.delete(look);
        };
        waiters.add(look);
        look();
      }),
    async stop() {
      child.kill("SIGTERM");
      await over;
    },
  };
}

/** The rows of a table that kubectl printed, without the head, each as its cells. */
export function rowsOf(table: string): string[][] {
  return table
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/\s{2,}/));
}
