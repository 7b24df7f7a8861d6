// Replays the recorded behaviour of a real API server: `npm run test:golden [-- --only WORD --update --details]`.
// Prints totals per area, and fails when a step that passed before (test/golden-passing.json) no longer does.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildFirst } from "./build-first.ts";
import { replay, type ScenarioResult, scenariosOf } from "./golden/replay.ts";
import { formatRanges, parseRanges } from "./golden/step-ranges.ts";
import { readFlags } from "./script-flags.ts";

const PASSING = join(process.cwd(), "test/golden-passing.json");

const GROUPS: readonly { group: string; components: readonly string[]; jobs: number }[] = [
  { group: "api", components: ["--components", "apiserver"], jobs: 24 },
  { group: "kcm", components: ["--components", "apiserver,controller-manager"], jobs: 8 },
];

const USAGE = `usage: npm run test:golden [-- --only WORD] [--scenarios] [--details] [--update] [--no-build]

  --only WORD   the scenarios whose names hold the word
  --scenarios   how many steps of each scenario pass and fail
  --details     what each failing step expected and got
  --update      write down what passes now, instead of failing for what was lost
  --no-build    test the command line as it was built last`;

async function main(): Promise<number> {
  const { values: flags } = readFlags(USAGE, {
    only: { type: "string", default: "" },
    scenarios: { type: "boolean", default: false },
    details: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  });
  if (!flags["no-build"]) buildFirst();
  const results: ScenarioResult[] = [];
  for (const { group, components, jobs } of GROUPS) {
    results.push(...(await replay(scenariosOf(group, flags.only), { flags: components, jobs })));
  }
  let lost = lostSteps(results);
  if (lost.length > 0 && !flags.update) {
    // Recorded waits are short; a busy machine deserves a second look, alone.
    const names = new Set(lost.map(({ name }) => name));
    for (const { group, components } of GROUPS) {
      const again = await replay(
        scenariosOf(group).filter(({ name }) => names.has(name)),
        { flags: components, jobs: 1 },
      );
      for (const result of again) results[results.findIndex(({ name }) => name === result.name)] = result;
    }
    lost = lostSteps(results);
  }
  if (flags.details)
    for (const { report, failed } of results) if (failed.length > 0) console.log(report.trimEnd());
  if (flags.scenarios)
    console.table(
      results.map(({ name, passed, failed }) => ({ name, passed: passed.length, failed: failed.length })),
    );
  printTotals(results);
  if (flags.update) {
    update(results);
    return 0;
  }
  for (const { name, step } of lost) console.error(`lost: ${name} step ${step} passed before and fails now`);
  const passed = results.reduce((sum, { passed }) => sum + passed.length, 0);
  console.log(`golden: ${passed} steps pass, ${lost.length} lost`);
  return lost.length === 0 && results.length > 0 ? 0 : 1;
}

function readPassing(): Record<string, string> {
  return existsSync(PASSING) ? (JSON.parse(readFileSync(PASSING, "utf8")) as Record<string, string>) : {};
}

function lostSteps(results: readonly ScenarioResult[]): { name: string; step: number }[] {
  const passing = readPassing();
  return results.flatMap(({ name, failed }) => {
    const before = new Set(parseRanges(passing[name] ?? ""));
    return failed.filter((step) => before.has(step)).map((step) => ({ name, step }));
  });
}

function update(results: readonly ScenarioResult[]): void {
  const passing = { ...readPassing() };
  for (const { name, passed } of results) passing[name] = formatRanges(passed);
  const sorted = Object.fromEntries(Object.entries(passing).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(PASSING, `${JSON.stringify(sorted, null, 2)}\n`);
}

function printTotals(results: readonly ScenarioResult[]): void {
  const areas = new Map<string, { passed: number; failed: number }>();
  for (const { area, passed, failed } of results) {
    for (const key of [area, "all"]) {
      const total = areas.get(key) ?? { passed: 0, failed: 0 };
      areas.set(key, { passed: total.passed + passed.length, failed: total.failed + failed.length });
    }
  }
  const rows = [...areas].map(([area, { passed, failed }]) => ({
    area,
    passed,
    failed,
    "%": ((100 * passed) / Math.max(1, passed + failed)).toFixed(1),
  }));
  console.table(rows);
}

process.exitCode = await main();
