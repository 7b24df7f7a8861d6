/** The surroundings of a command, as an argument: a test gives its own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person is watching: pictures are drawn for people, lines are printed for programs. */
  readonly isInteractive: boolean;
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}
