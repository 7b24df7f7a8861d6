import { BugError } from "@binnacle/base";

/** Addresses of the pods on one node, out of the node's range: the first is the node's own, the last is for all. */
export class PodAddresses {
  readonly #prefix: string;
  readonly #byPod = new Map<string, number>();
  readonly #used = new Set<number>();
  #next = 2;

  /** `cidr` is a /24, such as `10.244.3.0/24`. */
  constructor(cidr: string) {
    const match = /^([0-9]+\.[0-9]+\.[0-9]+)\.0\/24$/.exec(cidr);
    if (match === null) throw new BugError(`${cidr} is not a /24`);
    this.#prefix = match[1]!;
  }

  /** The address of a pod; the same one each time. Undefined when the range is used up. */
  of(uid: string): string | undefined {
    const known = this.#byPod.get(uid);
    if (known !== undefined) return `${this.#prefix}.${known}`;
    for (let i = 0; i < 253; i++) {
      const host = 2 + ((this.#next - 2 + i) % 253);
      if (this.#used.has(host)) continue;
      this.#next = host + 1;
      this.#take(uid, host);
      return `${this.#prefix}.${host}`;
    }
    return undefined;
  }

  /** Takes over the address a pod had before this program started. */
  restore(uid: string, address: string): void {
    if (!address.startsWith(`${this.#prefix}.`)) return;
    this.#take(uid, Number(address.slice(this.#prefix.length + 1)));
  }

  release(uid: string): void {
    const host = this.#byPod.get(uid);
    if (host === undefined) return;
    this.#byPod.delete(uid);
    this.#used.delete(host);
  }

  #take(uid: string, host: number): void {
    this.#byPod.set(uid, host);
    this.#used.add(host);
  }
}
