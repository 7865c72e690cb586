import { randomBytes } from "node:crypto";
import type { JsonObject } from "@agentwire/protocol";
import { optionalText, textField } from "./input-fields.ts";
import { changedSince, loadFile } from "./loaded-file.ts";
import { cellId, joinedText, type Notebook, parseNotebook } from "./notebook.ts";
import { refused } from "./outcome.ts";
import { describeChange, repeatable } from "./patch.ts";
import { absolutePath, pathForPeople } from "./paths.ts";
import { saveFile } from "./save-file.ts";
import { type DecodedText, encodeText } from "./text-file.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

/** Changes a cell of a Jupyter notebook. */
export const notebookEditTool: Tool = {
  name: "NotebookEdit",
  description: `Changes one cell of a Jupyter notebook (.ipynb) that has been read with Read.
- replace (the default) gives the cell with cell_id a new source and clears its outputs.
- insert puts a new cell of cell_type after the one with cell_id, or first without cell_id.
- delete removes the cell with cell_id.`,
  inputSchema: {
    type: "object",
    properties: {
      notebook_path: { type: "string", description: "The notebook, preferably as an absolute path." },
      cell_id: { type: "string", description: "The id of the cell, as Read shows it." },
      new_source: { type: "string", description: "The new source of the cell." },
      cell_type: { type: "string", enum: ["code", "markdown"], description: "Required to insert." },
      edit_mode: { type: "string", enum: ["replace", "insert", "delete"] },
    },
    required: ["notebook_path", "new_source"],
    additionalProperties: false,
  },
  isReadOnly: () => false,
  describe: (input, workspace) =>
    pathForPeople(absolutePath(textField(input, "notebook_path"), workspace), workspace),
  refuse: async (input, workspace) => {
    const planned = await plan(input, workspace);
    return "problem" in planned ? planned.problem : undefined;
  },
  run: editNotebook,
};

interface CellEdit {
  readonly mode: string;
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly source: string;
}

type EditedCells =
  | {
      readonly cells: readonly JsonObject[];
      readonly id: string;
      readonly type: string;
      readonly old?: string;
    }
  | { readonly problem: string };

interface Planned {
  readonly path: string;
  readonly edit: CellEdit;
  readonly notebook: Notebook;
  readonly file: DecodedText;
  readonly edited: Exclude<EditedCells, { readonly problem: string }>;
}

/** The result of an edit, or why it can't be made. */
async function plan(
  input: JsonObject,
  workspace: Workspace,
): Promise<Planned | { readonly problem: string }> {
  const path = absolutePath(textField(input, "notebook_path"), workspace);
  const edit: CellEdit = {
    mode: optionalText(input, "edit_mode") ?? "replace",
    id: optionalText(input, "cell_id"),
    type: optionalText(input, "cell_type"),
    source: textField(input, "new_source"),
  };
  if (!path.toLowerCase().endsWith(".ipynb"))
    return { problem: `${path} is not a notebook. Use Edit for other files.` };
  const loaded = await loadFile(path, workspace.files);
  if (loaded.kind === "refused") return { problem: loaded.reason };
  if (loaded.kind === "none") return { problem: `File does not exist: ${path}.` };
  if (loaded.seen === "stale") return { problem: changedSince(path) };
  if (loaded.seen === "never")
    return { problem: "File has not been read yet. Read it first before writing to it." };
  const { file } = loaded;
  const notebook = parseNotebook(file.text);
  if (!notebook) return { problem: `${path} is not a valid notebook.` };
  const edited = editCells(notebook, edit);
  return "problem" in edited ? edited : { path, edit, notebook, file, edited };
}

async function editNotebook(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const planned = await plan(input, workspace);
  if ("problem" in planned) return refused(planned.problem);
  const { path, edit, notebook, file, edited } = planned;
  signal.throwIfAborted();

  const updated = print({ ...notebook.whole, cells: edited.cells }, file.text);
  await workspace.beforeChange(path);
  const { mtimeMs } = await saveFile(path, encodeText(updated, file));
  workspace.files.set(path, { mtimeMs, whole: true });
  const change = await describeChange(edited.old ?? "", edit.mode === "delete" ? "" : edit.source);
  workspace.edited.note(change.structuredPatch);
  return {
    content: deedOf(edit, edited, hasIds(notebook.whole)),
    data: {
      new_source: edit.source,
      ...(edited.old !== undefined && { old_source: edited.old }),
      cell_id: edited.id,
      cell_type: edited.type,
      language: notebook.language,
      edit_mode: edit.mode,
      error: "",
      notebook_path: path,
      original_file: repeatable(file.text) ?? "",
      updated_file: repeatable(updated) ?? "",
    },
  };
}

function deedOf({ mode, source }: CellEdit, { id }: { readonly id: string }, hasOwnIds: boolean): string {
  if (mode === "delete") return `Deleted cell ${id}`;
  if (mode === "replace") return `Updated cell ${id} with ${source}`;
  return hasOwnIds ? `Inserted cell ${id} with ${source}` : `Inserted a new cell with ${source}`;
}

function editCells({ cells, whole }: Notebook, edit: CellEdit): EditedCells {
  const index = edit.id === undefined ? -1 : indexOf(cells, edit.id);
  if (edit.id !== undefined && index === -1)
    return { problem: `Cell with ID "${edit.id}" not found in notebook.` };
  if (edit.mode === "insert") {
    if (edit.type === undefined) return { problem: "To insert a cell, cell_type must say of which type." };
    const id = hasIds(whole) ? randomBytes(4).toString("hex") : undefined;
    const cell = newCell(id, edit.type, edit.source);
    const at = index + 1;
    return { cells: cells.toSpliced(at, 0, cell), id: cellId(cell, at), type: edit.type };
  }
  const cell = cells[index];
  if (!cell || edit.id === undefined) return { problem: `cell_id must say which cell to ${edit.mode}.` };
  const old = joinedText(cell.source);
  const oldType = typeof cell.cell_type === "string" ? cell.cell_type : "code";
  if (edit.mode === "delete") return { cells: cells.toSpliced(index, 1), id: edit.id, type: oldType, old };
  const type = edit.type ?? oldType;
  return { cells: cells.with(index, changedCell(cell, type, edit.source)), id: edit.id, type, old };
}

/** Finds a cell by its id or by its index: `cell-0` is the first. */
function indexOf(cells: readonly JsonObject[], id: string): number {
  const found = cells.findIndex((cell, at) => cellId(cell, at) === id);
  const place = Number(/^cell-(\d{1,9})$/.exec(id)?.[1] ?? -1);
  return found === -1 && place < cells.length ? place : found;
}

/** The keys are in the order in which Jupyter writes them. */
function newCell(id: string | undefined, type: string, source: string): JsonObject {
  const isCode = type === "code";
  return {
    cell_type: type,
    ...(isCode && { execution_count: null }),
    ...(id !== undefined && { id }),
    metadata: {},
    ...(isCode && { outputs: [] }),
    source: splitLines(source),
  };
}

function changedCell(cell: JsonObject, type: string, source: string): JsonObject {
  const changed = { ...cell, cell_type: type, source: splitLines(source) };
  if (type === "code") return { ...changed, execution_count: null, outputs: [] };
  const {
    outputs: _outputs,
    execution_count: _count,
    ...rest
  } = { outputs: [], execution_count: null, ...changed };
  return rest;
}

/** Cells have ids since version 4.5 of the format, and must not have any before. */
function hasIds({ nbformat, nbformat_minor }: JsonObject): boolean {
  return Number(nbformat) > 4 || (nbformat === 4 && Number(nbformat_minor) >= 5);
}

/** Splits text into lines with their line endings, as Jupyter stores them. */
function splitLines(source: string): readonly string[] {
  return source.split(/(?<=\n)/).filter((line) => line !== "");
}

/** Serializes JSON with the same indentation and ending as before. */
function print(notebook: JsonObject, before: string): string {
  const indent = /^\{\r?\n([ \t]{1,8})/.exec(before)?.[1] ?? (before.includes("\n") ? 1 : undefined);
  return JSON.stringify(notebook, undefined, indent) + (before.endsWith("\n") ? "\n" : "");
}
