import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTarget } from "../bench/target.ts";

/** The recorded behaviour of a real API server. */
export const CORPUS = join(process.cwd(), "test/golden");

/** What became of one recorded scenario. */
export interface ScenarioResult {
  readonly name: string;
  readonly area: string;
  readonly group: string;
  /** Numbers of the counted steps that passed, and of those that failed. */
  readonly passed: readonly number[];
  readonly failed: readonly number[];
  /** What the checker said about the failures. */
  readonly report: string;
}

interface Scenario {
  readonly name: string;
  readonly area: string;
  readonly group: string;
  readonly steps: readonly { readonly setup?: boolean; readonly op?: string }[];
}

const ADMIN_TOKEN = "admin-token";
const USER_TOKEN = "user-token";

/** The scenarios of a group whose names contain a word. Throws when the corpus is missing. */
export function scenariosOf(group: string, word = ""): Scenario[] {
  if (!existsSync(join(CORPUS, "record.mjs"))) throw new Error(`the corpus is missing in ${CORPUS}`);
  const files = readdirSync(CORPUS).filter((name) => name.endsWith(".json"));
  const all = files.map((name) => JSON.parse(readFileSync(join(CORPUS, name), "utf8")) as Scenario); // The corpus' form.
  return all.filter((each) => each.group === group && each.name.includes(word));
}

/** Replays scenarios against a cluster of their own. */
export async function replay(
  scenarios: readonly Scenario[],
  options: {
    readonly flags: readonly string[];
    readonly jobs: number;
    readonly onScenario?: (name: string) => void;
  },
): Promise<ScenarioResult[]> {
  if (scenarios.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), "binnacle-golden-"));
  const tokens = join(folder, "tokens.csv");
  writeFileSync(
    tokens,
    `${ADMIN_TOKEN},admin,uid-admin,"system:masters"\n${USER_TOKEN},alice,uid-alice,"devs"\n`,
  );
  const target = await startTarget(["--token-auth-file", tokens, ...options.flags]);
  try {
    const output = await check(target.url, scenarios, options);
    return scenarios.map((scenario) => readResult(scenario, output));
  } finally {
    await target.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function check(
  url: string,
  scenarios: readonly Scenario[],
  options: { readonly jobs: number; readonly onScenario?: (name: string) => void },
): Promise<string> {
  const files = scenarios.map(({ name }) => `${name.replaceAll("/", ".")}.json`);
  const args = ["record.mjs", "--check", "--base", url, "--token", ADMIN_TOKEN, "--user-token", USER_TOKEN];
  const child = spawn(process.execPath, [...args, "--jobs", String(options.jobs), ...files], {
    cwd: CORPUS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      for (const [, name] of chunk.toString().matchAll(/^(?:PASS|FAIL) (\S+):/gm))
        options.onScenario?.(name!);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("error", reject);
    child.once("exit", () => resolve(output)); // The exit code says whether all passed, which the output tells better.
  });
}

function readResult(scenario: Scenario, output: string): ScenarioResult {
  const { name, area, group } = scenario;
  const counted = scenario.steps
    .map((step, index) => ({ step, number: index + 1 }))
    .filter(({ step }) => step.setup !== true && step.op !== "sleep" && step.op !== "webhook")
    .map(({ number }) => number);
  const start = output.search(new RegExp(`^(PASS|FAIL) ${name.replaceAll("/", "\\/")}:`, "m"));
  if (start < 0)
    return { name, area, group, passed: [], failed: counted, report: `${name}: the checker did not finish` };
  const rest = output.slice(start);
  const end = rest.slice(1).search(/^(PASS|FAIL) \S+:|^[0-9]+ scenarios$/m);
  const report = end < 0 ? rest : rest.slice(0, end + 1);
  const failed = [...report.matchAll(/^ {2}FAIL step ([0-9]+) /gm)].map(([, number]) => Number(number));
  return { name, area, group, passed: counted.filter((number) => !failed.includes(number)), failed, report };
}
