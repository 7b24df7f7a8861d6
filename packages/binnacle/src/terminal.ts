import type { Clock } from "@binnacle/base";

/** The surroundings of a command, as an argument: a test gives its own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person is watching: pictures are drawn for people, lines are printed for programs. */
  readonly isInteractive: boolean;
  /** Whether colours are welcome. */
  readonly hasColor: boolean;
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  /** The program and its first arguments, to start it again with others. */
  readonly self: readonly string[];
  /** Calls back for every SIGINT and SIGTERM until the result is called. */
  onInterrupt(callback: () => void): () => void;
  /** Asks a person; false without one. */
  confirm(question: string): Promise<boolean>;
  /** Ends the process at once. For a second interrupt only: nothing is written or closed. */
  abandon(exitCode: number): void;
  /** Tells the process that started this one with `--detach`; absent when there is none. */
  readonly tellParent?: (message: ParentMessage) => void;
}

/** What a detached cluster tells the command that started it, once. */
export type ParentMessage =
  | { readonly kind: "ready"; readonly url: string; readonly kubeconfig: string }
  | { readonly kind: "failed"; readonly message: string };

/** The width of a stream; 80 where there is none, or 0, as of a terminal that was never told its size. */
export function columnsOf(stream: { readonly columns?: number | undefined }): number {
  return stream.columns || 80;
}
