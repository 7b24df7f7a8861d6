import type { Timer } from "@binnacle/base";
import type { Terminal } from "../terminal.ts";
import { type Address, addressLines, type Counts, type Progress, type Step } from "./progress.ts";

/** At most ten pictures a second. */
const REDRAW_MS = 100;

const TITLES: Readonly<Record<Step, string>> = {
  keys: "keys and certificates",
  store: "store",
  apiserver: "API server",
  components: "controllers, scheduler, nodes",
  manifests: "manifests",
};

/** A picture that is redrawn in place with plain ANSI sequences, only when something changed. */
export function createPicture(
  terminal: Terminal,
  cluster: { readonly name: string; readonly steps: readonly Step[] },
): Progress {
  const startedAt = terminal.clock.now();
  const finished = new Map<Step, string>();
  const details = new Map<Step, string>();
  let address: Address | undefined;
  let counts: Counts | undefined;
  let isStopping = false;
  let drawnLines = 0;
  let timer: Timer | undefined;

  const paint = (code: number, text: string): string =>
    terminal.hasColor ? `\x1b[${code}m${text}\x1b[0m` : text;
  const elapsed = (): string => `${Math.round(terminal.clock.now() - startedAt)} ms`;

  const lines = (): string[] => {
    const current = cluster.steps.find((step) => !finished.has(step));
    const steps = cluster.steps.map((step) => {
      const detail = finished.get(step) ?? details.get(step) ?? "";
      if (finished.has(step)) return `  ${paint(32, "✓")} ${TITLES[step]} ${paint(2, detail)}`;
      return `  ${step === current ? paint(33, "…") : paint(2, "·")} ${TITLES[step]} ${paint(2, detail)}`;
    });
    const running = counts === undefined || address === undefined ? [] : [`  ${describe(counts)}`];
    const end = isStopping
      ? ["", "stopping …"]
      : address === undefined
        ? []
        : [
            "",
            ...addressLines(address).trimEnd().split("\n"),
            "",
            ...running,
            paint(2, "  Ctrl-C stops the cluster; its state is kept."),
          ];
    return [paint(1, `binnacle: cluster ${JSON.stringify(cluster.name)}`), ...steps, ...end];
  };

  const draw = (): void => {
    timer?.cancel();
    timer = undefined;
    const next = lines();
    const up = drawnLines === 0 ? "" : `\x1b[${drawnLines}A\r\x1b[J`;
    terminal.out(`${up}${next.map((line) => shorten(line, terminal.columns)).join("\n")}\n`);
    drawnLines = next.length;
  };
  const changed = (): void => {
    timer ??= terminal.clock.setTimer(REDRAW_MS, draw);
  };
  draw();

  return {
    done(step, detail) {
      finished.set(step, [detail, elapsed()].filter((text) => text !== undefined).join(", "));
      draw();
    },
    detail(step, detail) {
      details.set(step, detail);
      changed();
    },
    ready(found) {
      address = found;
      draw();
    },
    counts(found) {
      counts = found;
      changed();
    },
    stopping() {
      isStopping = true;
      draw();
    },
    close() {
      if (timer !== undefined) draw();
    },
  };
}

function describe({ nodes, readyNodes, pods, runningPods, pendingPods }: Counts): string {
  const others = pods - runningPods - pendingPods;
  return [
    `nodes ${readyNodes}/${nodes} ready`,
    `pods ${runningPods} running${pendingPods > 0 ? `, ${pendingPods} pending` : ""}${others > 0 ? `, ${others} finished` : ""}`,
  ].join(" · ");
}

/** Cuts a line at the width of the terminal: a wrapped one would be counted wrongly. Addresses are never cut. */
function shorten(line: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that take no room.
  const visible = line.replace(/\x1b\[[0-9;]*m/g, "");
  if (visible.length < columns || /^(ready at|export) /.test(line)) return line;
  return `${visible.slice(0, Math.max(1, columns - 2))}…`;
}
