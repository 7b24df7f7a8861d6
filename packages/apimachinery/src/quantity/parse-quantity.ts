/**
 * Quantities: exact decimal numbers with a unit suffix, such as `100m`, `1.5Gi` or `1e3`.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go and suffix.go.
 */

/** The family of suffixes a quantity is written with. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** The number `unscaled × 10^scale`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Set when the text that was parsed counts as canonical already. */
  readonly text?: string;
}

/** Text that is not a quantity. The message is upstream's. */
export class QuantityError extends Error {
  override readonly name = "QuantityError";
}

const FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_WRONG = "unable to parse quantity's suffix";
const NUMERIC_WRONG = "unable to parse numeric part of quantity";

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map(
  [
    ["n", 10, -9],
    ["u", 10, -6],
    ["m", 10, -3],
    ["", 10, 0],
    ["k", 10, 3],
    ["M", 10, 6],
    ["G", 10, 9],
    ["T", 10, 12],
    ["P", 10, 15],
    ["E", 10, 18],
    ["Ki", 2, 10],
    ["Mi", 2, 20],
    ["Gi", 2, 30],
    ["Ti", 2, 40],
    ["Pi", 2, 50],
    ["Ei", 2, 60],
  ].map(([suffix, base, exponent]) => [
    suffix as string, // The literals above.
    { base, exponent, format: base === 2 ? "BinarySI" : "DecimalSI" } as Suffix,
  ]),
);

/** The suffix of a power, or undefined where none exists. */
export function suffixFor(base: 2 | 10, exponent: number): string | undefined {
  for (const [suffix, power] of SUFFIXES)
    if (power.base === base && power.exponent === exponent) return suffix;
  return undefined;
}

/** Smallest difference that is kept; what is smaller is rounded away from zero. */
const NANO = -9;
/** Digits that surely fit an int64. */
const INT64_DIGITS = 18;
const MAX_INT64 = 2n ** 63n - 1n;
/** Bounds the work that an absurd exponent causes. No quantity in use comes near. */
const MAX_EXPONENT = 5000;

/** Reads a quantity. Throws {@link QuantityError}. */
export function parseQuantity(text: string): Quantity {
  if (text === "") throw new QuantityError(FORMAT_WRONG);
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*(?:[-+]?\d*))$/.exec(text);
  if (match === null) throw new QuantityError(FORMAT_WRONG);
  const [, sign = "", integer = "", fraction = "", suffixText = ""] = match;
  if (suffixText === "" && /^0+$/.test(integer) && !text.includes(".")) {
    return { unscaled: 0n, scale: 0, format: "DecimalSI" };
  }
  const digits = integer.replace(/^0+/, "");
  const { base, exponent, format } = interpretSuffix(suffixText);
  const negative = sign === "-";
  if (isExact(digits.length || 1, fraction.length, base, exponent)) {
    const shifted = `${digits === "" ? "0" : digits}${fraction}`;
    const value = BigInt(shifted);
    const product = base === 2 ? value << BigInt(exponent) : value;
    const scale = (base === 2 ? 0 : exponent) - fraction.length;
    if (scale >= NANO && product <= MAX_INT64) {
      const unscaled = negative ? -product : product;
      const isCanonical =
        format === "BinarySI"
          ? (value & 7n) !== 0n
          : scale % 3 === 0 && !shifted.endsWith("000") && !shifted.startsWith("0");
      return isCanonical ? { unscaled, scale, format, text } : { unscaled, scale, format };
    }
  }
  return parseLong({ digits, fraction, negative, base, exponent, format });
}

/** Whether the number surely fits an int64 before its suffix is applied. */
function isExact(integerDigits: number, fractionDigits: number, base: 2 | 10, exponent: number): boolean {
  if (base === 10) return integerDigits + fractionDigits <= INT64_DIGITS;
  return fractionDigits === 0 && 15 - integerDigits - Math.floor((exponent * 3) / 10) - 1 >= 0;
}

interface Parts extends Suffix {
  readonly digits: string;
  readonly fraction: string;
  readonly negative: boolean;
}

function parseLong({ digits, fraction, negative, base, exponent, format }: Parts): Quantity {
  let unscaled = BigInt(`${digits}${fraction}` || "0");
  let scale = -fraction.length;
  if (base === 10) scale += exponent;
  else unscaled <<= BigInt(exponent);
  let amount: Quantity = { unscaled, scale, format };
  if (unscaled !== 0n) amount = roundUp(amount, NANO);
  if (format === "BinarySI") {
    if (compareAmounts(amount, { unscaled: MAX_INT64, scale: 0 }) > 0) {
      amount = { unscaled: MAX_INT64, scale: 0, format };
    }
    const isFraction = amount.unscaled > 0n && compareAmounts(amount, { unscaled: 1n, scale: 0 }) < 0;
    if (isFraction) amount = { ...amount, format: "DecimalSI" };
  }
  return negative ? { ...amount, unscaled: -amount.unscaled } : amount;
}

function interpretSuffix(suffix: string): Suffix {
  const known = SUFFIXES.get(suffix);
  if (known !== undefined) return known;
  if (/^[eE][-+]?\d+$/.test(suffix)) {
    const exponent = Number(suffix.slice(1));
    if (Math.abs(exponent) > MAX_EXPONENT) throw new QuantityError(NUMERIC_WRONG);
    return { base: 10, exponent, format: "DecimalExponent" };
  }
  throw new QuantityError(SUFFIX_WRONG);
}

type Amount = Pick<Quantity, "unscaled" | "scale">;

/** The quantity in steps of 10^scale, rounded away from zero. The same object when nothing is lost. */
export function roundUp(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  const divisor = 10n ** BigInt(scale - quantity.scale);
  const remainder = quantity.unscaled % divisor;
  let unscaled = quantity.unscaled / divisor;
  if (remainder !== 0n) unscaled += quantity.unscaled > 0n ? 1n : -1n;
  return { unscaled, scale, format: quantity.format };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareAmounts(a: Amount, b: Amount): number {
  const scale = Math.min(a.scale, b.scale);
  const left = a.unscaled * 10n ** BigInt(a.scale - scale);
  const right = b.unscaled * 10n ** BigInt(b.scale - scale);
  return left < right ? -1 : left > right ? 1 : 0;
}
