import type { JsonObject } from "@agentwire/protocol";
import { textField } from "./input-fields.ts";
import { loadSeen } from "./loaded-file.ts";
import { failure } from "./outcome.ts";
import { describeChange } from "./patch.ts";
import { absolutePath, shownPath } from "./paths.ts";
import { saveFile } from "./save-file.ts";
import { encodeText, lineEnding, type TextForm, withPlainEndings } from "./text-file.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const NEW_FILE: TextForm = { encoding: "utf8", hasByteOrderMark: false };

/** Creates a file or replaces all of its text. */
export const writeTool: Tool = {
  name: "Write",
  description: `Writes a file: creates it, with the folders it needs, or replaces everything in it.
- A file that exists must have been read with Read first.
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
    shownPath(absolutePath(textField(input, "file_path"), workspace), workspace),
  run: write,
};

async function write(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const path = absolutePath(textField(input, "file_path"), workspace);
  const content = textField(input, "content");
  const loaded = await loadSeen(path, workspace.files);
  if (loaded.kind === "refused") return failure(loaded.reason);
  signal.throwIfAborted();

  const before = loaded.kind === "text" ? loaded.file : undefined;
  const text =
    before && lineEnding(before.text) === "\r\n"
      ? withPlainEndings(content).replaceAll("\n", "\r\n")
      : content;
  await workspace.beforeChange(path);
  const { mtimeMs } = await saveFile(path, encodeText(text, before ?? NEW_FILE));
  workspace.files.set(path, { mtimeMs, whole: true });

  const original = before ? withPlainEndings(before.text) : null;
  const change = await describeChange(original, withPlainEndings(content));
  if (before) workspace.edited.note(change.structuredPatch);
  else workspace.edited.noteCreated(content);
  return {
    content: `${path} has been ${before ? "replaced" : "created"}. You know its text, so there is no need to read it again.`,
    data: { type: before ? "update" : "create", filePath: path, content, ...change, userModified: false },
  };
}
