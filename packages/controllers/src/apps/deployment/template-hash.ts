import type { PodTemplateSpec } from "@binnacle/api";

/** The letters that hashes are spelled with. Source: kubernetes v1.36 apimachinery/pkg/util/rand/rand.go, alphanums. */
const LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/**
 * A short name for a template, safe in labels and names: equal templates have equal hashes. A collision count gives
 * the same template another one.
 *
 * Differs from upstream: Kubernetes hashes the memory dump of a Go struct; this hashes canonical JSON with the same
 * function (32-bit FNV-1a) and spelling. Nobody but the controller that made a hash compares it.
 */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  return hashText(canonicalJson(template) + (collisionCount === undefined ? "" : `#${collisionCount}`));
}

/** The 32-bit FNV-1a hash of a text in UTF-8, in decimal, spelled in safe letters. */
export function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193);
  }
  return [...String(hash >>> 0)].map((digit) => LETTERS[digit.charCodeAt(0) % LETTERS.length]).join("");
}

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const parts = Object.entries(value)
    .filter(([, property]) => property !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, property]) => `${JSON.stringify(key)}:${canonicalJson(property)}`);
  return `{${parts.join(",")}}`;
}
