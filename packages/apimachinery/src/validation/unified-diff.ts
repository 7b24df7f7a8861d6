/** How much of what is equal is shown around a change. */
const CONTEXT = 3;

/**
 * What changed between two texts, as unified hunks without file names: how some messages show an update. Which lines
 * count as kept follows upstream's algorithm (the longest common block first, then left and right of it), since it
 * decides where a change is shown when there is a choice.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/diff, Diff, on github.com/pmezard/go-difflib.
 */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split("\n");
  const b = after.split("\n");
  return hunksOf(changesBetween(a, b))
    .map((hunk) => formatHunk(hunk, a, b))
    .join("");
}

/** Lines `aFrom` to `aTo` became lines `bFrom` to `bTo`; ends are exclusive. */
interface Change {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** Equal lines: `size` from `a` and from `b`. */
interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

function changesBetween(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let aFrom = 0;
  let bFrom = 0;
  for (const block of [...commonBlocks(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (aFrom < block.a || bFrom < block.b) changes.push({ aFrom, aTo: block.a, bFrom, bTo: block.b });
    aFrom = block.a + block.size;
    bFrom = block.b + block.size;
  }
  return changes;
}

function commonBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const places = placesOf(b);
  const blocks: Block[] = [];
  const pending: Change[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const block = longestBlock(a, b, places, part);
    if (block.size === 0) continue;
    blocks.push(block);
    pending.push(
      { ...part, aTo: block.a, bTo: block.b },
      { ...part, aFrom: block.a + block.size, bFrom: block.b + block.size },
    );
  }
  return blocks.sort((x, y) => x.a - y.a);
}

/** In a text of so many lines, one that is more than a hundredth of them starts no block. */
const MANY_LINES = 200;

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [i, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [i]);
    else known.push(i);
  }
  if (lines.length < MANY_LINES) return places;
  const limit = Math.floor(lines.length / 100) + 1;
  for (const [line, found] of places) if (found.length > limit) places.delete(line);
  return places;
}

function longestBlock(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { aFrom, aTo, bFrom, bTo }: Change,
): Block {
  let best: Block = { a: aFrom, b: bFrom, size: 0 };
  let ending = new Map<number, number>(); // How long the block is that ends with a[i-1] and this line of b.
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bFrom || j >= bTo) continue;
      const size = (ending.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    ending = next;
  }
  // The lines that start no block may still belong to one.
  let { a: start, b: other, size } = best;
  while (start > aFrom && other > bFrom && a[start - 1] === b[other - 1]) {
    start--;
    other--;
    size++;
  }
  while (start + size < aTo && other + size < bTo && a[start + size] === b[other + size]) size++;
  return { a: start, b: other, size };
}

/** Changes whose context would meet are shown together. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk === undefined || last === undefined || change.aFrom - last.aTo > 2 * CONTEXT)
      hunks.push([change]);
    else hunk.push(change);
  }
  return hunks;
}

function formatHunk(hunk: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const first = hunk[0]!;
  const last = hunk.at(-1)!;
  const before = Math.min(CONTEXT, first.aFrom, first.bFrom);
  const aStart = first.aFrom - before;
  const aEnd = Math.min(a.length, last.aTo + CONTEXT);
  const bStart = first.bFrom - before;
  const bEnd = Math.min(b.length, last.bTo + CONTEXT);
  const lines: string[] = [];
  let shown = aStart;
  for (const { aFrom, aTo, bFrom, bTo } of hunk) {
    lines.push(...a.slice(shown, aFrom).map((line) => ` ${line}\n`));
    lines.push(...a.slice(aFrom, aTo).map((line) => `-${line}\n`));
    lines.push(...b.slice(bFrom, bTo).map((line) => `+${line}\n`));
    shown = aTo;
  }
  lines.push(...a.slice(shown, aEnd).map((line) => ` ${line}\n`));
  return `@@ -${range(aStart, aEnd)} +${range(bStart, bEnd)} @@\n${lines.join("")}`;
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}
