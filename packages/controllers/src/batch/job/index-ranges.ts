/**
 * Sets of completion indexes as Jobs write them: `0,2-4,9`. Kept as sorted ranges, since a Job may have very many.
 *
 * Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, orderedIntervals.
 */
export type IndexRanges = readonly (readonly [first: number, last: number])[];

/** Reads ranges; indexes from `completions` on are left out. What does not read as a range is too. */
export function parseIndexes(text: string | undefined, completions: number): IndexRanges {
  const ranges: [number, number][] = [];
  for (const part of (text ?? "").split(",")) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? match[1]), completions - 1);
    if (first > last) continue;
    const previous = ranges.at(-1);
    if (previous !== undefined && previous[1] === first - 1) previous[1] = last;
    else ranges.push([first, last]);
  }
  return ranges;
}

/** Two neighbours are written `1,2`, more `1-3`. */
export function formatIndexes(ranges: IndexRanges): string {
  return ranges
    .map(([first, last]) =>
      first === last ? `${first}` : `${first}${last - first === 1 ? "," : "-"}${last}`,
    )
    .join(",");
}

export function countIndexes(ranges: IndexRanges): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

export function hasIndex(ranges: IndexRanges, index: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle]!;
    if (index < first) high = middle - 1;
    else if (index > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** The ranges with these indexes added. */
export function addIndexes(ranges: IndexRanges, indexes: Iterable<number>): IndexRanges {
  const added = [...new Set(indexes)].sort((a, b) => a - b).map((index): [number, number] => [index, index]);
  const merged: [number, number][] = [];
  const all = [...ranges.map(([first, last]): [number, number] => [first, last]), ...added].sort(
    (a, b) => a[0] - b[0],
  );
  for (const range of all) {
    const previous = merged.at(-1);
    if (previous !== undefined && range[0] <= previous[1] + 1) previous[1] = Math.max(previous[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

/** How many indexes are in both. */
export function countCommon(a: IndexRanges, b: IndexRanges): number {
  let count = 0;
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [aFirst, aLast] = a[i]!;
    const [bFirst, bLast] = b[j]!;
    count += Math.max(0, Math.min(aLast, bLast) - Math.max(aFirst, bFirst) + 1);
    if (aLast < bLast) i++;
    else j++;
  }
  return count;
}
