import type { FileHandle } from "node:fs/promises";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { cellId, joinedText, type Notebook, parseNotebook } from "./notebook.ts";
import { failure } from "./outcome.ts";
import { decodeText } from "./text-file.ts";
import type { ToolOutcome } from "./tool.ts";

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_SHOWN_CHARACTERS = 256 * 1024;
const MAX_OUTPUT_CHARACTERS = 10_000;
const MAX_IMAGE_CHARACTERS = 1024 * 1024;

interface ShownOutput {
  readonly output_type: string;
  readonly text?: string;
  readonly image?: { readonly image_data: string; readonly media_type: "image/png" | "image/jpeg" };
}

interface ShownCell {
  readonly cellType: string;
  readonly source: string;
  readonly cell_id: string;
  readonly language?: string;
  readonly execution_count?: number;
  readonly outputs?: readonly ShownOutput[];
}

/** Reads a notebook: its cells with their outputs, including images. */
export async function readNotebook(file: FileHandle, path: string, size: number): Promise<ToolOutcome> {
  if (size > MAX_FILE_BYTES) return failure(tooLarge(path));
  const notebook = parseNotebook(decodeText(await file.readFile()).text);
  if (!notebook)
    return failure(`${path} is not a valid notebook. Read it as text with Bash to see what is wrong.`);
  const cells = notebook.cells.map((cell, index) => showCell(cell, index, notebook));
  if (JSON.stringify(cells).length > MAX_SHOWN_CHARACTERS + MAX_IMAGE_CHARACTERS)
    return failure(tooLarge(path));
  const content = cells.length === 0 ? "(Read completed with no output)" : cells.flatMap(blocksOf);
  return { content, data: { type: "notebook", file: { filePath: path, cells } } };
}

function tooLarge(path: string): string {
  return `The notebook ${path} is too large to show. Look at parts of it with Bash, for example: jq '.cells[:20]'.`;
}

function showCell(cell: JsonObject, index: number, { language }: Notebook): ShownCell {
  const cellType = typeof cell.cell_type === "string" ? cell.cell_type : "raw";
  const common = { cellType, source: joinedText(cell.source), cell_id: cellId(cell, index) };
  if (cellType !== "code") return common;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isJsonObject).map(showOutput) : [];
  return {
    ...common,
    language,
    ...(typeof cell.execution_count === "number" && { execution_count: cell.execution_count }),
    ...(outputs.length > 0 && { outputs }),
  };
}

function showOutput(output: JsonObject): ShownOutput {
  const output_type = typeof output.output_type === "string" ? output.output_type : "unknown";
  const data = isJsonObject(output.data) ? output.data : {};
  const image = imageOf(data);
  const text = cut(
    output_type === "error" ? errorText(output) : joinedText(output.text ?? data["text/plain"]),
  );
  return { output_type, ...(text !== "" && { text }), ...(image && { image }) };
}

function errorText({ ename, evalue, traceback }: JsonObject): string {
  const trace = Array.isArray(traceback)
    ? traceback.filter((line) => typeof line === "string").join("\n")
    : "";
  return [`${ename}: ${evalue}`, trace].filter(Boolean).join("\n");
}

function imageOf(data: JsonObject): ShownOutput["image"] {
  for (const media_type of ["image/png", "image/jpeg"] as const) {
    const image_data = joinedText(data[media_type]).replace(/\s/g, "");
    if (image_data !== "" && image_data.length <= MAX_IMAGE_CHARACTERS) return { image_data, media_type };
  }
  return undefined;
}

function cut(text: string): string {
  if (text.length <= MAX_OUTPUT_CHARACTERS) return text;
  return `${text.slice(0, MAX_OUTPUT_CHARACTERS)}\n[${text.length - MAX_OUTPUT_CHARACTERS} more characters]`;
}

function blocksOf(cell: ShownCell): readonly ContentBlock[] {
  const { cell_id: id, cellType, language, source } = cell;
  const kind = cellType === "code" ? "" : `<cell_type>${cellType}</cell_type>`;
  // Nearly all notebooks are in Python: only other languages are worth mentioning.
  const tongue = language === undefined || language === "python" ? "" : `<language>${language}</language>`;
  const blocks: ContentBlock[] = [
    { type: "text", text: `<cell id="${id}">${kind}${tongue}${source}</cell id="${id}">` },
  ];
  for (const { text, image } of cell.outputs ?? []) {
    if (text !== undefined) blocks.push({ type: "text", text: `\n${text}` });
    if (image) {
      const { media_type, image_data } = image;
      blocks.push({ type: "image", source: { type: "base64", media_type, data: image_data } });
    }
  }
  return blocks;
}
