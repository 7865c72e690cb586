import { readFile, utimes } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editTool } from "../../src/tools/edit.ts";
import { replaceText } from "../../src/tools/edit-text.ts";
import type { Workspace } from "../../src/tools/workspace.ts";
import { fileWorkspace, textOf } from "./file-workspace.ts";

describe("Edit", () => {
  test("replaces text and describes the change", async () => {
    await using files = await fileWorkspace({ "new.txt": "alpha\nbeta\n" });
    const path = files.path("new.txt");
    await files.call("Read", { file_path: path });
    const outcome = await files.call("Edit", { file_path: path, old_string: "beta", new_string: "gamma" });
    expect(outcome.data).toEqual({
      filePath: path,
      oldString: "beta",
      newString: "gamma",
      originalFile: "alpha\nbeta\n",
      structuredPatch: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" alpha", "-beta", "+gamma"] },
      ],
      userModified: false,
      replaceAll: false,
    });
    expect(await readFile(path, "utf8")).toBe("alpha\ngamma\n");
    expect(files.changes).toEqual([path]);
  });

  test("edits a file that Write has just created, repeatedly", async () => {
    await using files = await fileWorkspace();
    await files.call("Write", { file_path: "f", content: "a" });
    await files.call("Edit", { file_path: "f", old_string: "a", new_string: "b" });
    expect(await files.call("Edit", { file_path: "f", old_string: "b", new_string: "c" })).not.toHaveProperty(
      "isError",
    );
    expect(await readFile(files.path("f"), "utf8")).toBe("c");
  });

  test("creates a file from an empty old_string", async () => {
    await using files = await fileWorkspace({ empty: "" });
    const outcome = await files.call("Edit", { file_path: "sub/f", old_string: "", new_string: "hi" });
    expect(outcome.data).toMatchObject({
      filePath: "sub/f",
      originalFile: "",
      structuredPatch: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1 }],
    });
    expect(await readFile(files.path("sub/f"), "utf8")).toBe("hi");
    expect(
      await files.call("Edit", { file_path: "empty", old_string: "", new_string: "x" }),
    ).not.toHaveProperty("isError");
  });

  test("replaces every occurrence if requested", async () => {
    await using files = await fileWorkspace({ f: "a a a" });
    await files.call("Read", { file_path: "f" });
    const outcome = await files.call("Edit", {
      file_path: "f",
      old_string: "a",
      new_string: "$&",
      replace_all: true,
    });
    expect(textOf(outcome)).toContain("All occurrences were successfully replaced");
    expect(await readFile(files.path("f"), "utf8")).toBe("$& $& $&");
  });

  test.each([
    [
      "text that does not occur",
      { old_string: "zzz", new_string: "" },
      "String to replace not found in file.",
    ],
    [
      "line numbers in the old text",
      { old_string: "1\tone two", new_string: "" },
      "Leave out the line numbers",
    ],
    ["text that occurs more than once", { old_string: "o", new_string: "" }, "Found 2 matches"],
    ["no change", { old_string: "one", new_string: "one" }, "No changes to make"],
    ["to create a file that exists", { old_string: "", new_string: "x" }, "file already exists"],
    ["a missing file", { file_path: "g", old_string: "x", new_string: "" }, "File does not exist"],
    ["a notebook", { file_path: "n.ipynb", old_string: "x", new_string: "" }, "Use NotebookEdit"],
  ])("rejects %s", async (_what, input, message) => {
    await using files = await fileWorkspace({ f: "one two", "n.ipynb": "{}" });
    await files.call("Read", { file_path: "f" });
    const outcome = await files.call("Edit", { file_path: "f", ...input });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain(message);
    expect(files.changes).toEqual([]);
    expect(await readFile(files.path("f"), "utf8")).toBe("one two");
  });

  test("edits a file that was not read or has changed since, and says what the model does not know", async () => {
    await using files = await fileWorkspace({ unread: "x", f: "one\n" });
    const unread = await files.call("Edit", { file_path: "unread", old_string: "x", new_string: "y" });
    expect(unread.data).toMatchObject({ contentNotInModelContext: true });
    expect(unread.data).not.toHaveProperty("staleRecovered");
    await files.call("Read", { file_path: "f" });
    await files.put("f", "one\ntwo two\n");
    await utimes(files.path("f"), new Date(0), new Date(0));
    const ambiguous = await files.call("Edit", { file_path: "f", old_string: "two", new_string: "3" });
    expect(ambiguous).toMatchObject({
      isError: true,
      content: expect.stringContaining("modified since read"),
    });
    const clean = await files.call("Edit", { file_path: "f", old_string: "one", new_string: "1" });
    expect(clean.data).toMatchObject({ staleRecovered: true, contentNotInModelContext: true });
    const next = await files.call("Edit", { file_path: "f", old_string: "1", new_string: "one" });
    expect(next.data).toMatchObject({ contentNotInModelContext: true });
    expect(next.data).not.toHaveProperty("staleRecovered");
  });

  test.each([
    ["f.ts", "a  \n\tb\t\r\nc ", "a\n\tb\r\nc"],
    ["f.md", "a  \nb", "a  \nb"],
  ])("removes spaces at the ends of new lines, except in Markdown: %s", (file_path, given, meant) => {
    const input = { file_path, old_string: "x", new_string: given, replace_all: false };
    expect(editTool.tidy?.(input)).toEqual({ ...input, new_string: meant });
  });

  test("reports the replaced text as it is in the file", async () => {
    await using files = await fileWorkspace({ f: "say “hello”" });
    const input = { file_path: "f", old_string: 'say "hello"', new_string: 'say "bye"' };
    const { data } = await files.call("Edit", input);
    expect(data).toMatchObject({ oldString: "say “hello”", newString: 'say "bye"' });
  });

  test.each([
    ["a.txt", "a.txt"],
    ["~/b.txt", "~/b.txt"],
    ["/etc/hosts", "/etc/hosts"],
  ])("describes a change of %s as one of %s", (file_path, shown) => {
    const workspace = { cwd: "/home/ada/app", home: "/home/ada" } as Workspace;
    expect(editTool.describe?.({ file_path }, workspace)).toBe(shown);
  });

  test.each([
    ["is not UTF-8", Buffer.from([0xe4, 0x20, 0x61, 0xff]), "not valid UTF-8"],
    ["has NUL bytes", Buffer.from("a\0b"), "NUL bytes"],
  ])("rejects a file that %s, and leaves it unchanged", async (_what, bytes, message) => {
    await using files = await fileWorkspace({ f: bytes });
    await files.call("Read", { file_path: "f" });
    for (const [tool, input] of [
      ["Edit", { old_string: "a", new_string: "b" }],
      ["Write", { content: "b" }],
    ] as const) {
      const outcome = await files.call(tool, { file_path: "f", ...input });
      expect(outcome).toMatchObject({ isError: true, content: expect.stringContaining(message) });
    }
    expect(await readFile(files.path("f"))).toEqual(bytes);
  });

  test("omits the original of a long file but still describes the change", async () => {
    await using files = await fileWorkspace({ f: `start\n${"line\n".repeat(60_000)}` });
    await files.call("Read", { file_path: "f", limit: 5 });
    const outcome = await files.call("Edit", { file_path: "f", old_string: "start", new_string: "begin" });
    expect(outcome.data).toMatchObject({ originalFile: null, structuredPatch: [{ oldStart: 1 }] });
  });
});

describe("replaceText", () => {
  const once = (text: string, old: string, inserted: string) =>
    replaceText(text, { old, new: inserted, all: false });

  test.each([
    ["matches plain newlines with CRLF", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
    [
      "keeps the endings of other lines in a mixed file",
      "a\r\nb\r\nc\nd\r\n",
      "c\nd",
      "e\nf",
      "a\r\nb\r\ne\r\nf\r\n",
    ],
    ["accepts CRLF from the model", "a\r\nb\r\n", "a\r\nb", "c\r\nd", "c\r\nd\r\n"],
    ["keeps a file with plain endings plain", "a\nb\n", "a", "x\ny", "x\ny\nb\n"],
    [
      "accepts straight quotes for typographic ones",
      "say “hi” to ‘me’",
      'say "hi" to',
      'say "hi" for',
      "say “hi” for ‘me’",
    ],
  ])("%s", (_what, text, old, inserted, expected) => {
    expect(once(text, old, inserted)).toMatchObject({ ok: true, text: expected });
  });

  test("does not guess among several matches with other quotes", () => {
    expect(replaceText("“a” “a”", { old: '"a"', new: "b", all: true })).toEqual({ ok: false, found: 0 });
  });

  test("equals the language's own replacement for text without carriage returns", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 20 });
    const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(letters, wanted, letters, (text, old, inserted) => {
        const replaced = replaceText(text, { old, new: inserted, all: true });
        if (!text.includes(old)) expect(replaced).toEqual({ ok: false, found: 0 });
        else expect(replaced).toMatchObject({ text: text.split(old).join(inserted) });
      }),
    );
  });

  test("has the same effect on CRLF text as on plain text", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, letters, (text, old, inserted) => {
        const crlf = (plain: string) => plain.replaceAll("\n", "\r\n");
        fc.pre(text.includes("\n") && text.includes(old));
        const replaced = replaceText(crlf(text), { old, new: inserted, all: true });
        expect(replaced).toMatchObject({ text: crlf(text.split(old).join(inserted)) });
      }),
    );
  });
});
