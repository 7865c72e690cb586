import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJson } from "@agentwire/protocol/support";

/** A Jupyter notebook. */
export interface Notebook {
  /** The whole notebook, including cells. */
  readonly whole: JsonObject;
  readonly cells: readonly JsonObject[];
  readonly language: string;
}

/** Parses the JSON of a notebook; undefined if it is not one. */
export function parseNotebook(text: string): Notebook | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || !Array.isArray(value.cells) || !value.cells.every(isJsonObject))
    return undefined;
  return { whole: value, cells: value.cells, language: languageOf(value) };
}

/** The id of a cell; in older notebooks, which have none, an id made from its index. */
export function cellId(cell: JsonObject, index: number): string {
  return typeof cell.id === "string" ? cell.id : `cell-${index}`;
}

/** Text that a notebook may store as one string or as a list of lines. */
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
