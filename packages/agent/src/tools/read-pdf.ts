import type { FileHandle } from "node:fs/promises";
import { failure } from "./outcome.ts";
import type { ToolOutcome } from "./tool.ts";

const MAX_BYTES = 10 * 1024 * 1024;
// What the Messages API takes in one document.
const MAX_PAGES = 100;

/** Reads a PDF for the model; `pages` tells which part matters, as in "3" or "2-5". */
export async function readPdf(
  file: FileHandle,
  path: string,
  size: number,
  pages: string | undefined,
): Promise<ToolOutcome> {
  const split =
    "Extract the pages you need into a file of their own with Bash, for example with qpdf or pdftotext.";
  if (size > MAX_BYTES)
    return failure(`The PDF ${path} has ${size} bytes, and at most ${MAX_BYTES} can be read. ${split}`);
  const bytes = await file.readFile();
  if (!bytes.subarray(0, 1024).includes("%PDF-")) return failure(`${path} is not a valid PDF file.`);
  const count = countPages(bytes);
  if (count > MAX_PAGES)
    return failure(`The PDF ${path} has ${count} pages, and at most ${MAX_PAGES} can be read. ${split}`);
  const range = pages === undefined ? undefined : parseRange(pages);
  if (pages !== undefined && !range)
    return failure(`"${pages}" is not a range of pages: write "3" or "2-5".`);
  if (range && count > 0 && range.last > count) return failure(`The PDF ${path} has only ${count} pages.`);
  const base64 = bytes.toString("base64");
  const about = `PDF file ${path}${count > 0 ? `, ${count} pages` : ""}`;
  const wanted = range ? `. It is complete; look at pages ${range.first} to ${range.last}.` : ".";
  return {
    content: [
      { type: "text", text: about + wanted },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: base64 } },
    ],
    data: { type: "pdf", file: { filePath: path, base64, originalSize: bytes.length } },
  };
}

/** The number of page objects in plain sight; 0 if they are compressed. */
function countPages(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf("/Type"); at !== -1; at = bytes.indexOf("/Type", at + 5)) {
    if (/^\/Type\s{0,4}\/Page(?![A-Za-z])/.test(bytes.toString("latin1", at, at + 16))) count++;
  }
  return count;
}

function parseRange(pages: string): { readonly first: number; readonly last: number } | undefined {
  const match = /^\s{0,4}(\d{1,6})(?:\s{0,4}-\s{0,4}(\d{1,6}))?\s{0,4}$/.exec(pages);
  if (!match) return undefined;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  return first >= 1 && first <= last ? { first, last } : undefined;
}
