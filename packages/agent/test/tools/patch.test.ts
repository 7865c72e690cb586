import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutEqualEnds } from "../../src/tools/equal-ends.ts";
import { describeChange, type Hunk } from "../../src/tools/patch.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at} of a long file`);

function patched(before: string, hunks: readonly Hunk[]): string | false {
  const copies = hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] }));
  return applyPatch(before, {
    hunks: copies,
    oldFileName: "",
    newFileName: "",
    oldHeader: "",
    newHeader: "",
  });
}

describe("the patch of a change", () => {
  test("contains the changed place in a long file", async () => {
    const lines = numbered(20_000);
    const after = lines.with(12_345, "changed").join("\n");
    const { structuredPatch } = await describeChange(lines.join("\n"), after);
    expect(structuredPatch).toMatchObject([{ oldStart: 12_343, oldLines: 7, newStart: 12_343, newLines: 7 }]);
    expect(structuredPatch[0]?.lines).toEqual([
      ...[12_342, 12_343, 12_344].map((at) => ` ${lines[at]}`),
      `-${lines[12_345]}`,
      "+changed",
      ...[12_346, 12_347, 12_348].map((at) => ` ${lines[at]}`),
    ]);
  });

  test("contains several places if a long text changed in several", async () => {
    const before = numbered(900);
    const after = before.map((line, at) => (at % 9 === 0 ? `${line}, changed` : line));
    const { structuredPatch } = await describeChange(before.join("\n"), after.join("\n"));
    expect(patched(before.join("\n"), structuredPatch)).toBe(after.join("\n"));
  });

  test("is omitted if nearly all of a very long text differs", async () => {
    const before = numbered(100_000).join("\n");
    const { structuredPatch } = await describeChange(before, before.replaceAll("long", "short"));
    expect(structuredPatch).toEqual([]);
  });

  test("converts any text to any other", async () => {
    const some = fc.array(fc.constantFrom("a", "b", "", "}", "\r"), { maxLength: 12 });
    const piece = fc.tuple(fc.boolean(), some, some, some, some, fc.boolean());
    await fc.assert(
      fc.asyncProperty(piece, async ([isLong, head, old, new_, tail, ends]) => {
        const filler = isLong ? numbered(1500) : [];
        const text = (middle: readonly string[]) =>
          [...filler, ...head, ...middle, ...tail, ...filler, ...(ends ? [""] : [])].join("\n");
        const { structuredPatch } = await describeChange(text(old), text(new_));
        expect(patched(text(old), structuredPatch)).toBe(text(new_));
      }),
      { numRuns: 200 },
    );
  });
});

test("equal lines at both ends are omitted, except for the context", () => {
  const lines = numbered(10_000);
  const found = withoutEqualEnds(lines.join("\n"), lines.with(5000, "x\ny").join("\n"), 3);
  expect(found.skipped).toBeGreaterThan(4990);
  expect(found.before.split("\n").length).toBeLessThan(12);
  expect(found.after).toContain("x\ny");
});
