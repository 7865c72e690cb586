import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { failure } from "./outcome.ts";
import { type PageRange, renderPages } from "./pdf-pages.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

const MAX_BYTES = 10 * 1024 * 1024;
// The limits of the Messages API for one document and for one image.
const MAX_PAGES = 100;
const MAX_PICTURE_BYTES = 3.75 * 1024 * 1024;
/** How many pages are shown as images at once. */
const MAX_PICTURES = 20;

/** Reads a PDF for the model: all of it as a document, or some `pages` ("3", "2-5") as images. */
export async function readPdf(
  file: FileHandle,
  path: string,
  size: number,
  pages: string | undefined,
  context: ToolContext,
): Promise<ToolOutcome> {
  const range = pages === undefined ? undefined : parseRange(pages);
  if (pages !== undefined && !range)
    return failure(`"${pages}" is not a range of pages: write "3" or "2-5".`);
  const isSmall = size <= MAX_BYTES;
  const bytes = isSmall ? await file.readFile() : Buffer.alloc(1024);
  if (!isSmall) await file.read(bytes, 0, bytes.length, 0);
  if (!bytes.subarray(0, 1024).includes("%PDF-")) return failure(`${path} is not a valid PDF file.`);
  const count = isSmall ? countPages(bytes) : 0;
  if (range && count > 0 && range.last > count) return failure(`The PDF ${path} has only ${count} pages.`);
  const isWhole = !range || (range.first === 1 && range.last === count);
  if (!isWhole) return showPages(path, size, range, context);
  const some = `Read some pages of it, at most ${MAX_PICTURES} at once.`;
  if (!isSmall)
    return failure(`The PDF ${path} has ${size} bytes, and at most ${MAX_BYTES} can be read. ${some}`);
  if (count > MAX_PAGES)
    return failure(`The PDF ${path} has ${count} pages, and at most ${MAX_PAGES} can be read. ${some}`);
  const base64 = bytes.toString("base64");
  return {
    content: [
      { type: "text", text: `PDF file ${path}${count > 0 ? `, ${count} pages` : ""}.` },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: base64 } },
    ],
    data: { type: "pdf", file: { filePath: path, base64, originalSize: size } },
  };
}

async function showPages(
  path: string,
  size: number,
  range: PageRange,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { first, last } = range;
  if (last - first >= MAX_PICTURES) return failure(`At most ${MAX_PICTURES} pages can be read at once.`);
  const outputDir = join(context.workspace.outputFolder, `pdf-${context.callId.replace(/\W/g, "-")}`);
  const pictures = await renderPages(path, range, outputDir, context);
  if (pictures.length === 0) return failure(`The PDF ${path} has no page ${first}.`);
  const content = pictures.flatMap((picture, index): ContentBlock[] => [
    { type: "text", text: `Page ${first + index} of ${path}:` },
    picture.length > MAX_PICTURE_BYTES
      ? { type: "text", text: "(Its picture is too large to be shown.)" }
      : {
          type: "image",
          source: { type: "base64", media_type: "image/jpeg", data: picture.toString("base64") },
        },
  ]);
  const file = { filePath: path, originalSize: size, count: pictures.length, outputDir };
  return { content, data: { type: "parts", file, firstPage: first } };
}

/** The number of uncompressed page objects; 0 if they are compressed. */
function countPages(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf("/Type"); at !== -1; at = bytes.indexOf("/Type", at + 5)) {
    if (/^\/Type\s{0,4}\/Page(?![A-Za-z])/.test(bytes.toString("latin1", at, at + 16))) count++;
  }
  return count;
}

function parseRange(pages: string): PageRange | undefined {
  const match = /^\s{0,4}(\d{1,6})(?:\s{0,4}-\s{0,4}(\d{1,6}))?\s{0,4}$/.exec(pages);
  if (!match) return undefined;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  return first >= 1 && first <= last ? { first, last } : undefined;
}
