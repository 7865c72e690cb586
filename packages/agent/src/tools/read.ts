import type { Stats } from "node:fs";
import { constants, type FileHandle, open } from "node:fs/promises";
import { extname } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { statsOf } from "./file-errors.ts";
import { isSet, optionalCount, optionalText, textField } from "./input-fields.ts";
import { failure, refused } from "./outcome.ts";
import { absolutePath, pathForPeople } from "./paths.ts";
import { readLines, type TextPart } from "./read-text.ts";
import { similarName } from "./similar-name.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const BINARY = new Set(
  (
    "bin dat data obj o a lib so dll dylib exe class pyc pyo node wasm rlib jar war ear apk deb rpm msi dmg iso " +
    "zip tar gz tgz bz2 xz zst 7z rar doc docx xls xlsx ppt pptx odt ods odp sqlite sqlite3 db mdb idx parquet npy pickle " +
    "ico bmp tif tiff heic avif psd ai sketch fig blend swf mp3 wav ogg flac aac m4a mp4 avi mov mkv webm wmv ttf otf woff woff2 eot"
  ).split(" "),
);

/** Whether a file is binary according to its name: then it has no text to read, whatever its first bytes look like. */
function isBinaryName(path: string): boolean {
  return BINARY.has(extname(path).slice(1).toLowerCase());
}

const MAX_BYTES = 256 * 1024;
const MAX_BYTES_ON_REQUEST = 2 * MAX_BYTES;
const IMAGES = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** Shows the model a file. */
export const readTool: Tool = {
  name: "Read",
  description: `Reads a file of the local file system.
- Text comes with line numbers (number, tab, line): all of it up to ${MAX_BYTES / 1024} KB, or the lines that offset and limit say.
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
    if (path === "/dev/null") return { content: EMPTY, data: nothingIn(path) };
    if (!stats.isFile()) return refused(`${path} is a device, pipe or socket, which can't be read.`);
    if (isBinaryName(path)) return refused(binary(path));
    // Does not block, in case a pipe has replaced the file.
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
  if (!limit && size > maxBytes) return failure(tooLong(path, size, maxBytes));
  const range = { first: offset || 1, count: limit || Number.POSITIVE_INFINITY };
  const read = await readLines(file, range, limit ? MAX_BYTES_ON_REQUEST : maxBytes, signal);
  if (read.kind === "too long") return failure(tooLong(path, size, maxBytes));
  const { part, foreign } = read;
  workspace.files.set(path, { mtimeMs, whole: part.numLines === part.totalLines, text: part.content });
  const note = foreign === undefined ? "" : `\n\n[The file ${foreign}. ${FOREIGN}]`;
  return {
    content: `${showText(part)}${note}`,
    data: { type: "text", file: { filePath: textField(input, "file_path"), ...part } },
  };
}

const FOREIGN = "Bytes that are no text show as U+FFFD, and Edit and Write refuse it.";
const EMPTY = "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>";

function showText({ content, numLines, startLine, totalLines }: TextPart): string {
  if (totalLines === 1 && content === "" && startLine === 1) return EMPTY;
  if (numLines === 0)
    return `<system-reminder>Warning: the file exists but is shorter than the provided offset (${startLine}). The file has ${totalLines} lines.</system-reminder>`;
  return content
    .split("\n")
    .map((line, index) => `${startLine + index}\t${line}`)
    .join("\n");
}

function nothingIn(filePath: string): JsonObject {
  return { type: "text", file: { filePath, content: "", numLines: 1, startLine: 1, totalLines: 1 } };
}

function binary(path: string): string {
  return `${path} is a binary file by its name. Look into it with Bash, for example with file or xxd.`;
}

function tooLong(path: string, size: number, maxBytes: number): string {
  return `What you asked for of ${path} (${(size / 1024).toFixed(1)} KB in all) is more than the ${maxBytes / 1024} KB that can be shown at once. Use offset and limit to read a smaller part of it, or search it with Grep.`;
}

async function missing(path: string, cwd: string): Promise<string> {
  const near = await similarName(path);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `File does not exist. Note: your current working directory is ${cwd}.${hint}`;
}
