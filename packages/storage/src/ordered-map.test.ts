import { createSeededRandom } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { OrderedMap } from "./ordered-map.ts";

describe("OrderedMap", () => {
  it.each([1, 2, 3])("agrees with a sorted array over a random history (seed %i)", (seed) => {
    const random = createSeededRandom(seed);
    const model = new Map<string, number>();
    let map = OrderedMap.empty<number>();
    for (let step = 0; step < 5_000; step++) {
      const key = `key-${Math.floor(random.next() * 800)}`;
      if (random.next() < 0.6) {
        model.set(key, step);
        map = map.set(key, step);
      } else {
        model.delete(key);
        map = map.delete(key);
      }
    }
    const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
    const actual: [string, number][] = [];
    map.forEachFrom("", (key, value) => actual.push([key, value]) > 0);
    expect(actual).toEqual(expected);
    expect(map.size).toBe(expected.length);
    for (let i = 0; i < expected.length; i++) {
      expect(map.rank(expected[i]![0])).toBe(i);
      expect(map.get(expected[i]![0])).toBe(expected[i]![1]);
    }
  });

  it("leaves earlier versions untouched", () => {
    let map = OrderedMap.empty<number>();
    for (let i = 0; i < 500; i++) map = map.set(`k${i}`, i);
    const before = map;
    for (let i = 0; i < 500; i += 2) map = map.delete(`k${i}`).set(`k${i + 1}`, -1);
    expect([before.size, before.get("k100"), before.get("k101")]).toEqual([500, 100, 101]);
    expect([map.size, map.get("k100"), map.get("k101")]).toEqual([250, undefined, -1]);
  });
});
