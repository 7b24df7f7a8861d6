/** An index list that cannot be read; the message is what the API reports. */
export class IndexListError extends Error {}

type Interval = readonly [first: number, last: number];

/**
 * How many indexes a list such as `1,3-5,7` names. Throws {@link IndexListError}.
 *
 * Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateIndexesFormat.
 */
export function countIndexes(list: string, completions: number): number {
  if (list === "") return 0;
  let last: number | undefined;
  let total = 0;
  for (const text of list.split(",")) {
    const [from, to] = parseInterval(text, completions);
    if (last !== undefined && last >= from) {
      throw new IndexListError(`non-increasing order, previous: ${last}, current: ${from}`);
    }
    total += to - from + 1;
    last = to;
  }
  return total;
}

function parseInterval(text: string, completions: number): Interval {
  const parts = text.split("-");
  if (parts.length > 2) {
    throw new IndexListError(
      `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  }
  const from = parseIndex(parts[0] ?? "", completions);
  if (parts[1] === undefined) return [from, from];
  const to = parseIndex(parts[1], completions);
  if (from >= to) throw new IndexListError(`non-increasing order, previous: ${from}, current: ${to}`);
  return [from, to];
}

function parseIndex(text: string, completions: number): number {
  const shown = JSON.stringify(text);
  if (!/^[+-]?\d+$/.test(text)) {
    throw new IndexListError(`cannot convert string to integer for index: ${shown}`);
  }
  if (Number(text) >= completions) throw new IndexListError(`too large index: ${shown}`);
  return Number(text);
}

/** The first index in both lists; intervals that cannot be read are passed over. Both lists are in order. */
export function firstCommonIndex(a: string, b: string, completions: number): number | undefined {
  const left = readable(a, completions);
  const right = readable(b, completions);
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const [aFrom, aTo] = left[i]!;
    const [bFrom, bTo] = right[j]!;
    if (aFrom <= bTo && bFrom <= aTo) return Math.max(aFrom, bFrom);
    if (aFrom <= bFrom) i++;
    else j++;
  }
  return undefined;
}

function readable(list: string, completions: number): Interval[] {
  if (list === "") return [];
  return list.split(",").flatMap((text) => {
    try {
      return [parseInterval(text, completions)];
    } catch (error) {
      if (error instanceof IndexListError) return [];
      throw error;
    }
  });
}
