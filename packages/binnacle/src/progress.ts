import type { StartStep } from "@binnacle/cluster";
import type { Terminal } from "./terminal.ts";

/** Tells how a start goes: a picture that is redrawn for a person, plain lines for a program. */
export interface Progress {
  step(step: StartStep): void;
  applied(what: string): void;
  done(cluster: { readonly url: string; readonly kubeconfig: string; readonly name: string }): void;
  fail(): void;
  stopping(): void;
}

const STEPS: readonly (readonly [step: StartStep, title: string])[] = [
  ["keys", "keys and certificates"],
  ["store", "store"],
  ["apiserver", "API server"],
  ["components", "controllers, scheduler, nodes"],
];

export function createProgress(terminal: Terminal): Progress {
  return terminal.isInteractive ? createPicture(terminal) : createLines(terminal);
}

function createLines(terminal: Terminal): Progress {
  return {
    step: () => {},
    applied: (what) => terminal.out(`applied ${what}\n`),
    done: ({ url, kubeconfig }) => terminal.out(`ready at ${url}\nexport KUBECONFIG=${kubeconfig}\n`),
    fail: () => {},
    stopping: () => terminal.out("stopping\n"),
  };
}

const GREEN = "\u001b[32m";
const DIM = "\u001b[2m";
const BOLD = "\u001b[1m";
const PLAIN = "\u001b[0m";

function createPicture(terminal: Terminal): Progress {
  const done = new Set<StartStep>();
  let lines = 0;
  let applied = 0;
  const draw = (): void => {
    const rows = STEPS.map(([step, title]) =>
      done.has(step) ? `${GREEN}✔${PLAIN} ${title}` : `${DIM}… ${title}${PLAIN}`,
    );
    if (applied > 0) rows.push(`${GREEN}✔${PLAIN} ${applied} manifests applied`);
    const up = lines > 0 ? `\u001b[${lines}A` : "";
    terminal.out(up + rows.map((row) => `\u001b[2K${row}\n`).join(""));
    lines = rows.length;
  };
  draw();
  return {
    step(step) {
      done.add(step);
      draw();
    },
    applied() {
      applied++;
      draw();
    },
    done({ url, kubeconfig }) {
      terminal.out(
        `\n${BOLD}ready at ${url}${PLAIN}\n\nIn another terminal:\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get nodes\n\nCtrl-C stops the cluster; its state is kept.\n`,
      );
    },
    fail: () => terminal.out("\n"),
    stopping: () => terminal.out("\nstopping …\n"),
  };
}
