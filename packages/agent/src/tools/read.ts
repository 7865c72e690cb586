import type { Stats } from "node:fs";
import { constants, type FileHandle, open } from "node:fs/promises";
import { extname } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { statsOf } from "./file-errors.ts";
import { isSet, optionalCount, optionalText, textField } from "./input-fields.ts";
import { nearName } from "./near-name.ts";
import { failure } from "./outcome.ts";
import { absolutePath, pathForPeople } from "./paths.ts";
import { readLines, type TextPart } from "./read-text.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const MAX_LINES = 2000;
const MAX_BYTES = 256 * 1024;
const MAX_BYTES_ON_REQUEST = 2 * MAX_BYTES;
const IMAGES = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** Shows the model a file. */
export const readTool: Tool = {
  name: "Read",
  description: `Reads a file of the local file system.
- Text comes with line numbers (number, tab, line): at most ${MAX_LINES} lines from the start unless offset and limit say otherwise.
- Images (PNG, JPEG, GIF, WebP) are shown as pictures, PDF files as documents, notebooks (.ipynb) as cells with their outputs.
- Folders can't be read: list them with Bash or Glob.
- Read several files at once by making several calls.`,
  inputSchema: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "The file, preferably as an absolute path." },
      offset: { type: "integer", description: "The first line to show, counted from 1." },
      limit: { type: "integer", description: "How many lines to show." },
      pages: {
        type: "string",
        description: 'For PDF files: only these pages, such as "3" or "2-5", at most 20.',
      },
      allow_large: {
        type: "boolean",
        description: `Show up to ${MAX_BYTES_ON_REQUEST / 1024} KB of text instead of ${MAX_BYTES / 1024} KB. Only when all of it is really needed.`,
      },
    },
    required: ["file_path"],
    additionalProperties: false,
  },
  isReadOnly: () => true,
  describe: (input, workspace) =>
    pathForPeople(absolutePath(textField(input, "file_path"), workspace), workspace),
  show: ({ file }) => (isJsonObject(file) && typeof file.content === "string" ? file.content : undefined),
  run: async (input, context) => {
    const path = absolutePath(textField(input, "file_path"), context.workspace);
    const stats = await statsOf(path);
    if (!stats) return failure(await missing(path, context.workspace.cwd));
    if (stats.isDirectory()) return failure(`${path} is a folder. List it with Glob, or with ls in Bash.`);
    if (!stats.isFile()) return failure(`${path} is a device, pipe or socket, which can't be read.`);
    // Without blocking, in case a pipe has taken the file's place.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await readFile(file, path, input, context);
    } finally {
      await file.close();
    }
  },
};

async function readFile(
  file: FileHandle,
  path: string,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  const stats = await file.stat();
  const type = extname(path).toLowerCase();
  if (IMAGES.has(type)) return (await import("./read-image.ts")).readImage(file, path, stats.size);
  if (type === ".pdf") {
    const { readPdf } = await import("./read-pdf.ts");
    return readPdf(file, path, stats.size, optionalText(input, "pages"), context);
  }
  if (type !== ".ipynb") return readText(file, path, stats, input, context);
  const outcome = await (await import("./read-notebook.ts")).readNotebook(file, path, stats.size);
  if (!outcome.isError) context.workspace.files.set(path, { mtimeMs: stats.mtimeMs, whole: true });
  return outcome;
}

async function readText(
  file: FileHandle,
  path: string,
  { size, mtimeMs }: Stats,
  input: JsonObject,
  { workspace, signal }: ToolContext,
): Promise<ToolOutcome> {
  const maxBytes = isSet(input, "allow_large") ? MAX_BYTES_ON_REQUEST : MAX_BYTES;
  const offset = optionalCount(input, "offset");
  const limit = optionalCount(input, "limit");
  const isWhole = !offset && !limit;
  if (isWhole && size > maxBytes) return failure(tooLong(path, size, maxBytes));
  const range = { first: offset || 1, count: limit || MAX_LINES };
  const read = await readLines(file, range, maxBytes, signal);
  if (read.kind === "too long") return failure(tooLong(path, size, maxBytes));
  if (read.kind === "binary") {
    return failure(`${path} is a binary file. Look into it with Bash, for example with file or xxd.`);
  }
  const { part } = read;
  workspace.files.set(path, { mtimeMs, whole: part.numLines === part.totalLines });
  return {
    content: showText(part, !limit),
    data: { type: "text", file: { filePath: textField(input, "file_path"), ...part } },
  };
}

function showText(part: TextPart, isLimitOurs: boolean): string {
  const { content, numLines, startLine, totalLines } = part;
  if (totalLines === 1 && content === "") return "(The file exists but is empty.)";
  if (numLines === 0) return `(There is no line ${startLine}: the file has ${totalLines} lines.)`;
  const lines = content.split("\n").map((line, index) => `${startLine + index}\t${line}`);
  const last = startLine + numLines - 1;
  if (isLimitOurs && last < totalLines) {
    lines.push(
      "",
      `(These are lines ${startLine} to ${last} of ${totalLines}; use offset and limit to see more.)`,
    );
  }
  return lines.join("\n");
}

function tooLong(path: string, size: number, maxBytes: number): string {
  return `What you asked for of ${path} (${(size / 1024).toFixed(1)} KB in all) is more than the ${maxBytes / 1024} KB that can be shown at once. Use offset and limit to read a smaller part of it, or search it with Grep.`;
}

async function missing(path: string, cwd: string): Promise<string> {
  const near = await nearName(path);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `File does not exist: ${path}. The current folder is ${cwd}.${hint}`;
}
