import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { asString } from "@agentwire/protocol/support";

const MAX_SAID = 6_000;
const MAX_INPUT = 600;
const MAX_RESULT = 1_500;

/** Converts a transcript line to text to learn from; empty if it contains no spoken text. */
export function spokenText(line: JsonObject): string {
  // Skip what the program wrote itself, and summaries of material that has already been read.
  if (line.isMeta === true || line.isCompactSummary === true || line.isApiErrorMessage === true) return "";
  const { message, type } = line;
  if (!isJsonObject(message)) return "";
  const who = type === "user" ? "User" : "Agent";
  const { content } = message;
  if (typeof content === "string") return said(who, content);
  if (!Array.isArray(content)) return "";
  return content
    .map((block) => (isJsonObject(block) ? blockText(who, block) : ""))
    .filter(Boolean)
    .join("\n");
}

function blockText(who: string, block: JsonObject): string {
  switch (block.type) {
    case "text":
      return said(who, asString(block.text) ?? "");
    case "tool_use":
      return `Agent calls ${asString(block.name) ?? ""}: ${short(JSON.stringify(block.input ?? {}), MAX_INPUT)}`;
    case "tool_result": {
      const result = short(resultText(block.content), MAX_RESULT);
      return result === "" ? "" : `${block.is_error === true ? "It failed" : "It said"}: ${result}`;
    }
    case "image":
    case "document":
      return `${who}: [${block.type}]`;
    default:
      return "";
  }
}

function resultText(content: unknown): string {
  if (!Array.isArray(content)) return asString(content) ?? "";
  return content.map((part) => (isJsonObject(part) ? (asString(part.text) ?? "") : "")).join("\n");
}

function said(who: string, text: string): string {
  const trimmed = text.trim();
  return trimmed === "" ? "" : `${who}: ${short(trimmed, MAX_SAID)}`;
}

/** Keeps the beginning and a part of the end, which is often the important part of an output. */
function short(text: string, most: number): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const tail = Math.floor(most / 3);
  return `${whole.slice(0, most - tail)} […] ${whole.slice(-tail)}`;
}
