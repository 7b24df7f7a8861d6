/** Something that was started and can be stopped. Stopping twice does nothing. */
export interface Stoppable {
  /** Resolves when everything it started is over. */
  stop(): Promise<void>;
}

/** Stops what was registered, last first, and reports every failure together. */
export class StopStack implements Stoppable {
  readonly #entries: (() => void | Promise<void>)[] = [];

  /** Registers what undoes the line before. */
  add(stop: () => void | Promise<void>): void {
    this.#entries.push(stop);
  }

  /** Registers something stoppable and returns it. */
  use<T extends Stoppable>(started: T): T {
    this.add(() => started.stop());
    return started;
  }

  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      try {
        await entry();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} parts failed to stop`);
  }
}
