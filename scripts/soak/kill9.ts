import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMaps } from "@binnacle/api";
import { isConflict, type KubeObject } from "@binnacle/apimachinery";
import { type Clock, createSeededRandom, type Random } from "@binnacle/base";
import {
  type Client,
  createClient,
  createHttpTransport,
  loadKubeconfig,
  serverConnection,
  type Transport,
} from "@binnacle/client";

export interface Kill9Options {
  readonly seed: number;
  readonly rounds: number;
  /** Over all rounds. */
  readonly writes: number;
  /** No round starts after this time. */
  readonly untilMs?: number;
  readonly clock: Clock;
  readonly report: (line: string) => void;
}

/** What must be true of a name: the last write that was acknowledged, and the one that was under way. */
interface Expected {
  readonly version: number;
  readonly sequence: number;
}

const CONNECTIONS = 16;
const NAMESPACE = "default";

/**
 * Writes from many connections, kills the server with SIGKILL in the middle, starts it again and checks that nothing
 * acknowledged is lost, that versions go up, and that a watch goes on from before the kill. Rejects with what is wrong.
 */
export async function runKill9(options: Kill9Options): Promise<{ rounds: number; acknowledged: number }> {
  const directory = await mkdtemp(join(tmpdir(), "binnacle-kill9-"));
  const random = createSeededRandom(options.seed);
  const expected = new Map<string, Expected>();
  const writesPerRound = Math.max(
    CONNECTIONS,
    Math.ceil(options.writes / Math.min(options.rounds, options.writes)),
  );
  let acknowledged = 0;
  let round = 0;
  let server = await startServer(directory);
  try {
    while (
      round < options.rounds &&
      (options.untilMs === undefined || options.clock.now() < options.untilMs)
    ) {
      round++;
      const before = await withClient(directory, options.clock, newestVersion);
      const count = await writeUntilKilled({
        server,
        directory,
        options,
        random,
        expected,
        round,
        writesPerRound,
      });
      acknowledged += count;
      server = await startServer(directory);
      await withClient(directory, options.clock, (client) => verify(client, expected, before));
      options.report(`round ${round}: ${count} acknowledged before the kill, ${expected.size} objects`);
    }
  } finally {
    server.kill("SIGTERM");
    await exitOf(server);
    await rm(directory, { recursive: true, force: true });
  }
  return { rounds: round, acknowledged };
}

/** Gives the number of acknowledged writes. */
async function writeUntilKilled(context: {
  readonly server: ChildProcess;
  readonly directory: string;
  readonly options: Kill9Options;
  readonly random: Random;
  readonly expected: Map<string, Expected>;
  readonly round: number;
  readonly writesPerRound: number;
}): Promise<number> {
  const { server, directory, options, random, expected, round, writesPerRound } = context;
  const connections: Transport[] = [];
  for (let i = 0; i < CONNECTIONS; i++) connections.push(await connect(directory, options.clock));
  const killAt = Math.floor(writesPerRound * (0.25 + 0.75 * random.next()));
  let count = 0;
  let isKilled = false;
  const write = async (transport: Transport, connection: number): Promise<void> => {
    const client = createClient(transport, { fieldManager: "soak" });
    const mine = [...expected.keys()].filter((name) => name.startsWith(`c${connection}-`));
    for (let i = 0; !isKilled; i++) {
      // One in three writes replaces an object of this connection, the others create one.
      const known = i % 3 === 2 ? mine[Math.floor(random.next() * mine.length)] : undefined;
      const name = known ?? `c${connection}-r${round}-${i}`;
      const sequence = (expected.get(name)?.sequence ?? 0) + 1;
      const stored = await writeOne(client, name, sequence, known === undefined);
      if (stored === undefined) return;
      if (known === undefined) mine.push(name);
      expected.set(name, { version: versionOf(stored), sequence });
      if (++count === killAt) {
        isKilled = true;
        server.kill("SIGKILL");
      }
    }
  };
  await Promise.all(connections.map(write));
  await exitOf(server);
  await Promise.all(connections.map((transport) => transport.close()));
  return count;
}

/** Undefined when the server was killed before it answered. */
async function writeOne(
  client: Client,
  name: string,
  sequence: number,
  isNew: boolean,
): Promise<KubeObject | undefined> {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: NAMESPACE },
    data: { sequence: String(sequence), filler: "x".repeat(200) },
  };
  try {
    return isNew ? await client.create(configMaps, object) : await client.update(configMaps, object);
  } catch (error) {
    if (isConflict(error)) throw error; // Nobody else writes these names.
    return undefined;
  }
}

async function verify(client: Client, expected: Map<string, Expected>, before: number): Promise<void> {
  const list = await client.listAll(configMaps, { namespace: NAMESPACE });
  const now = Number(list.metadata.resourceVersion);
  const stored = new Map(list.items.map((item) => [item.metadata.name ?? "", item]));
  const lost: string[] = [];
  for (const [name, { version, sequence }] of expected) {
    const object = stored.get(name);
    // A write that was under way may have been stored too; its answer was lost, not its data.
    const isKept = object !== undefined && versionOf(object) >= version && sequenceOf(object) >= sequence;
    if (!isKept) lost.push(`${name} at version ${version}`);
    if (version > now) throw new Error(`the version went back from ${version} to ${now}`);
  }
  if (lost.length > 0)
    throw new Error(`${lost.length} acknowledged writes are lost: ${lost.slice(0, 5).join(", ")}`);
  for (const [name, object] of stored) {
    if (/^c[0-9]+-r/.test(name))
      expected.set(name, { version: versionOf(object), sequence: sequenceOf(object) });
  }
  const probe = { metadata: { name: "probe", namespace: NAMESPACE } };
  const made = await client.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", ...probe });
  if (versionOf(made) <= now) throw new Error("a new write has no higher version");
  await verifyWatch(client, expected, before, versionOf(made));
  await client.delete(configMaps, { name: "probe", namespace: NAMESPACE });
}

/** A watch from before the kill sees every later version of every object, in order. */
async function verifyWatch(
  client: Client,
  expected: ReadonlyMap<string, Expected>,
  after: number,
  until: number,
): Promise<void> {
  const seen = new Map<string, number>();
  let last = after;
  await new Promise<void>((resolve, reject) => {
    const opened = client.watch(
      configMaps,
      { namespace: NAMESPACE, resourceVersion: String(after) },
      {
        onEvent({ type, object }) {
          if (type === "ERROR")
            return reject(new Error(`the watch from ${after} ended: ${JSON.stringify(object)}`));
          const item = object as KubeObject; // A ConfigMap.
          const version = versionOf(item);
          if (version <= last) return reject(new Error(`the watch gave ${version} after ${last}`));
          last = version;
          seen.set(item.metadata.name ?? "", version);
          if (version >= until) resolve();
        },
        onEnd: (error) => reject(error ?? new Error("the watch ended early")),
      },
    );
    opened.catch(reject);
  });
  for (const [name, { version }] of expected) {
    if (version > after && seen.get(name) !== version) {
      throw new Error(`the watch from ${after} did not show ${name} at ${version}`);
    }
  }
}

async function newestVersion(client: Client): Promise<number> {
  const list = await client.list(configMaps, { namespace: NAMESPACE, limit: 1 });
  return Number(list.metadata.resourceVersion);
}

function versionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion);
}

function sequenceOf(object: KubeObject): number {
  const { data } = object as { data?: { sequence?: string } }; // A ConfigMap that was written above.
  return Number(data?.sequence ?? 0);
}

async function connect(directory: string, clock: Clock): Promise<Transport> {
  const config = await loadKubeconfig([join(directory, "kubeconfig")]);
  return createHttpTransport(await serverConnection(config, { clock }), { clock });
}

async function withClient<T>(
  directory: string,
  clock: Clock,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const transport = await connect(directory, clock);
  try {
    return await use(createClient(transport));
  } finally {
    await transport.close();
  }
}

/** Resolves when the server is ready, on a directory whose last owner may have been killed. */
function startServer(directory: string): Promise<ChildProcess> {
  const program = join(process.cwd(), "packages/binnacle/dist/binnacle.mjs");
  if (!existsSync(program)) throw new Error("there is no build of the command line: npm run build");
  const args = ["up", "--secure-port", "0", "--data-dir", directory, "--components", "apiserver"];
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (/^export KUBECONFIG=/m.test(output)) resolve(child);
      });
    }
    child.once("exit", () => reject(new Error(`the server did not start: ${output}`)));
  });
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
