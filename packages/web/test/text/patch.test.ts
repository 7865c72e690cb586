import { expect, test } from "vitest";
import { readPatch } from "../../src/text/patch.ts";

const PATCH = `diff --git a/a.txt b/a.txt
index 5626abf..814f4a4 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 same
-one
+--- two
@@ -10 +10,2 @@ heading
 ten
+eleven
\\ No newline at end of file
diff --git a/new file.txt b/new file.txt
new file mode 100644
index 0000000..3e75765
--- /dev/null
+++ b/new file.txt
@@ -0,0 +1 @@
+new
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
`;

test("a patch is split into files and hunks with line numbers", () => {
  const [first, second, third, ...more] = readPatch(PATCH);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ path: "a.txt", added: 2, removed: 1 });
  expect(first?.hunks[0]).toEqual([
    { sign: " ", text: "same", number: 1 },
    { sign: "-", text: "one", number: 2 },
    { sign: "+", text: "--- two", number: 2 },
  ]);
  expect(first?.hunks[1]?.at(-1)).toEqual({ sign: "+", text: "eleven", number: 11 });
  expect(second).toMatchObject({ path: "new file.txt", added: 1, removed: 0 });
  expect(third).toEqual({ path: "logo.png", hunks: [], hunkTexts: [], added: 0, removed: 0 });
});

test("text that is not a patch yields no files", () => {
  expect(readPatch("")).toEqual([]);
  expect(readPatch("+++ b/x\n+y")).toEqual([]);
});
