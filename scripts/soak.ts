// Long tests with a seed: `npm run soak -- --help`.
import { createRealClock } from "@binnacle/base";
import { buildFirst } from "./build-first.ts";
import { readFlags, refuse, wholeNumber } from "./script-flags.ts";
import { runKill9 } from "./soak/kill9.ts";

const USAGE = `usage: npm run soak -- NAME [--seconds N] [--seed S] [--rounds 10] [--writes 20000]

  kill9         kills the server in the middle of many writes, again and again: every acknowledged one must be there

  --seconds N   go on for so long, whatever the number of rounds
  --seed S      repeats a run (default: by the time)
  --rounds N    how often (default 10)
  --writes N    how many writes are sent in a round (default 20,000)`;

const { values, positionals } = readFlags(
  USAGE,
  {
    seconds: { type: "string" },
    seed: { type: "string" },
    rounds: { type: "string", default: "10" },
    writes: { type: "string", default: "20000" },
  },
  { words: true },
);
if (positionals[0] !== "kill9" || positionals.length > 1) refuse(USAGE, "one NAME is needed");
const clock = createRealClock();
const number = (name: keyof typeof values): number | undefined => wholeNumber(USAGE, name, values[name]);
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
