import { execFileSync } from "node:child_process";
import { chmod, stat, symlink, truncate } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type FileWorkspace, fileWorkspace, textOf } from "./file-workspace.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Draws pages like poppler's program: the last argument is the prefix of the file names. */
const DRAWS = `#!/bin/sh
for last in "$@"; do :; done
n=$5
while [ "$n" -le "$7" ]; do printf 'picture %d' "$n" > "$(printf '%s-%02d.jpg' "$last" "$n")"; n=$((n + 1)); done`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

const seen = async (files: FileWorkspace, name: string) =>
  files.workspace.files.seen(files.path(name), (await stat(files.path(name))).mtimeMs);

describe("Read", () => {
  test("shows text with line numbers, and returns the same to the host as data", async () => {
    await using files = await fileWorkspace({ "hello.txt": "line one\nline two\n" });
    expect(await files.call("Read", { file_path: files.path("hello.txt") })).toEqual({
      content: "1\tline one\n2\tline two\n3\t",
      data: {
        type: "text",
        file: {
          filePath: files.path("hello.txt"),
          content: "line one\nline two\n",
          numLines: 3,
          startLine: 1,
          totalLines: 3,
        },
      },
    });
    expect(await seen(files, "hello.txt")).toBe("current");
  });

  test.each([
    { offset: 2, limit: 2, shown: "2\tb\n3\tc", numLines: 2, startLine: 2 },
    { offset: 0, limit: 1, shown: "1\ta", numLines: 1, startLine: 1 },
    { offset: 4, shown: "4\td", numLines: 1, startLine: 4 },
    { offset: -1, limit: 0, shown: "1\ta\n2\tb\n3\tc\n4\td", numLines: 4, startLine: 1 },
    { limit: 99, shown: "1\ta\n2\tb\n3\tc\n4\td", numLines: 4, startLine: 1 },
    {
      offset: 9,
      shown:
        "<system-reminder>Warning: the file exists but is shorter than the provided offset (9). The file has 4 lines.</system-reminder>",
      numLines: 0,
      startLine: 9,
    },
  ])("shows the lines selected by offset and limit: %o", async ({ shown, numLines, startLine, ...range }) => {
    await using files = await fileWorkspace({ "f.txt": "a\nb\nc\nd" });
    const outcome = await files.call("Read", { file_path: "f.txt", ...range });
    expect(outcome.content).toBe(shown);
    expect(outcome.data).toMatchObject({ file: { numLines, startLine, totalLines: 4 } });
  });

  test("shows all lines of a file, regardless of their number", async () => {
    await using files = await fileWorkspace({ "f.txt": "x\n".repeat(25_000) });
    const text = textOf(await files.call("Read", { file_path: "f.txt" }));
    expect(text).toMatch(/\n25000\tx\n25001\t$/);
    expect(await seen(files, "f.txt")).toBe("current");
    await files.call("Read", { file_path: "f.txt", limit: 10 });
    expect(await seen(files, "f.txt")).toBe("partly");
  });

  test("refuses a long file as a whole, but reads parts of it across chunks", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${"é".repeat(20)}`);
    await using files = await fileWorkspace({ "big.txt": lines.join("\n") });
    const refused = await files.call("Read", { file_path: "big.txt" });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain("256 KB");
    const part = await files.call("Read", { file_path: "big.txt", offset: 3000, limit: 4000 });
    expect(part.data).toMatchObject({
      file: { content: lines.slice(2999, 6999).join("\n"), numLines: 4000, totalLines: 20_000 },
    });
    expect(await files.call("Read", { file_path: "big.txt", offset: 1, limit: 19_000 })).toMatchObject({
      isError: true,
    });
  });

  test("finds a line in a very large file without loading it", { timeout: 30_000 }, async () => {
    await using files = await fileWorkspace({ "huge.txt": "some text\n".repeat(10_000) });
    await truncate(files.path("huge.txt"), 600 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    const outcome = await files.call("Read", { file_path: "huge.txt", offset: 9999, limit: 2 });
    expect(outcome.content).toBe("9999\tsome text\n10000\tsome text");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test("shows long lines in full, and CRLF lines without carriage returns", async () => {
    const long = "x".repeat(3000);
    await using files = await fileWorkspace({ "f.txt": `${long}\r\nb\r\nc` });
    expect(textOf(await files.call("Read", { file_path: "f.txt" }))).toBe(`1\t${long}\n2\tb\n3\tc`);
    const { data } = await files.call("Read", { file_path: "f.txt", offset: 2, limit: 1 });
    expect(data).toMatchObject({ file: { filePath: "f.txt", content: "b" } });
  });

  test("reports an empty file", async () => {
    await using files = await fileWorkspace({ "f.txt": "" });
    const outcome = await files.call("Read", { file_path: "f.txt" });
    expect(outcome.isError).toBeUndefined();
    expect(textOf(outcome)).toContain("empty");
  });

  test.each([
    ["CRLF line endings", Buffer.from("a\r\nb"), "1\ta\n2\tb"],
    ["a byte order mark", Buffer.from("\uFEFFa"), "1\ta"],
    ["UTF-16", Buffer.from("\uFEFFä\nb", "utf16le"), "1\tä\n2\tb"],
  ])("reads %s", async (_what, bytes, shown) => {
    await using files = await fileWorkspace({ "f.txt": bytes });
    expect(textOf(await files.call("Read", { file_path: "f.txt" }))).toBe(shown);
  });

  test.each([
    [
      "is not UTF-8",
      Buffer.from("gr\u00fc\u00df", "latin1"),
      /^1\tgr\uFFFD\uFFFD\n\n\[The file is not valid UTF-8/,
    ],
    ["has NUL bytes", Buffer.from("a\0b"), /^1\ta\0b\n\n\[The file has NUL bytes/],
  ])("shows a file that %s, and says so", async (_what, bytes, shown) => {
    await using files = await fileWorkspace({ "f.txt": bytes });
    expect(textOf(await files.call("Read", { file_path: "f.txt" }))).toMatch(shown);
  });

  test("reports /dev/null as empty, and a dangling link as missing", async () => {
    await using files = await fileWorkspace();
    await symlink("nowhere", files.path("dangling"));
    const nothing = await files.call("Read", { file_path: "/dev/null" });
    expect(nothing).toMatchObject({ content: expect.stringContaining("empty") });
    const missing = await files.call("Read", { file_path: "dangling" });
    expect(missing).toMatchObject({ isError: true, content: expect.stringContaining("File does not exist") });
    expect(missing.content).not.toContain("Did you mean");
  });

  test("suggests a file with a similar name if a file is missing", async () => {
    await using files = await fileWorkspace({ "config.json": "{}" });
    const outcome = await files.call("Read", { file_path: "confg.json" });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain("File does not exist");
    expect(textOf(outcome)).toContain(`Did you mean ${files.path("config.json")}?`);
  });

  test("refuses folders, devices, pipes and binary files", async () => {
    await using files = await fileWorkspace({ "sub/x": "", "data.bin": Buffer.from([1, 0, 2]) });
    execFileSync("mkfifo", [files.path("pipe")]);
    await symlink("/dev/zero", files.path("zero"));
    for (const [name, word] of [
      ["sub", "folder"],
      ["pipe", "pipe"],
      ["zero", "device"],
      ["data.bin", "binary"],
    ] as const) {
      const outcome = await files.call("Read", { file_path: name });
      expect(outcome.isError).toBe(true);
      expect(textOf(outcome)).toContain(word);
    }
  });

  test("recognizes an image by its content, not by its name", async () => {
    await using files = await fileWorkspace({ "a.jpg": PNG, "b.png": "not an image" });
    const data = PNG.toString("base64");
    expect(await files.call("Read", { file_path: "a.jpg" })).toEqual({
      content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }],
      data: { type: "image", file: { base64: data, type: "image/png", originalSize: PNG.length } },
    });
    expect(await files.call("Read", { file_path: "b.png" })).toMatchObject({ isError: true });
  });

  test("shows a PDF as a document, and checks the requested pages", async () => {
    const pdf = "%PDF-1.4\n<< /Type /Pages /Count 2 >>\n<< /Type /Page >>\n<</Type/Page/Parent 1>>\n%%EOF";
    await using files = await fileWorkspace({ "a.pdf": pdf, "b.pdf": "nothing" });
    const outcome = await files.call("Read", { file_path: "a.pdf", pages: "1-2" });
    expect(textOf(outcome)).toMatch(/2 pages\.\n<document>$/);
    expect(outcome.data).toMatchObject({ type: "pdf", file: { originalSize: pdf.length } });
    for (const input of [
      { file_path: "a.pdf", pages: "3" },
      { file_path: "a.pdf", pages: "2-1" },
      { file_path: "a.pdf", pages: "all" },
      { file_path: "b.pdf" },
    ]) {
      expect(await files.call("Read", input)).toMatchObject({ isError: true });
    }
  });

  test("shows single pages of a PDF as images if a program to render them is installed", async () => {
    await using files = await fileWorkspace({ "a.pdf": "%PDF-1.4\n", "bin/pdftoppm": DRAWS });
    await chmod(files.path("bin/pdftoppm"), 0o755);
    Object.assign(files.workspace.env, { PATH: `${files.path("bin")}:/usr/bin:/bin` });
    const outcome = await files.call("Read", { file_path: "a.pdf", pages: "9-11" });
    expect(outcome.content).toMatchObject([
      { text: expect.stringContaining("Page 9") },
      { type: "image", source: { media_type: "image/jpeg", data: base64("picture 9") } },
      { text: expect.stringContaining("Page 10") },
      { source: { data: base64("picture 10") } },
      { text: expect.stringContaining("Page 11") },
      { source: { data: base64("picture 11") } },
    ]);
    expect(outcome.data).toMatchObject({
      type: "parts",
      firstPage: 9,
      file: { filePath: files.path("a.pdf"), originalSize: 9, count: 3 },
    });
    expect(await files.call("Read", { file_path: "a.pdf", pages: "1-21" })).toMatchObject({ isError: true });
    await files.put("bin/pdftoppm", "#!/bin/sh\necho Wrong page range >&2; exit 99");
    await expect(files.call("Read", { file_path: "a.pdf", pages: "3" })).rejects.toThrow("Wrong page range");
  });

  test("names the program that is missing to show single pages of a PDF", async () => {
    await using files = await fileWorkspace({ "a.pdf": "%PDF-1.4\n" });
    Object.assign(files.workspace.env, { PATH: files.folder });
    await expect(files.call("Read", { file_path: "a.pdf", pages: "3" })).rejects.toThrow("poppler-utils");
  });

  test("stops rendering pages when the call is aborted", async () => {
    const slow = "#!/bin/sh\ntouch running; trap '' TERM; while :; do sleep 0.05; done";
    await using files = await fileWorkspace({ "a.pdf": "%PDF-1.4\n", "bin/pdftoppm": slow });
    await chmod(files.path("bin/pdftoppm"), 0o755);
    Object.assign(files.workspace.env, { PATH: `${files.path("bin")}:/usr/bin:/bin` });
    const stop = new AbortController();
    const call = files.call("Read", { file_path: "a.pdf", pages: "3" }, stop.signal);
    stop.abort();
    await expect(call).rejects.toThrow();
  });

  test("shows the cells of a notebook with their outputs", async () => {
    const notebook = {
      cells: [
        { cell_type: "markdown", id: "m1", source: ["# Title\n", "text"] },
        {
          cell_type: "code",
          source: "1/0",
          execution_count: 3,
          outputs: [
            { output_type: "stream", text: ["out\n"] },
            { output_type: "display_data", data: { "image/png": PNG.toString("base64") } },
            { output_type: "error", ename: "ZeroDivisionError", evalue: "division by zero", traceback: [] },
          ],
        },
      ],
      metadata: { language_info: { name: "python" } },
      nbformat: 4,
      nbformat_minor: 5,
    };
    await using files = await fileWorkspace({ "n.ipynb": JSON.stringify(notebook), "bad.ipynb": "{}" });
    const outcome = await files.call("Read", { file_path: "n.ipynb" });
    expect(textOf(outcome)).toBe(
      [
        '<cell id="m1"><cell_type>markdown</cell_type># Title\ntext</cell id="m1">',
        '<cell id="cell-1">1/0</cell id="cell-1">',
        "\nout\n",
        "<image>",
        "\nZeroDivisionError: division by zero",
      ].join("\n"),
    );
    expect(outcome.data).toMatchObject({
      type: "notebook",
      file: { cells: [{ cellType: "markdown" }, { language: "python" }] },
    });
    expect(await files.call("Read", { file_path: "bad.ipynb" })).toMatchObject({ isError: true });
  });

  test("ends when it is aborted", async () => {
    await using files = await fileWorkspace({ "f.txt": "x" });
    await expect(files.call("Read", { file_path: "f.txt" }, AbortSignal.abort())).rejects.toThrow("abort");
  });
});
