import { describe, expect, it } from "vitest";
import { parseQuantity } from "./parse-quantity.ts";
import {
  addQuantities,
  canonicalizeQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  quantityOfMillis,
  quantitySign,
  quantityToInteger,
  quantityToMillis,
  quantityToNumber,
  roundUpQuantity,
  subtractQuantities,
} from "./quantity.ts";

describe("canonicalizeQuantity", () => {
  // The first block was observed on a v1.36 API server.
  it.each([
    ["1", "1"],
    ["1000m", "1"],
    ["0.1", "100m"],
    ["1500m", "1500m"],
    ["1k", "1k"],
    ["1000", "1k"],
    ["1024", "1024"],
    ["1Ki", "1Ki"],
    ["1024Ki", "1Mi"],
    ["1.5Gi", "1536Mi"],
    ["0.5", "500m"],
    ["1e3", "1e3"],
    ["1E3", "1E3"],
    ["12e-3", "12e-3"],
    ["1000000Ki", "1000000Ki"],
    ["1M", "1M"],
    ["1Mi", "1Mi"],
    ["1048576", "1048576"],
    ["9223372036854775807", "9223372036854775807"],
    ["9223372036854775808", "9223372036854775808"],
    ["+5", "+5"],
    ["00", "0"],
    ["5.", "5."],
    [".5", "500m"],
    ["123456789012345678901", "123456789012345678901"],
    ["0", "0"],
    ["0Ki", "0"],
    ["-1", "-1"],
    ["-0.5", "-500m"],
    ["1.0000000001", "1000000001n"],
    ["0.0000000001", "1n"],
    ["0.5Ki", "512"],
    ["0.0001Ki", "102400u"],
    ["1000e0", "1e3"],
    ["10e2", "1e3"],
    ["1000k", "1M"],
    ["1000000000000000000000", "1000E"],
    ["16Ei", "9223372036854775807"],
    ["512Mi", "512Mi"],
    ["2048Mi", "2Gi"],
    ["100000m", "100"],
    ["Gi", "0"],
  ])("turns %s into %s", (text, canonical) => {
    expect(canonicalizeQuantity(text)).toBe(canonical);
  });

  it("leaves fewer than 1024 of a binary unit as they are, which is what formatting them gives", () => {
    for (const unit of ["Ki", "Mi", "Gi", "Ti"]) {
      for (let amount = 1; amount < 1024; amount++) {
        const { unscaled, scale, format } = parseQuantity(`${amount}${unit}`);
        expect(canonicalizeQuantity(`${amount}${unit}`)).toBe(formatQuantity({ unscaled, scale, format }));
      }
    }
  });

  it.each(["", "1KI", "abc", "1.2.3", "1 Gi", "1x"])("refuses the form of %j", (text) => {
    expect(() => canonicalizeQuantity(text)).toThrow(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  it.each(["1mi", "1e", "1Kii", "1k5", "--1", "Gi1"])("refuses the suffix of %j", (text) => {
    expect(() => canonicalizeQuantity(text)).toThrow("unable to parse quantity's suffix");
  });

  it("bounds the work of absurd exponents", () => {
    expect(isQuantity("1e999999999")).toBe(false);
    expect(isQuantity("1e300")).toBe(true);
  });

  it("gives text that stays as it is", () => {
    for (const text of ["1.5Gi", "1234567", "0.001", "3e7", "7n", "123456789Ki", "1.5", "-2000m"]) {
      const once = canonicalizeQuantity(text);
      expect(canonicalizeQuantity(once)).toBe(once);
      expect(compareQuantities(once, text)).toBe(0);
    }
  });
});

describe("arithmetic on quantities", () => {
  it.each([
    ["1", "1000m", 0],
    ["1Gi", "1G", 1],
    ["500m", "0.6", -1],
    ["-1", "0", -1],
  ])("compares %s with %s", (a, b, sign) => {
    expect(compareQuantities(a, b)).toBe(sign);
  });

  it("adds in the format of the first that is not zero", () => {
    expect(formatQuantity(addQuantities("512Mi", "512Mi"))).toBe("1Gi");
    expect(formatQuantity(addQuantities("0", "1Gi"))).toBe("1Gi");
    expect(formatQuantity(addQuantities("100m", "900m"))).toBe("1");
    expect(formatQuantity(subtractQuantities("1Gi", "512Mi"))).toBe("512Mi");
    expect(formatQuantity(subtractQuantities("100m", "1"))).toBe("-900m");
  });

  it("converts, rounding away from zero", () => {
    expect(quantityToNumber("1500m")).toBe(1.5);
    expect(quantityToInteger("1500m")).toBe(2n);
    expect(quantityToMillis("1u")).toBe(1n);
    expect(quantityToMillis("2")).toBe(2000n);
    expect(quantitySign("-1")).toBe(-1);
    expect(formatQuantity(quantityOfMillis(2500))).toBe("2500m");
    expect(parseQuantity("1Ki").unscaled).toBe(1024n);
  });

  it.each([
    ["1n", "1m"],
    ["1.0000000001", "1001m"],
    ["1500m", "1500m"],
    ["1Gi", "1Gi"],
  ])("rounds %s up to thousandths", (text, rounded) => {
    expect(roundUpQuantity(text, -3)).toBe(rounded);
  });
});
