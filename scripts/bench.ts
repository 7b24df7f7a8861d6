// Measures a cluster from a separate process and compares it with a plain Node server answering the same bytes:
// `npm run bench`. Prints a table of medians with their budgets; --help says what else.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { Connection, rate } from "./bench/connection.ts";
import { pod } from "./bench/pod.ts";
import { generateReferenceCertificate } from "./bench/reference-certificate.ts";
import { residentMiB, startTarget, stopChild, type Target, waitForLine } from "./bench/target.ts";
import { buildFirst } from "./build-first.ts";
import { readFlags, refuse, wholeNumber } from "./script-flags.ts";

const USAGE = `usage: npm run bench [-- --runs N] [--only WORD] [--quick] [--json FILE]

  --runs N      how often each figure is measured; the median counts (default 5)
  --only WORD   the rows whose names hold the word
  --quick       one run of a fraction of the requests, to see that everything works
  --json FILE   also write every value to this file`;

const { values: flags } = readFlags(USAGE, {
  runs: { type: "string" },
  only: { type: "string", default: "" },
  quick: { type: "boolean", default: false },
  json: { type: "string" },
});
const { only, quick: isQuick } = flags;
const runs = wholeNumber(USAGE, "runs", flags.runs) ?? (isQuick ? 1 : 5);
if (runs < 1) refuse(USAGE, "--runs takes a number from 1");

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly values: number[];
  readonly reference?: number[];
  /** Absolute bound: at least for rates, at most for times and sizes. */
  readonly budget: string;
  readonly ratioBudget?: string;
}

const rows: Row[] = [];
const wants = (what: string): boolean => what.includes(only);

async function benchStart(): Promise<void> {
  const first: number[] = [];
  const later: number[] = [];
  for (let run = 0; run < runs; run++) {
    const directory = await mkdtemp(join(tmpdir(), "binnacle-bench-"));
    const fresh = await startTarget([], directory);
    first.push(fresh.startMs);
    await fresh.stop();
    const again = await startTarget([], directory);
    later.push(again.startMs);
    await again.stop();
    await rm(directory, { recursive: true, force: true });
  }
  rows.push({ what: "start, very first", unit: "ms", values: first, budget: "<= 700" });
  rows.push({ what: "start, later", unit: "ms", values: later, budget: "<= 400" });
}

async function benchMemory(): Promise<void> {
  const target = await startTarget([]);
  await new Promise((resolve) => setTimeout(resolve, 5_000)); // Start-up garbage is collected meanwhile.
  rows.push({ what: "memory, idle", unit: "MiB", values: [residentMiB(target.pid)], budget: "<= 120" });
  await target.stop();
}

async function benchRequests(): Promise<void> {
  const names = ["create", "get", "list", "merge patch", "apply", "status patch", "delete"];
  if (!names.some(wants)) return;
  const results = new Map<string, number[]>();
  const add = (what: string, value: number): void =>
    void results.set(what, [...(results.get(what) ?? []), value]);
  const total = isQuick ? 1_000 : 4_000;
  let one = "";
  let listBytes = 0;
  for (let run = 0; run < runs; run++) {
    const target = await startTarget(["--components", "apiserver"]);
    try {
      const setup = await Connection.open(target);
      await setup.send(
        "POST",
        "/api/v1/namespaces/default/serviceaccounts",
        JSON.stringify({ metadata: { name: "default" } }),
      );
      await warmUp(target);
      for (const clients of [1, 16, 64]) {
        const count = clients === 1 ? total / 4 : total;
        const base = `/api/v1/namespaces/default/pods`;
        const name = (index: number): string => `c${clients}-${index}`;
        add(
          `create, ${clients} clients`,
          await rate(target, clients, count, (c, i) => c.send("POST", base, pod(name(i), "default"))),
        );
        add(
          `get, ${clients} clients`,
          await rate(target, clients, count * 2, (c, i) => c.send("GET", `${base}/${name(i % count)}`)),
        );
        one = (await setup.read(`${base}/${name(0)}`)).toString();
        add(
          `merge patch, ${clients} clients`,
          await rate(target, clients, count, (c, i) =>
            c.send(
              "PATCH",
              `${base}/${name(i)}`,
              `{"metadata":{"labels":{"step":"${i}"}}}`,
              "application/merge-patch+json",
            ),
          ),
        );
        add(
          `apply, ${clients} clients`,
          await rate(target, clients, count, (c, i) =>
            c.send(
              "PATCH",
              `${base}/${name(i)}?fieldManager=bench-apply&force=true`,
              JSON.stringify({
                apiVersion: "v1",
                kind: "Pod",
                metadata: { name: name(i), annotations: { "example.com/applied": String(i) } },
              }),
              "application/apply-patch+yaml",
            ),
          ),
        );
        add(
          `status patch, ${clients} clients`,
          await rate(target, clients, count, (c, i) =>
            c.send(
              "PATCH",
              `${base}/${name(i)}/status`,
              `{"status":{"message":"at ${i}"}}`,
              "application/merge-patch+json",
            ),
          ),
        );
        add(
          `delete, ${clients} clients`,
          await rate(target, clients, count, (c, i) => c.send("DELETE", `${base}/${name(i)}`)),
        );
      }
      await rate(target, 16, 3_000, (c, i) =>
        c.send("POST", "/api/v1/namespaces/default/pods", largePod(`l-${i}`)),
      );
      const listed = await timeOfList(setup, "/api/v1/namespaces/default/pods");
      add("list 3,000 pods", listed.ms);
      add("list MB", listed.bytes / 1e6);
      listBytes = listed.bytes;
      setup.close();
    } finally {
      await target.stop();
    }
  }
  const reference = await measureReference(one, listBytes);
  const budgets: Record<string, string> = {
    create: ">= 2000",
    get: ">= 7500",
    "merge patch": ">= 2000",
    apply: ">= 1500",
    "status patch": ">= 2000",
    delete: ">= 2000",
  };
  for (const [what, values] of results) {
    if (what === "list MB" || !wants(what)) continue;
    const [kind = "", clients] = what.split(", ");
    if (what === "list 3,000 pods") {
      rows.push({
        what: `${what} (${median(results.get("list MB") ?? []).toFixed(1)} MB)`,
        unit: "ms",
        values,
        reference: reference.list,
        budget: "<= 40",
        ratioBudget: "<= 1.6",
      });
    } else if (kind === "get") {
      rows.push({
        what,
        unit: "/s",
        values,
        reference: reference.gets.get(clients ?? "") ?? [],
        budget: clients === "16 clients" ? ">= 7500" : "",
        ratioBudget: clients === "16 clients" ? ">= 0.55" : "",
      });
    } else {
      rows.push({ what, unit: "/s", values, budget: clients === "16 clients" ? (budgets[kind] ?? "") : "" });
    }
  }
}

/** Rates are those of a server that has been at work for some seconds: until then the engine compiles. */
async function warmUp(target: Target): Promise<void> {
  const path = "/api/v1/namespaces/default/pods";
  const count = isQuick ? 500 : 3_000;
  const merge = "application/merge-patch+json";
  await rate(target, 16, count, (c, i) => c.send("POST", path, pod(`warm-${i}`, "default")));
  await rate(target, 16, count, (c, i) => c.send("GET", `${path}/warm-${i}`));
  await rate(target, 16, count, (c, i) =>
    c.send("PATCH", `${path}/warm-${i}`, `{"metadata":{"labels":{"step":"${i}"}}}`, merge),
  );
  await rate(target, 16, count, (c, i) => c.send("DELETE", `${path}/warm-${i}`));
}

/** Makes a list of 3,000 as large as the budget says: 9.4 MB. */
const LARGE_POD_PADDING = 670;

function largePod(name: string): string {
  const object = JSON.parse(pod(name, "default")) as { metadata: { annotations: Record<string, string> } };
  object.metadata.annotations["example.com/padding"] = "y".repeat(LARGE_POD_PADDING);
  return JSON.stringify(object);
}

/** How long one list takes once this process reads at its full speed: the median of five after ten. */
async function timeOfList(connection: Connection, path: string): Promise<{ ms: number; bytes: number }> {
  let bytes = 0;
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const started = performance.now();
    ({ bytes } = await connection.send("GET", path));
    if (i >= 10) times.push(performance.now() - started);
  }
  return { ms: median(times), bytes };
}

/** The plain server on the same bytes: an object as `one` and a list of `listBytes`. */
async function measureReference(
  one: string,
  listBytes: number,
): Promise<{ gets: Map<string, number[]>; list: number[] }> {
  const reference = await startReference(one, listBytes);
  const gets = new Map<string, number[]>();
  await rate(reference, 8, 2_000, (c) => c.send("GET", "/one"));
  for (let run = 0; run < runs; run++) {
    for (const clients of [1, 16, 64]) {
      const value = await rate(reference, clients, clients === 1 ? 2_000 : 8_000, (c) =>
        c.send("GET", "/one"),
      );
      gets.set(`${clients} clients`, [...(gets.get(`${clients} clients`) ?? []), value]);
    }
  }
  const connection = await Connection.open(reference);
  const list: number[] = [];
  for (let run = 0; run < runs; run++) list.push((await timeOfList(connection, "/list")).ms);
  connection.close();
  await reference.stop();
  return { gets, list };
}

async function startReference(
  one: string,
  listBytes: number,
): Promise<Pick<Target, "url" | "ca" | "cert" | "key" | "stop">> {
  const outfile = join(process.cwd(), "node_modules/.cache/reference-server.mjs");
  buildSync({
    entryPoints: ["scripts/bench/reference-server.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const pair = await generateReferenceCertificate();
  const child = spawn(process.execPath, [outfile], {
    env: {
      ...process.env,
      BENCH_REFERENCE: JSON.stringify({ cert: pair.certificate, key: pair.privateKey, one, listBytes }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await waitForLine(child, /listening ([0-9]+)/);
  const port = /listening ([0-9]+)/.exec(output)?.[1];
  return {
    url: `https://127.0.0.1:${port}`,
    ca: pair.ca,
    cert: pair.clientCertificate,
    key: pair.clientKey,
    stop: () => stopChild(child),
  };
}

async function benchWatch(): Promise<void> {
  for (const watchers of [100, 1_000]) {
    const values: number[] = [];
    const p99: number[] = [];
    const plain: number[] = [];
    for (let run = 0; run < runs; run++) {
      const result = await fanOut(watchers);
      values.push(result.rate);
      p99.push(result.p99);
      plain.push(await plainFanOut(watchers, result.event));
    }
    const isMain = watchers === 1_000;
    rows.push({
      what: `watch fan-out to ${watchers}`,
      unit: "events/s",
      values,
      reference: plain,
      budget: isMain ? ">= 60000" : "",
      ratioBudget: isMain ? ">= 0.8" : "",
    });
    rows.push({
      what: `watch fan-out to ${watchers}, p99`,
      unit: "ms",
      values: p99,
      budget: isMain ? "<= 100" : "",
    });
  }
}

const CONNECTIONS = 20;

/** Makes events as large as the budget says: 1.5 KB. */
const EVENT_FILLER = 1_110;

async function fanOut(watchers: number): Promise<{ rate: number; p99: number; event: string }> {
  const target = await startTarget(["--components", "apiserver"]);
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(target)));
  const writer = await Connection.open(target);
  const path = "/api/v1/namespaces/default/configmaps";
  const filler = "x".repeat(EVENT_FILLER);
  const object = (i: number): string => JSON.stringify({ metadata: { name: `e-${i}` }, data: { filler } });
  await writer.send("POST", path, object(0));
  const counter = new EventCounter();
  await Promise.all(
    Array.from({ length: watchers }, (_, i) =>
      connections[i % CONNECTIONS]!.stream(`${path}?watch=1`, counter.watcher()),
    ),
  );
  await counter.reached(watchers); // The initial state of each.
  const event = counter.sample;
  counter.reset();
  const events = Math.max(20, Math.floor((isQuick ? 20_000 : 120_000) / watchers));
  const started = performance.now();
  const latencies: number[] = [];
  await pump(events, watchers, counter, (i) => writer.send("POST", path, object(i)));
  await counter.reached(events * watchers);
  const seconds = (performance.now() - started) / 1_000;
  latencies.push(...counter.latencies);
  for (const connection of [...connections, writer]) connection.close();
  await target.stop();
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  return { rate: (events * watchers) / seconds, p99, event };
}

/** Writes events from four writers, never more than twenty ahead of what all watchers have seen. */
async function pump(
  events: number,
  watchers: number,
  counter: EventCounter,
  write: (event: number) => Promise<unknown>,
): Promise<void> {
  let next = 1;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = next++; i <= events; i = next++) {
        await counter.reached((i - 20) * watchers);
        counter.note(i, performance.now());
        await write(i);
      }
    }),
  );
}

/** The plain server sending the same event to as many streams. */
async function plainFanOut(watchers: number, event: string): Promise<number> {
  const reference = await startReference(event, 0);
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(reference)),
  );
  const writer = await Connection.open(reference);
  const counter = new EventCounter();
  await Promise.all(
    Array.from({ length: watchers }, (_, i) =>
      connections[i % CONNECTIONS]!.stream("/watch", counter.watcher()),
    ),
  );
  const events = Math.max(20, Math.floor((isQuick ? 20_000 : 120_000) / watchers));
  const started = performance.now();
  await pump(events, watchers, counter, () => writer.send("POST", "/event", "{}"));
  await counter.reached(events * watchers);
  const seconds = (performance.now() - started) / 1_000;
  for (const connection of [...connections, writer]) connection.close();
  await reference.stop();
  return (events * watchers) / seconds;
}

/** Counts newline-ended events over all watchers, and how long each event took to reach the first and last of them. */
class EventCounter {
  #count = 0;
  #waiters: { at: number; wake: () => void }[] = [];
  readonly #sentAt = new Map<number, number>();
  readonly latencies: number[] = [];
  /** A whole event as it came. */
  sample = "";

  watcher(): (chunk: Buffer) => void {
    let seen = 0;
    return (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
        if (this.sample === "") this.sample = chunk.toString("utf8", 0, at + 1);
        seen++;
        this.#count++;
        const sent = this.#sentAt.get(seen - 1);
        if (sent !== undefined) this.latencies.push(performance.now() - sent);
      }
      if (this.#waiters.length === 0) return;
      const due = this.#waiters.filter(({ at }) => this.#count >= at);
      if (due.length === 0) return;
      this.#waiters = this.#waiters.filter(({ at }) => this.#count < at);
      for (const { wake } of due) wake();
    };
  }

  note(event: number, atMs: number): void {
    this.#sentAt.set(event, atMs);
  }

  reset(): void {
    this.#count = 0;
  }

  reached(count: number): Promise<void> {
    if (this.#count >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push({ at: count, wake: resolve });
    });
  }
}

async function benchPodsRunning(): Promise<void> {
  const values: number[] = [];
  const count = isQuick ? 200 : 2_000;
  for (let run = 0; run < runs; run++) {
    const target = await startTarget(["--nodes", "100"]);
    const connection = await Connection.open(target);
    let running = 0;
    let awaited = Number.POSITIVE_INFINITY;
    let wake: () => void = () => {};
    let rest = "";
    await connection.stream(
      "/api/v1/namespaces/default/pods?watch=1&fieldSelector=status.phase%3DRunning",
      (chunk) => {
        const lines = (rest + chunk.toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith('{"type":"ADDED"')) running++;
        if (running >= awaited) wake();
      },
    );
    const path = "/api/v1/namespaces/default/pods";
    const run = async (prefix: string, pods: number): Promise<number> => {
      const started = performance.now();
      const done = new Promise<void>((resolve) => {
        awaited = running + pods;
        wake = resolve;
      });
      await rate(target, 16, pods, (c, i) => c.send("POST", path, pod(`${prefix}-${i}`, "default")));
      await done;
      return pods / ((performance.now() - started) / 1_000);
    };
    await run("warm", count / 2);
    values.push(await run("r", count));
    connection.close();
    await target.stop();
  }
  rows.push({ what: "pods created to Running, 100 nodes", unit: "/s", values, budget: ">= 500" });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(): void {
  const table = rows.map((row) => {
    const value = median(row.values);
    const reference = row.reference === undefined ? undefined : median(row.reference);
    const ratio = reference === undefined ? undefined : value / reference;
    return {
      what: row.what,
      median: `${format(value)} ${row.unit}`,
      "min..max": `${format(Math.min(...row.values))}..${format(Math.max(...row.values))}`,
      budget: row.budget,
      ok: holds(row.budget, value),
      reference: reference === undefined ? "" : format(reference),
      ratio: ratio === undefined ? "" : ratio.toFixed(2),
      "ratio budget": row.ratioBudget ?? "",
      "ratio ok": ratio === undefined ? "" : holds(row.ratioBudget ?? "", ratio),
    };
  });
  console.table(table);
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify({ runs, rows }, null, 2)}\n`);
}

function holds(budget: string, value: number): string {
  const [sign, bound] = budget.split(" ");
  if (sign === undefined || bound === undefined) return "";
  return (sign === ">=" ? value >= Number(bound) : value <= Number(bound)) ? "yes" : "NO";
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toString() : value.toFixed(1);
}

buildFirst();
if (wants("start")) await benchStart();
if (wants("memory")) await benchMemory();
await benchRequests();
if (wants("watch")) await benchWatch();
if (wants("pods running")) await benchPodsRunning();
report();
