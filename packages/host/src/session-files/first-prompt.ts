import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { linesOf, objectIn, says } from "./scan.ts";

const MAX_LENGTH = 200;
/** What the agent wrote in the user's name: a tag at the start, or the note about an interrupt. */
const NOT_TYPED = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/;
const COMMAND = /<command-name>(.*?)<\/command-name>/;
const SHELL = /<bash-input>([\s\S]*?)<\/bash-input>/;

/** What a line says as a prompt: text that somebody typed, or only the name of a command. */
export type PromptText = { readonly typed: string } | { readonly command: string } | undefined;

/** Reads what somebody typed out of a line of a transcript. */
export function promptText(entry: JsonObject): PromptText {
  if (entry.type !== "user" || entry.isMeta === true || entry.isCompactSummary === true) return undefined;
  const texts = textsOf(isJsonObject(entry.message) ? entry.message.content : undefined);
  let command: string | undefined;
  for (const text of texts ?? []) {
    const line = text.replaceAll("\n", " ").trim();
    const named = COMMAND.exec(line)?.[1];
    const shell = SHELL.exec(line)?.[1];
    if (line === "") continue;
    if (named !== undefined) command ||= named;
    else if (shell !== undefined) return { typed: `! ${shell.trim()}` };
    else if (!NOT_TYPED.test(line)) return { typed: shortened(line) };
  }
  return command ? { command } : undefined;
}

/** The first prompt in the beginning of a transcript; a command's name only where nothing was typed. */
export function firstPrompt(head: string): string | undefined {
  let command: string | undefined;
  for (const line of linesOf(head)) {
    if (!mayBePrompt(line) || says(line, "isCompactSummary", "true")) continue;
    const text = promptText(objectIn(line) ?? {});
    if (text && "typed" in text) return text.typed;
    command ??= text?.command;
  }
  return command;
}

/** What to call a prompt that has no text. */
export function promptKind(head: string): string | undefined {
  for (const line of linesOf(head)) {
    if (!mayBePrompt(line)) continue;
    if (says(line, "type", '"image"')) return "Image";
    if (says(line, "type", '"document"')) return "Document";
  }
  return undefined;
}

const mayBePrompt = (line: string) =>
  says(line, "type", '"user"') && !line.includes('"tool_result"') && !says(line, "isMeta", "true");

/** The texts of a prompt; undefined for a tool's result. */
function textsOf(content: unknown): string[] | undefined {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  const blocks = content.filter(isJsonObject);
  if (blocks.some(({ type }) => type === "tool_result")) return undefined;
  return blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const cut = text.slice(0, MAX_LENGTH);
  // Half a character would not survive being written.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1).trim() : cut.trim()}…`;
}
