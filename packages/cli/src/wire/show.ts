import type { Transcript, TranscriptLine } from "@agentwire/conformance/transcript";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { oneLine } from "../render/plain.ts";
import type { Style } from "../render/style.ts";

const SHOWN_CHARS = 140;

/** A transcript for people, with time, direction and summary of each line; for programs, the original lines. */
export function showTranscript(transcript: Transcript, style: Style, json: boolean): string {
  const print = json
    ? (entry: TranscriptLine) => `${JSON.stringify(entry)}\n`
    : (entry: TranscriptLine) => row(entry, style);
  return transcript.map(print).join("");
}

function row({ t, dir, p, raw, eof, line }: TranscriptLine, { cyan, green, dim, yellow }: Style): string {
  const who = dir === "in" ? cyan("host  →") : green("agent ←");
  const process = p !== undefined && p > 1 ? dim(` [${p}]`) : "";
  const what = eof
    ? dim("end of input")
    : raw || !isJsonObject(line)
      ? yellow(oneLine(String(line), SHOWN_CHARS))
      : summary(line);
  return `${dim(`${(Number(t) / 1000).toFixed(3).padStart(8)} s`)}${process} ${who} ${what}\n`;
}

/** The kind of a line, and a summary of its content. */
function summary(line: JsonObject): string {
  const inner = [line.request, line.response, line.event].find(isJsonObject);
  const kind = [line.type, line.subtype, inner?.subtype ?? inner?.type].filter(
    (part) => typeof part === "string",
  );
  return oneLine(`${kind.join("/")} ${about(line)}`, SHOWN_CHARS);
}

function about(line: JsonObject): string {
  const { message, result, request, event, response } = line;
  if (isJsonObject(message)) return contentOf(message.content);
  if (typeof result === "string") return result;
  if (isJsonObject(request)) return textOf(request, ["tool_name", "input", "mode", "model"]);
  if (isJsonObject(event)) return textOf(event, ["delta", "content_block"]);
  if (isJsonObject(response)) return textOf(response, ["error", "response"]);
  return textOf(line, ["model", "status", "error"]);
}

function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.filter(isJsonObject).map(blockOf).join(" | ");
}

function blockOf({ type, text, thinking, name, input, content }: JsonObject): string {
  if (typeof text === "string") return text;
  if (typeof thinking === "string") return `(${thinking})`;
  if (typeof name === "string") return `${name} ${JSON.stringify(input)}`;
  return `${type}: ${typeof content === "string" ? content : JSON.stringify(content ?? "")}`;
}

const textOf = (value: JsonObject, keys: readonly string[]) =>
  keys
    .map((key) => value[key])
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ");
