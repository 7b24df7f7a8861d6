/**
 * Counts the work that is under way, so that "nothing is left to do" can be observed instead of polled for.
 *
 * Whoever starts work (a request, a queued key, an undelivered event) calls `begin` and, when it is over, `end`,
 * exactly once each. Waiting for a timer is not work.
 */
export class Activity {
  #running = 0;
  #begun = 0;
  #waiters: (() => void)[] = [];

  /** How many pieces of work are under way. */
  get running(): number {
    return this.#running;
  }

  /** How many pieces have ever begun: tells whether anything happened between two looks. */
  get begun(): number {
    return this.#begun;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  begin(): void {
    this.#running++;
    this.#begun++;
  }

  end(): void {
    this.#running--;
    if (this.#running > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** Runs `work` as one piece of work. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  /** Resolves as soon as the count is zero; at once when it is now. New work may have begun when the caller runs. */
  whenIdle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }
}
