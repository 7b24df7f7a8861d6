import { JsonFloat, parseJson } from "@binnacle/base";

/** Only numbers of so many digits may lose something in a double. */
const LONG_NUMBER = /[0-9]{16,}/;

/** Reads JSON as a client wants it: plain numbers, and bigint for integers that a number cannot hold exactly. */
export function readJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return withPlainFloats(parseJson(text).value);
}

/** A client does not care how a whole number was written. The value is private: it is changed in place. */
function withPlainFloats(value: unknown): unknown {
  if (value instanceof JsonFloat) return value.value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = withPlainFloats(value[i]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, property] of Object.entries(value)) {
      if (typeof property !== "object" || property === null) continue;
      const plain = withPlainFloats(property);
      if (plain !== property)
        Object.defineProperty(value, key, {
          value: plain,
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
  }
  return value;
}
