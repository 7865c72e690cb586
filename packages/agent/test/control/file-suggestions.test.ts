import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { suggestFiles } from "../../src/control/file-suggestions.ts";

const FILES = ["main.ts", "src/domain.ts", "src/deep/Main.test.ts", "node_modules/x/main.js", "other.md"];

test.each([
  ["main", ["main.ts", "src/deep/Main.test.ts", "src/domain.ts"]],
  ["deep/ma", ["src/deep/Main.test.ts"]],
  ["nothing like it", []],
  ["", ["main.ts", "node_modules", "other.md", "src"]],
])(
  "%j suggests the files whose paths hold it, those first whose names begin with it",
  async (typed, expected) => {
    const folder = await mkdtemp(join(tmpdir(), "agentwire-suggest-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const file of FILES) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), "");
    }
    const found = await suggestFiles(folder, typed, new AbortController().signal);
    expect(typed === "" ? found.map(({ path }) => path).toSorted() : found.map(({ path }) => path)).toEqual(
      expected,
    );
  },
);
