import type { JsonValue } from "@binnacle/base";
import { isJsonObject } from "./json-object.ts";

/** Gives the error for an item without its merge key. */
type Complain = (item: JsonValue, mergeKey: string) => Error;

/** What identifies an item: the value of its merge key, or itself when lists have none. Throws `complain`'s error. */
export function keyOf(item: JsonValue, mergeKey: string, complain: Complain): JsonValue {
  if (mergeKey === "") return item;
  if (!isJsonObject(item) || !Object.hasOwn(item, mergeKey)) throw complain(item, mergeKey);
  return item[mergeKey]!;
}

/**
 * Brings a merged list in order: items of `first` in its order, all others in the order of `live`, interleaved so
 * that an item not in `first` comes before the first one that it preceded in `live`.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/strategicpatch/patch.go, normalizeElementOrder and mergeSortedSlice.
 */
export function orderElements(
  items: readonly JsonValue[],
  first: readonly JsonValue[],
  live: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const firstPlaces = placesOf(first, mergeKey);
  const livePlaces = placesOf(live, mergeKey);
  const placeIn = (places: ReadonlyMap<JsonValue, number>, item: JsonValue): number | undefined =>
    places.get(looseKey(item, mergeKey));
  const patched: JsonValue[] = [];
  const others: JsonValue[] = [];
  for (const item of items) (placeIn(firstPlaces, item) === undefined ? others : patched).push(item);
  patched.sort((a, b) => placeIn(firstPlaces, a)! - placeIn(firstPlaces, b)!);
  others.sort((a, b) => (placeIn(livePlaces, a) ?? 0) - (placeIn(livePlaces, b) ?? 0));

  const ordered: JsonValue[] = [];
  let next = 0;
  for (const item of patched) {
    const place = placeIn(livePlaces, item);
    while (next < others.length && place !== undefined) {
      const other = placeIn(livePlaces, others[next]!);
      if (other === undefined || other >= place) break;
      ordered.push(others[next]!);
      next++;
    }
    ordered.push(item);
  }
  return [...ordered, ...others.slice(next)];
}

/** The first place of every key. */
function placesOf(items: readonly JsonValue[], mergeKey: string): Map<JsonValue, number> {
  const places = new Map<JsonValue, number>();
  items.forEach((item, place) => {
    const key = looseKey(item, mergeKey);
    if (!places.has(key)) places.set(key, place);
  });
  return places;
}

function looseKey(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === "") return item;
  return isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey]! : null;
}
