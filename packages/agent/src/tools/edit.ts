import { extname } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { replaceText } from "./edit-text.ts";
import { isSet, textField } from "./input-fields.ts";
import { type LoadedFile, loadSeen } from "./loaded-file.ts";
import { nearName } from "./near-name.ts";
import { failure } from "./outcome.ts";
import { describeChange } from "./patch.ts";
import { absolutePath, shownPath } from "./paths.ts";
import { saveFile } from "./save-file.ts";
import { encodeText, type TextForm, withPlainEndings } from "./text-file.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const MAX_REPEATED_CHARACTERS = 1000;

/** Replaces a piece of text in a file. */
export const editTool: Tool = {
  name: "Edit",
  description: `Replaces text in a file that has been read with Read.
- old_string must be exactly what the file has, with its indentation but without the line number and tab that Read puts before each line.
- old_string must occur only once: include enough of what is around it, or set replace_all to change every occurrence.
- An empty old_string creates a new file with new_string as its text.`,
  inputSchema: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "The file, preferably as an absolute path." },
      old_string: { type: "string", description: "The text to replace." },
      new_string: { type: "string", description: "The text to put in its place." },
      replace_all: { type: "boolean", default: false, description: "Replace every occurrence." },
    },
    required: ["file_path", "old_string", "new_string"],
    additionalProperties: false,
  },
  isReadOnly: () => false,
  describe: (input, workspace) =>
    shownPath(absolutePath(textField(input, "file_path"), workspace), workspace),
  run: edit,
};

interface EditInput {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

type Edited =
  | {
      readonly before: string | null;
      readonly after: string;
      readonly form: TextForm;
      readonly count: number;
    }
  | { readonly problem: string };

async function edit(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const wanted: EditInput = {
    path: absolutePath(textField(input, "file_path"), workspace),
    old: textField(input, "old_string"),
    new: textField(input, "new_string"),
    all: isSet(input, "replace_all"),
  };
  const { path } = wanted;
  if (wanted.old === wanted.new)
    return failure("There is nothing to change: old_string and new_string are the same.");
  if (extname(path).toLowerCase() === ".ipynb" && wanted.old !== "") {
    return failure(`${path} is a notebook. Use NotebookEdit to change its cells.`);
  }
  const edited = await apply(wanted, await loadSeen(path, workspace.files));
  if ("problem" in edited) return failure(edited.problem);
  signal.throwIfAborted();

  await workspace.beforeChange(path);
  const { mtimeMs } = await saveFile(path, encodeText(edited.after, edited.form));
  workspace.files.set(path, { mtimeMs, whole: workspace.files.get(path)?.whole ?? true });

  const before = edited.before === null ? null : withPlainEndings(edited.before);
  const change = await describeChange(before, withPlainEndings(edited.after));
  if (before === null) workspace.edited.noteCreated(edited.after);
  else workspace.edited.note(change.structuredPatch);
  const what =
    edited.before === null ? "created" : edited.count > 1 ? `changed in ${edited.count} places` : "changed";
  return {
    content: `${path} has been ${what}. You know its text, so there is no need to read it again.`,
    data: {
      filePath: path,
      oldString: wanted.old,
      newString: wanted.new,
      originalFile: change.originalFile,
      structuredPatch: change.structuredPatch,
      userModified: false,
      replaceAll: wanted.all,
    },
  };
}

async function apply(wanted: EditInput, loaded: LoadedFile): Promise<Edited> {
  if (loaded.kind === "refused") return { problem: loaded.reason };
  if (wanted.old === "") {
    if (loaded.kind === "text" && loaded.file.text !== "") {
      return {
        problem: `${wanted.path} exists already and is not empty, so old_string must say what to replace.`,
      };
    }
    const form: TextForm =
      loaded.kind === "text" ? loaded.file : { encoding: "utf8", hasByteOrderMark: false };
    return { before: loaded.kind === "text" ? "" : null, after: wanted.new, form, count: 1 };
  }
  if (loaded.kind === "none") {
    const near = await nearName(wanted.path);
    return {
      problem: `File does not exist: ${wanted.path}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    };
  }
  const { file } = loaded;
  const replaced = replaceText(file.text, wanted);
  if (replaced.ok) return { before: file.text, after: replaced.text, form: file, count: replaced.count };
  return { problem: replaced.found === 0 ? notFound(wanted) : ambiguous(wanted, replaced.found) };
}

function notFound({ path, old }: EditInput): string {
  const hint = /^\s*\d+\t/.test(old)
    ? " Leave out the line numbers that Read shows."
    : " Check its spaces and line breaks against the file.";
  return `old_string was not found in ${path}.${hint}\nold_string: ${excerpt(old)}`;
}

function ambiguous({ path, old }: EditInput, found: number): string {
  return `old_string occurs ${found} times in ${path}. Include more of the text around the place you mean, or set replace_all to change all of them.\nold_string: ${excerpt(old)}`;
}

function excerpt(text: string): string {
  return text.length <= MAX_REPEATED_CHARACTERS ? text : `${text.slice(0, MAX_REPEATED_CHARACTERS)}…`;
}
