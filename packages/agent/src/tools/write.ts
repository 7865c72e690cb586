import type { JsonObject } from "@agentwire/protocol";
import { textField } from "./input-fields.ts";
import { changedSince, type LoadedFile, loadFile } from "./loaded-file.ts";
import { refused } from "./outcome.ts";
import { describeChange } from "./patch.ts";
import { absolutePath, pathForPeople } from "./paths.ts";
import { saveFile } from "./save-file.ts";
import { encodeText, type TextForm, withPlainEndings } from "./text-file.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const NEW_FILE: TextForm = { encoding: "utf8", hasByteOrderMark: false };

/** Creates a file or replaces all of its text. */
export const writeTool: Tool = {
  name: "Write",
  description: `Writes a file: creates it, with the folders it needs, or replaces everything in it.
- A file that has changed since it was read must be read again first.
- To change a part of a file use Edit, which needs fewer words and keeps the rest as it is.`,
  inputSchema: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "The file, preferably as an absolute path." },
      content: { type: "string", description: "The whole text of the file." },
    },
    required: ["file_path", "content"],
    additionalProperties: false,
  },
  isReadOnly: () => false,
  describe: (input, workspace) =>
    pathForPeople(absolutePath(textField(input, "file_path"), workspace), workspace),
  refuse: async (input, workspace) => {
    const path = absolutePath(textField(input, "file_path"), workspace);
    return problemWith(path, await loadFile(path, workspace.files));
  },
  run: write,
};

function problemWith(path: string, loaded: LoadedFile): string | undefined {
  if (loaded.kind === "refused") return loaded.reason;
  return loaded.kind === "text" && loaded.seen === "stale" ? changedSince(path) : undefined;
}

async function write(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const path = absolutePath(textField(input, "file_path"), workspace);
  const content = textField(input, "content");
  const loaded = await loadFile(path, workspace.files);
  const problem = problemWith(path, loaded);
  if (problem !== undefined) return refused(problem);
  signal.throwIfAborted();

  const before = loaded.kind === "text" ? loaded.file : undefined;
  await workspace.beforeChange(path);
  const { mtimeMs } = await saveFile(path, encodeText(content, before ?? NEW_FILE));
  workspace.files.set(path, { mtimeMs, whole: true, text: withPlainEndings(content) });

  const original = before ? withPlainEndings(before.text) : null;
  const change = await describeChange(original, withPlainEndings(content));
  const named = textField(input, "file_path");
  if (before) workspace.edited.note(change.structuredPatch);
  else workspace.edited.noteCreated(content);
  return {
    content: `${before ? `The file ${named} has been updated successfully.` : `File created successfully at: ${named}`} (You know its text: there is no need to read it again.)`,
    data: {
      type: before ? "update" : "create",
      filePath: named,
      content,
      ...change,
      userModified: false,
    },
  };
}
