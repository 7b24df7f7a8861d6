import { describe, expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

describe("unifiedDiff", () => {
  it("shows three equal lines around a change", () => {
    const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    const after = before.map((line) => (line === "5" ? "five" : line));
    expect(unifiedDiff(before.join("\n"), after.join("\n"))).toBe(
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  it("starts at the first line", () => {
    expect(unifiedDiff("a\nb", "x\nb")).toBe("@@ -1,2 +1,2 @@\n-a\n+x\n b\n");
  });

  it("keeps changes that are far apart in hunks of their own", () => {
    const before = Array.from({ length: 30 }, (_, i) => `${i}`);
    const after = before.map((line, i) => (i === 2 || i === 25 ? `${line}!` : line));
    expect(unifiedDiff(before.join("\n"), after.join("\n")).match(/@@ .* @@/g)).toHaveLength(2);
  });

  it("is empty for equal texts", () => {
    expect(unifiedDiff("a\nb", "a\nb")).toBe("");
  });
});
