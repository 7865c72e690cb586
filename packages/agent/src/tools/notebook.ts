import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJson } from "@agentwire/protocol/support";

/** A Jupyter notebook. */
export interface Notebook {
  /** All of it, cells included. */
  readonly whole: JsonObject;
  readonly cells: readonly JsonObject[];
  readonly language: string;
}

/** Reads the JSON of a notebook; undefined if it is none. */
export function parseNotebook(text: string): Notebook | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || !Array.isArray(value.cells) || !value.cells.every(isJsonObject))
    return undefined;
  return { whole: value, cells: value.cells, language: languageOf(value) };
}

/** The id of a cell; older notebooks have none, and count. */
export function cellId(cell: JsonObject, index: number): string {
  return typeof cell.id === "string" ? cell.id : `cell-${index}`;
}

/** Text that a notebook may store as one string or as its lines. */
export function joinedText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === "string").join("");
  return typeof value === "string" ? value : "";
}

function languageOf({ metadata }: JsonObject): string {
  if (!isJsonObject(metadata)) return "python";
  for (const part of [metadata.language_info, metadata.kernelspec]) {
    const name = isJsonObject(part) ? (part.language ?? part.name) : undefined;
    if (typeof name === "string") return name;
  }
  return "python";
}
