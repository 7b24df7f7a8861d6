/** How much of what is equal is shown around a change. */
const CONTEXT = 3;

/**
 * What changed between two texts, as unified hunks without file names: how some messages show an update.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/diff, Diff (unified, three lines of context).
 */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split("\n");
  const b = after.split("\n");
  const edits = editScript(a, b);
  const changed = edits.flatMap(({ sign }, i) => (sign === " " ? [] : [i]));
  let text = "";
  for (let i = 0; i < changed.length; ) {
    const start = Math.max(0, changed[i]! - CONTEXT);
    let last = changed[i]!;
    while (i < changed.length && changed[i]! - last <= 2 * CONTEXT + 1) last = changed[i++]!;
    const end = Math.min(edits.length, last + CONTEXT + 1);
    text += hunk(edits, start, end);
  }
  return text;
}

interface Edit {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

function hunk(edits: readonly Edit[], start: number, end: number): string {
  const before = edits.slice(0, start);
  const shown = edits.slice(start, end);
  const count = (list: readonly Edit[], other: "-" | "+"): number =>
    list.filter(({ sign }) => sign !== other).length;
  const range = (other: "-" | "+"): string => {
    const length = count(shown, other);
    const first = count(before, other) + (length === 0 ? 0 : 1);
    return length === 1 ? `${first}` : `${first},${length}`;
  };
  const lines = shown.map(({ sign, line }) => `${sign}${line}\n`).join("");
  return `@@ -${range("+")} +${range("-")} @@\n${lines}`;
}

/** The shortest way from one list of lines to the other. */
function editScript(a: readonly string[], b: readonly string[]): Edit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const same = (line: string): Edit => ({ sign: " ", line });
  return [
    ...a.slice(0, start).map(same),
    ...middleScript(a.slice(start, endA), b.slice(start, endB)),
    ...a.slice(endA).map(same),
  ];
}

/** The table below has this many cells at most; beyond it all of the middle counts as replaced. */
const MAX_CELLS = 4_000_000;

function middleScript(a: readonly string[], b: readonly string[]): Edit[] {
  const removed = (line: string): Edit => ({ sign: "-", line });
  const added = (line: string): Edit => ({ sign: "+", line });
  if (a.length * b.length > MAX_CELLS) return [...a.map(removed), ...b.map(added)];
  // common[i][j]: the most lines that a from i and b from j have in common, in order.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ sign: " ", line: a[i++]! });
      j++;
    } else if (
      j >= b.length ||
      (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      edits.push(removed(a[i++]!));
    } else {
      edits.push(added(b[j++]!));
    }
  }
  return edits;
}
