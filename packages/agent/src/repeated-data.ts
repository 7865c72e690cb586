import { isJsonObject } from "@agentwire/protocol";
import type { ToolOutcome } from "./tools/tool.ts";

/** Pictures and documents up to this length stand in a result's data as well; twice that and the rest of a line stay below 1 MiB, which is as much as some hosts read. */
const MAX_REPEATED_CHARS = 480_000;

/** The data of a result without the pictures and documents that its content holds, if those are long: an empty text is in their place. */
export function withoutRepeats(data: unknown, content: ToolOutcome["content"]): unknown {
  const inlined = typeof content === "string" ? [] : content.flatMap(inlinedIn);
  const length = inlined.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_REPEATED_CHARS ? without(data, inlined) : data;
}

function inlinedIn(block: object): readonly string[] {
  const source = "source" in block ? block.source : undefined;
  return isJsonObject(source) && typeof source.data === "string" && source.data !== "" ? [source.data] : [];
}

function without(value: unknown, texts: readonly string[]): unknown {
  // A command's picture is in its data as a URL.
  if (typeof value === "string") return texts.some((text) => value.endsWith(text)) ? "" : value;
  if (Array.isArray(value)) return value.map((item) => without(item, texts));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, without(part, texts)]));
}
