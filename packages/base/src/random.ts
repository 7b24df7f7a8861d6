/** The only file that reads the machine's randomness. Everything else takes a {@link Random} at construction. */
import { randomBytes } from "node:crypto";

/** Randomness as an argument. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A version 4 UUID in lower case. */
  uuid(): string;
  /** `length` bytes. Secret enough for keys only when the source is {@link createSystemRandom}. */
  bytes(length: number): Uint8Array;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes are drawn from the system in blocks of this size: one system call serves 256 uids. */
const POOL_BYTES = 4096;

/** Cryptographically strong randomness of the machine. */
export function createSystemRandom(): Random {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  const take = (length: number): Uint8Array => {
    if (length > POOL_BYTES) return randomBytes(length);
    if (used + length > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
  return {
    next: () => toFraction(take(6)),
    uuid: () => toUuid(take(16)),
    bytes: (length) => Uint8Array.from(take(length)),
  };
}

/** Repeatable randomness: the same seed gives the same sequence. Not for keys that must stay secret. */
export function createSeededRandom(seed: number): Random {
  // Source: the SplitMix32 generator, public domain (Sebastiano Vigna's SplitMix64 narrowed to 32 bits).
  let state = seed >>> 0;
  const next32 = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const bytes = (length: number): Uint8Array => {
    const out = new Uint8Array(length);
    for (let i = 0; i < length; i++) out[i] = next32() >>> 24;
    return out;
  };
  return { next: () => next32() / 2 ** 32, uuid: () => toUuid(bytes(16)), bytes };
}

/** The letters Kubernetes draws name suffixes from: no vowels and no look-alikes. */
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/**
 * `length` random letters that are safe in a name and spell no word.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go, String.
 */
export function randomSuffix(random: Random, length: number): string {
  let suffix = "";
  for (let i = 0; i < length; i++) {
    suffix += SUFFIX_LETTERS[Math.floor(random.next() * SUFFIX_LETTERS.length)];
  }
  return suffix;
}

function toFraction(bytes: Uint8Array): number {
  let value = 0;
  for (let i = 0; i < 6; i++) value = value * 256 + bytes[i]!;
  return value / 2 ** 48;
}

function toUuid(bytes: Uint8Array): string {
  const b = (i: number): string => HEX[bytes[i]!]!;
  const version = HEX[(bytes[6]! & 0x0f) | 0x40]!;
  const variant = HEX[(bytes[8]! & 0x3f) | 0x80]!;
  return `${b(0)}${b(1)}${b(2)}${b(3)}-${b(4)}${b(5)}-${version}${b(7)}-${variant}${b(9)}-${b(10)}${b(11)}${b(12)}${b(13)}${b(14)}${b(15)}`;
}
