/** Writes step numbers as `1-4,6`. */
export function formatRanges(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j]! + 1) j++;
    ranges.push(i === j ? String(sorted[i]) : `${sorted[i]}-${sorted[j]}`);
    i = j + 1;
  }
  return ranges.join(",");
}

/** The inverse of {@link formatRanges}. */
export function parseRanges(text: string): number[] {
  return text
    .split(",")
    .filter((range) => range !== "")
    .flatMap((range) => {
      const [from = "", to = from] = range.split("-");
      return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i);
    });
}
