import type { Terminal } from "../terminal.ts";
import { createPicture } from "./picture.ts";

/** The steps of a start, in their order. */
export type Step = "keys" | "store" | "apiserver" | "components" | "manifests";

/** What a running cluster holds, as a person wants to see it. */
export interface Counts {
  readonly nodes: number;
  readonly readyNodes: number;
  readonly pods: number;
  readonly runningPods: number;
  readonly pendingPods: number;
}

/** Where to find the cluster. */
export interface Address {
  readonly url: string;
  readonly kubeconfig: string;
}

/** Shows how a cluster starts and what becomes of it. */
export interface Progress {
  /** A step is done. `detail` says how it went, in a few words. */
  done(step: Step, detail?: string): void;
  /** A step goes on; only a picture shows it. */
  detail(step: Step, detail: string): void;
  /** Everything asked for is done. */
  ready(address: Address): void;
  /** Only a picture shows them. */
  counts(counts: Counts): void;
  stopping(): void;
  /** Nothing more will be shown; leaves the terminal as it should be. */
  close(): void;
}

/** A picture for a person, lines for a program. */
export function createProgress(
  terminal: Terminal,
  cluster: { name: string; steps: readonly Step[] },
): Progress {
  return terminal.isInteractive ? createPicture(terminal, cluster) : createLines(terminal);
}

/** The last two lines, which scripts read. */
export function addressLines({ url, kubeconfig }: Address): string {
  return `ready at ${url}\nexport KUBECONFIG=${quoteForShell(kubeconfig)}\n`;
}

function createLines(terminal: Terminal): Progress {
  return {
    done(step, detail) {
      if (step === "manifests") terminal.out(`manifests: ${detail}\n`);
    },
    detail() {},
    ready: (address) => terminal.out(addressLines(address)),
    counts() {},
    stopping() {},
    close() {},
  };
}

/** As it is where a shell leaves it alone. */
function quoteForShell(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
