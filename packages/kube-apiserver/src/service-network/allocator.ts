/** Hands out numbers of a range, each once. Starts looking at a place that `random` chooses, as upstream does. */
export class NumberAllocator {
  readonly #first: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  readonly #random: () => number;

  /** The numbers from `first` on, `size` of them. `random` gives a number in [0, 1). */
  constructor(range: { first: number; size: number }, random: () => number) {
    this.#first = range.first;
    this.#size = range.size;
    this.#random = random;
  }

  contains(number: number): boolean {
    return number >= this.#first && number < this.#first + this.#size;
  }

  has(number: number): boolean {
    return this.#used.has(number);
  }

  /** Takes a certain number. False when it is taken already. */
  take(number: number): boolean {
    if (this.#used.has(number)) return false;
    this.#used.add(number);
    return true;
  }

  /** Takes a free number; undefined when there is none. */
  takeAny(): number | undefined {
    if (this.#used.size >= this.#size) return undefined;
    const start = Math.floor(this.#random() * this.#size);
    for (let i = 0; i < this.#size; i++) {
      const number = this.#first + ((start + i) % this.#size);
      if (!this.#used.has(number)) {
        this.#used.add(number);
        return number;
      }
    }
    return undefined;
  }

  release(number: number): void {
    this.#used.delete(number);
  }
}
