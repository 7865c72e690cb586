import { extname } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { replaceText } from "./edit-text.ts";
import { isSet, textField } from "./input-fields.ts";
import { changedSince, type LoadedFile, loadFile, type Seen } from "./loaded-file.ts";
import { refused } from "./outcome.ts";
import { describeChange } from "./patch.ts";
import { absolutePath, pathForPeople } from "./paths.ts";
import { saveFile } from "./save-file.ts";
import { similarName } from "./similar-name.ts";
import { encodeText, type TextForm, withPlainEndings } from "./text-file.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const MAX_REPEATED_CHARACTERS = 1000;

/** Replaces a piece of text in a file. */
export const editTool: Tool = {
  name: "Edit",
  description: `Replaces text in a file. Read it first to know what it has.
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
    pathForPeople(absolutePath(textField(input, "file_path"), workspace), workspace),
  tidy: withoutTrailingSpaces,
  refuse: async (input, workspace) => {
    const edited = await plan(readEdit(input, workspace), workspace);
    return "problem" in edited ? edited.problem : undefined;
  },
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
      /** Undefined for a new file. */
      readonly before?: string;
      readonly after: string;
      readonly form: TextForm;
      readonly count: number;
      /** The text it replaced, as it was in the file. */
      readonly old: string;
      readonly seen: Seen;
    }
  | { readonly problem: string };

// Models leave unwanted spaces at the ends of lines; only in Markdown do these have a meaning.
function withoutTrailingSpaces(input: JsonObject): JsonObject {
  const { file_path, new_string } = input;
  if (typeof new_string !== "string" || /\.mdx?$/i.test(String(file_path))) return input;
  const lines = new_string.split("\n").map((line) => line.trimEnd() + (line.endsWith("\r") ? "\r" : ""));
  return { ...input, new_string: lines.join("\n") };
}

function readEdit(input: JsonObject, workspace: Workspace): EditInput {
  return {
    path: absolutePath(textField(input, "file_path"), workspace),
    old: textField(input, "old_string"),
    new: textField(input, "new_string"),
    all: isSet(input, "replace_all"),
  };
}

/** The result of an edit, or why it can't be made. */
async function plan(wanted: EditInput, { files, cwd }: Workspace): Promise<Edited> {
  const { path } = wanted;
  if (wanted.old === wanted.new)
    return { problem: "No changes to make: old_string and new_string are exactly the same." };
  if (extname(path).toLowerCase() === ".ipynb" && wanted.old !== "")
    return { problem: `${path} is a notebook. Use NotebookEdit to change its cells.` };
  return apply(wanted, await loadFile(path, files), cwd);
}

async function edit(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const wanted = readEdit(input, workspace);
  const { path } = wanted;
  const edited = await plan(wanted, workspace);
  if ("problem" in edited) return refused(edited.problem);
  signal.throwIfAborted();

  await workspace.beforeChange(path);
  const { mtimeMs } = await saveFile(path, encodeText(edited.after, edited.form));
  const isKnown = edited.seen === "current";
  workspace.files.set(path, { mtimeMs, whole: isKnown, text: withPlainEndings(edited.after) });

  const before = edited.before === undefined ? "" : withPlainEndings(edited.before);
  const change = await describeChange(before, withPlainEndings(edited.after));
  if (edited.before === undefined) workspace.edited.noteCreated(edited.after);
  else workspace.edited.note(change.structuredPatch);
  return {
    content: `The file ${textField(input, "file_path")} has been ${deedOf(wanted)}${remarkOn(edited.seen)}`,
    data: {
      filePath: textField(input, "file_path"),
      oldString: edited.old,
      newString: wanted.new,
      originalFile: change.originalFile,
      structuredPatch: change.structuredPatch,
      userModified: false,
      replaceAll: wanted.all,
      ...(edited.seen === "stale" && { staleRecovered: true }),
      ...(!isKnown && { contentNotInModelContext: true }),
    },
  };
}

function deedOf({ all }: EditInput): string {
  return all ? "updated. All occurrences were successfully replaced." : "updated successfully.";
}

function remarkOn(seen: Seen): string {
  if (seen === "current") return " (You know its text: there is no need to read it again.)";
  if (seen !== "stale") return "";
  return " (It had changed since you read it: read it again before edits that depend on the rest of it.)";
}

async function apply(wanted: EditInput, loaded: LoadedFile, cwd: string): Promise<Edited> {
  if (loaded.kind === "refused") return { problem: loaded.reason };
  if (wanted.old === "") {
    if (loaded.kind === "text" && loaded.file.text !== "") {
      return { problem: "Cannot create new file - file already exists." };
    }
    const form: TextForm =
      loaded.kind === "text" ? loaded.file : { encoding: "utf8", hasByteOrderMark: false };
    const before = loaded.kind === "text" ? { before: "" } : {};
    return { ...before, after: wanted.new, form, count: 1, old: "", seen: "current" };
  }
  if (loaded.kind === "none") {
    const near = await similarName(wanted.path);
    return {
      problem: `File does not exist. Note: your current working directory is ${cwd}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    };
  }
  const { file, seen } = loaded;
  const replaced = replaceText(file.text, wanted);
  if (replaced.ok) {
    const { text: after, count, found: old } = replaced;
    return { before: file.text, after, form: file, count, old, seen };
  }
  if (seen === "stale") return { problem: changedSince(wanted.path) };
  return { problem: replaced.found === 0 ? notFound(wanted) : ambiguous(wanted, replaced.found) };
}

function notFound({ old }: EditInput): string {
  const hint = /^\s*\d+\t/.test(old) ? " Leave out the line numbers that Read shows." : "";
  return `String to replace not found in file.${hint}\nString: ${excerpt(old)}`;
}

function ambiguous({ old }: EditInput, found: number): string {
  return `Found ${found} matches of the string to replace, but replace_all is false. Include more of the text around the place you mean, or set replace_all to change all of them.\nString: ${excerpt(old)}`;
}

function excerpt(text: string): string {
  return text.length <= MAX_REPEATED_CHARACTERS ? text : `${text.slice(0, MAX_REPEATED_CHARACTERS)}…`;
}
