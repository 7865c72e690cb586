import type { JsonObject } from "@agentwire/protocol";
import type { CallGroup, ToolCall } from "../call-group.ts";

const change = (name: string, file: string, more: JsonObject): ToolCall => ({
  name,
  tool: "NotebookEdit",
  input: { notebook_path: `{{cwd}}/${file}`, ...more },
});
const read = (name: string, file: string, more: JsonObject = {}): ToolCall => ({
  name,
  tool: "Read",
  input: { file_path: `{{cwd}}/${file}`, ...more },
});
const bash = (name: string, command: string): ToolCall => ({ name, tool: "Bash", input: { command } });

const book = (cells: readonly JsonObject[], minor = 5) =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: minor }, null, 1)}\n`;

const CELLS = [
  { cell_type: "markdown", id: "intro", metadata: {}, source: ["# Title\n", "text"] },
  {
    cell_type: "code",
    id: "first",
    execution_count: 1,
    metadata: {},
    outputs: [{ output_type: "stream", name: "stdout", text: ["hi\n"] }],
    source: ["print('hi')"],
  },
  {
    cell_type: "code",
    id: "second",
    execution_count: 2,
    metadata: {},
    outputs: [
      { output_type: "execute_result", execution_count: 2, data: { "text/plain": ["4"] }, metadata: {} },
      {
        output_type: "error",
        ename: "ValueError",
        evalue: "bad",
        traceback: ["Traceback", "ValueError: bad"],
      },
    ],
    source: "2 + 2",
  },
  { cell_type: "raw", id: "raw", metadata: {}, source: "raw text" },
];
const WITHOUT_IDS = CELLS.slice(0, 2).map(({ id: _id, ...cell }) => cell);

/** Reading and changing notebooks. */
export const notebookCalls: CallGroup = {
  name: "notebook",
  project: [
    { path: "book.ipynb", content: book(CELLS) },
    { path: "unread.ipynb", content: book(CELLS) },
    { path: "old.ipynb", content: book(WITHOUT_IDS, 4) },
    { path: "no-cells.ipynb", content: book([]) },
    { path: "broken.ipynb", content: "{ not json" },
    { path: "other.ipynb", content: '{"a":1}' },
    { path: "empty.ipynb", content: "" },
    {
      path: "rust.ipynb",
      content: JSON.stringify({
        cells: [
          {
            cell_type: "code",
            id: "r",
            metadata: {},
            outputs: [],
            source: "fn main() {}",
            execution_count: null,
          },
        ],
        metadata: { language_info: { name: "rust" } },
        nbformat: 4,
        nbformat_minor: 5,
      }),
    },
    {
      path: "long.ipynb",
      content: book([
        {
          cell_type: "code",
          id: "long",
          metadata: {},
          execution_count: 1,
          outputs: [{ output_type: "stream", name: "stdout", text: "o".repeat(12_000) }],
          source: "loop()",
        },
      ]),
    },
    { path: "text.txt", content: "text\n" },
  ],
  calls: [
    change("a notebook that was not read", "unread.ipynb", { cell_id: "first", new_source: "x" }),
    read("cells and outputs", "book.ipynb"),
    read("from cell 2", "book.ipynb", { offset: 2, limit: 1 }),
    read("cells without ids", "old.ipynb"),
    read("no cells", "no-cells.ipynb"),
    read("broken JSON", "broken.ipynb"),
    read("JSON that is no notebook", "other.ipynb"),
    read("an empty notebook", "empty.ipynb"),
    read("another language", "rust.ipynb"),
    read("a long output", "long.ipynb"),
    change("replace a cell", "book.ipynb", { cell_id: "first", new_source: "print('bye')" }),
    bash("the outputs are gone", "grep -c outputs book.ipynb; grep bye book.ipynb"),
    change("replace by place", "book.ipynb", { cell_id: "cell-2", new_source: "3 + 3" }),
    change("replace with another type", "book.ipynb", {
      cell_id: "second",
      cell_type: "markdown",
      new_source: "now text",
    }),
    change("insert after a cell", "book.ipynb", {
      cell_id: "intro",
      cell_type: "code",
      edit_mode: "insert",
      new_source: "x = 1",
    }),
    change("insert at the top", "book.ipynb", {
      cell_type: "markdown",
      edit_mode: "insert",
      new_source: "top",
    }),
    change("insert without a type", "book.ipynb", { cell_id: "intro", edit_mode: "insert", new_source: "x" }),
    change("delete a cell", "book.ipynb", { cell_id: "raw", edit_mode: "delete", new_source: "" }),
    change("delete without an id", "book.ipynb", { edit_mode: "delete", new_source: "" }),
    change("replace without an id", "book.ipynb", { new_source: "x" }),
    change("a cell that is not there", "book.ipynb", { cell_id: "nope", new_source: "x" }),
    change("a place that is not there", "book.ipynb", { cell_id: "cell-99", new_source: "x" }),
    change("a type that is none", "book.ipynb", { cell_id: "intro", cell_type: "raw", new_source: "x" }),
    change("a mode that is none", "book.ipynb", { cell_id: "intro", edit_mode: "append", new_source: "x" }),
    change("no source", "book.ipynb", { cell_id: "intro" }),
    change("a file that is no notebook", "text.txt", { cell_id: "a", new_source: "x" }),
    change("a missing notebook", "missing.ipynb", { cell_id: "a", new_source: "x" }),
    change("a broken notebook", "broken.ipynb", { cell_id: "a", new_source: "x" }),
    change("replace a cell without an id", "old.ipynb", { cell_id: "cell-0", new_source: "# New" }),
    change("insert into a notebook without ids", "old.ipynb", {
      cell_id: "cell-0",
      cell_type: "code",
      edit_mode: "insert",
      new_source: "y",
    }),
    read("the notebook afterwards", "old.ipynb"),
    bash("an outside change", "touch -d 2030-01-01 old.ipynb"),
    change("after an outside change", "old.ipynb", { cell_id: "cell-0", new_source: "z" }),
  ],
};
