// Long tests with a seed: `npm run soak -- kill9 [--seconds N] [--seed S] [--rounds 10] [--writes 20000]`.
import { parseArgs } from "node:util";
import { createRealClock } from "@binnacle/base";
import { buildFirst } from "./build-first.ts";
import { runKill9 } from "./soak/kill9.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string" },
    seed: { type: "string" },
    rounds: { type: "string", default: "10" },
    writes: { type: "string", default: "20000" },
  },
});
if (positionals[0] !== "kill9" || positionals.length > 1) {
  console.error("usage: npm run soak -- kill9 [--seconds N] [--seed S] [--rounds 10] [--writes 20000]");
  process.exit(2);
}
const clock = createRealClock();
const number = (name: "seconds" | "seed" | "rounds" | "writes"): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^[0-9]+$/.test(text)) throw new Error(`--${name}: ${JSON.stringify(text)} is not a whole number`);
  return Number(text);
};
const seed = number("seed") ?? clock.now() % 1_000_000;
console.log(`seed ${seed}`);
buildFirst();
const seconds = number("seconds");
const summary = await runKill9({
  seed,
  rounds: seconds === undefined ? (number("rounds") ?? 10) : Number.POSITIVE_INFINITY,
  writes: number("writes") ?? 20_000,
  ...(seconds === undefined ? {} : { untilMs: clock.now() + seconds * 1_000 }),
  clock,
  report: (line) => console.log(line),
});
console.log(`kill9: ${summary.rounds} rounds, ${summary.acknowledged} acknowledged writes, none lost`);
