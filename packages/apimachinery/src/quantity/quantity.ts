import {
  compareAmounts,
  parseQuantity,
  type Quantity,
  QuantityError,
  roundUp,
  suffixFor,
} from "./parse-quantity.ts";

/** The canonical text of a quantity: no fraction, the largest suffix that loses nothing. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return "0";
  if (quantity.format === "BinarySI") {
    const binary = formatBinary(quantity);
    if (binary !== undefined) return binary;
  }
  return formatDecimal(quantity);
}

/** 1024 of a unit are one of the next; below 1024, and where a fraction would be lost, there is no binary form. */
function formatBinary(quantity: Quantity): string | undefined {
  const whole = roundUp(quantity, 0);
  const value = whole.unscaled * 10n ** BigInt(whole.scale);
  if (compareAmounts(whole, quantity) !== 0 || (value > -1024n && value < 1024n)) return undefined;
  let amount = value;
  let exponent = 0;
  while (exponent < 60 && amount % 1024n === 0n) {
    amount /= 1024n;
    exponent += 10;
  }
  return `${amount}${exponent === 0 ? "" : suffixFor(2, exponent)}`;
}

/** Exponents are multiples of three; beyond the largest suffix the digits grow. */
function formatDecimal({ unscaled, scale, format }: Quantity): string {
  let amount = unscaled;
  let exponent = scale;
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent++;
  }
  const isExponent = format === "DecimalExponent";
  const target = isExponent ? exponent : Math.min(exponent, 18);
  const multiple = Math.floor(target / 3) * 3;
  amount *= 10n ** BigInt(exponent - multiple);
  if (!isExponent) return `${amount}${suffixFor(10, multiple)}`;
  return multiple === 0 ? `${amount}` : `${amount}e${multiple}`;
}

/** What most manifests hold is canonical at a glance: up to 12 digits, no zeros to fold into the suffix. */
const PLAIN_DECIMAL = /^[1-9]\d{0,11}[mkMGTPE]?$/;
/** So are fewer than 1024 of a binary unit. */
const PLAIN_BINARY = /^[1-9]\d{0,2}[KMGT]i$/;

/** The canonical text of a quantity given as text. Throws {@link QuantityError}. */
export function canonicalizeQuantity(text: string): string {
  if (PLAIN_DECIMAL.test(text)) {
    if (!/000[mkMGTPE]?$/.test(text)) return text;
  } else if (text === "0" || PLAIN_BINARY.test(text)) return text;
  return formatQuantity(parseQuantity(text));
}

/** Whether the text is a quantity. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. Format does not matter. */
export function compareQuantities(a: string | Quantity, b: string | Quantity): number {
  return compareAmounts(asQuantity(a), asQuantity(b));
}

/** The sum, in the format of `a`, or of `b` when `a` is zero. */
export function addQuantities(a: string | Quantity, b: string | Quantity): Quantity {
  return combine(asQuantity(a), asQuantity(b), (x, y) => x + y);
}

/** The difference, in the format of `a`, or of `b` when `a` is zero. */
export function subtractQuantities(a: string | Quantity, b: string | Quantity): Quantity {
  return combine(asQuantity(a), asQuantity(b), (x, y) => x - y);
}

/** A whole number of units, as plain text prints it. */
export function quantityOf(value: number | bigint, format: Quantity["format"] = "DecimalSI"): Quantity {
  return { unscaled: BigInt(value), scale: 0, format };
}

/** A whole number of thousandths, such as CPU in millicores. */
export function quantityOfMillis(
  millis: number | bigint,
  format: Quantity["format"] = "DecimalSI",
): Quantity {
  return { unscaled: BigInt(millis), scale: -3, format };
}

/** The value as a number; large or very exact values lose digits. */
export function quantityToNumber(quantity: string | Quantity): number {
  const { unscaled, scale } = asQuantity(quantity);
  return scale >= 0 ? Number(unscaled * 10n ** BigInt(scale)) : Number(`${unscaled}e${scale}`);
}

/** The value in whole units, rounded away from zero. */
export function quantityToInteger(quantity: string | Quantity): bigint {
  const whole = roundUp(asQuantity(quantity), 0);
  return whole.unscaled * 10n ** BigInt(whole.scale);
}

/** The value in thousandths, rounded away from zero. */
export function quantityToMillis(quantity: string | Quantity): bigint {
  const milli = roundUp(asQuantity(quantity), -3);
  return milli.unscaled * 10n ** BigInt(milli.scale + 3);
}

/** -1, 0 or 1. */
export function quantitySign(quantity: string | Quantity): number {
  const { unscaled } = asQuantity(quantity);
  return unscaled > 0n ? 1 : unscaled < 0n ? -1 : 0;
}

/**
 * Rounds away from zero to steps of 10^scale and gives canonical text. Resource lists are rounded to thousandths
 * (scale -3) on their way in. Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList.
 */
export function roundUpQuantity(text: string, scale: number): string {
  return formatQuantity(roundUp(parseQuantity(text), scale));
}

function asQuantity(value: string | Quantity): Quantity {
  return typeof value === "string" ? parseQuantity(value) : value;
}

function combine(a: Quantity, b: Quantity, apply: (x: bigint, y: bigint) => bigint): Quantity {
  const scale = Math.min(a.scale, b.scale);
  const left = a.unscaled * 10n ** BigInt(a.scale - scale);
  const right = b.unscaled * 10n ** BigInt(b.scale - scale);
  return { unscaled: apply(left, right), scale, format: a.unscaled === 0n ? b.format : a.format };
}
