import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type FileWorkspace, fileWorkspace, textOf } from "./file-workspace.ts";

const notebook = {
  cells: [
    { cell_type: "markdown", id: "m1", metadata: {}, source: ["# Title"] },
    {
      cell_type: "code",
      execution_count: 3,
      id: "c1",
      metadata: {},
      outputs: [{ output_type: "stream" }],
      source: ["1"],
    },
  ],
  metadata: { language_info: { name: "julia" } },
  nbformat: 4,
  nbformat_minor: 5,
};
const text = `${JSON.stringify(notebook, undefined, 1)}\n`;

async function opened(content = text): Promise<FileWorkspace> {
  const files = await fileWorkspace({ "n.ipynb": content });
  await files.call("Read", { file_path: "n.ipynb" });
  return files;
}

const edit = (files: FileWorkspace, input: object) =>
  files.call("NotebookEdit", { notebook_path: "n.ipynb", ...input });
const cellsIn = async (files: FileWorkspace) =>
  JSON.parse(await readFile(files.path("n.ipynb"), "utf8")).cells;

describe("NotebookEdit", () => {
  test("replaces the source of a cell, clears its outputs and leaves the rest of the file unchanged", async () => {
    await using files = await opened();
    const outcome = await edit(files, { cell_id: "c1", new_source: "a\nb" });
    const expected = structuredClone(notebook);
    Object.assign(expected.cells[1] ?? {}, { execution_count: null, outputs: [], source: ["a\n", "b"] });
    const updated = `${JSON.stringify(expected, undefined, 1)}\n`;
    expect(await readFile(files.path("n.ipynb"), "utf8")).toBe(updated);
    expect(outcome.data).toEqual({
      new_source: "a\nb",
      old_source: "1",
      cell_id: "c1",
      cell_type: "code",
      language: "julia",
      edit_mode: "replace",
      error: "",
      notebook_path: files.path("n.ipynb"),
      original_file: text,
      updated_file: updated,
    });
    expect(files.changes).toEqual([files.path("n.ipynb")]);
  });

  test("also finds a cell by its position", async () => {
    await using files = await opened();
    await edit(files, { cell_id: "cell-1", new_source: "2" });
    expect((await cellsIn(files))[1].source).toEqual(["2"]);
    const outcome = await edit(files, { cell_id: "cell-99", new_source: "2" });
    expect(outcome).toMatchObject({
      isError: true,
      content: expect.stringContaining("not found in notebook"),
    });
  });

  test("inserts a cell after another, or first", async () => {
    await using files = await opened();
    await edit(files, { cell_id: "m1", new_source: "x", cell_type: "code", edit_mode: "insert" });
    await edit(files, { new_source: "y", cell_type: "markdown", edit_mode: "insert" });
    const cells = await cellsIn(files);
    expect(cells.map((cell: { source: string[] }) => cell.source.join(""))).toEqual([
      "y",
      "# Title",
      "x",
      "1",
    ]);
    expect(cells[2]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      outputs: [],
      execution_count: null,
    });
  });

  test("deletes a cell", async () => {
    await using files = await opened();
    await edit(files, { cell_id: "m1", new_source: "", edit_mode: "delete" });
    expect(await cellsIn(files)).toHaveLength(1);
  });

  test("converts a code cell to Markdown without outputs", async () => {
    await using files = await opened();
    await edit(files, { cell_id: "c1", new_source: "t", cell_type: "markdown" });
    expect((await cellsIn(files))[1]).toEqual({
      cell_type: "markdown",
      id: "c1",
      metadata: {},
      source: ["t"],
    });
  });

  test("numbers the cells of notebooks without ids, and adds no ids", async () => {
    const old = {
      ...notebook,
      nbformat_minor: 2,
      cells: [{ cell_type: "code", metadata: {}, source: "1", outputs: [] }],
    };
    await using files = await opened(JSON.stringify(old));
    await edit(files, { cell_id: "cell-0", new_source: "2", cell_type: "code", edit_mode: "insert" });
    expect((await cellsIn(files))[1]).not.toHaveProperty("id");
  });

  test.each([
    ["an unknown cell", { cell_id: "zz", new_source: "" }, 'Cell with ID "zz" not found'],
    ["no cell", { new_source: "" }, "which cell to replace"],
    ["an insertion without a type", { new_source: "", edit_mode: "insert" }, "cell_type"],
    ["another kind of file", { notebook_path: "x.txt", new_source: "" }, "is not a notebook"],
    ["a missing file", { notebook_path: "x.ipynb", new_source: "" }, "does not exist"],
  ])("rejects %s", async (_what, input, message) => {
    await using files = await opened();
    const outcome = await edit(files, input);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain(message);
    expect(await readFile(files.path("n.ipynb"), "utf8")).toBe(text);
  });

  test("rejects a notebook that has not been read", async () => {
    await using files = await fileWorkspace({ "n.ipynb": text });
    expect(textOf(await edit(files, { cell_id: "c1", new_source: "" }))).toContain("has not been read");
  });
});
