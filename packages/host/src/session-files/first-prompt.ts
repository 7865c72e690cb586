import { INTERRUPTED } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { hasLiteral, linesOf, objectIn } from "./scan.ts";

const MAX_LENGTH = 200;
/** Lines that the agent writes in the user's name begin with a tag. */
const TAGGED = /^<[a-z][A-Za-z0-9_-]*[>\s]/;

/** The prompt in a line: typed text, or only the name of a command. */
export type PromptText = { readonly typed: string } | { readonly command: string } | undefined;

/** Reads the typed text of a line of a transcript. */
export function promptText(entry: JsonObject): PromptText {
  if (entry.type !== "user" || entry.isMeta === true || entry.isCompactSummary === true) return undefined;
  const texts = textsOf(isJsonObject(entry.message) ? entry.message.content : undefined);
  let command: string | undefined;
  for (const text of texts ?? []) {
    const line = text.replaceAll("\n", " ").trim();
    const named = inside(line, "command-name");
    const shell = inside(line, "bash-input");
    if (line === "") continue;
    if (named !== undefined) command ||= named;
    else if (shell !== undefined) return { typed: `! ${shell.trim()}` };
    else if (!isNote(line)) return { typed: shortened(line) };
  }
  return command ? { command } : undefined;
}

/** The first prompt in the head of a transcript; a command's name only if nothing was typed. */
export function firstPrompt(head: string): string | undefined {
  let command: string | undefined;
  for (const line of linesOf(head)) {
    if (!mayBePrompt(line) || hasLiteral(line, "isCompactSummary", "true")) continue;
    const text = promptText(objectIn(line) ?? {});
    if (text && "typed" in text) return text.typed;
    command ??= text?.command;
  }
  return command;
}

/** A label for a prompt without text. */
export function promptKind(head: string): string | undefined {
  for (const line of linesOf(head)) {
    if (!mayBePrompt(line)) continue;
    if (hasLiteral(line, "type", '"image"')) return "Image";
    if (hasLiteral(line, "type", '"document"')) return "Document";
  }
  return undefined;
}

const isNote = (line: string) => TAGGED.test(line) || (line.startsWith(INTERRUPTED) && line.includes("]"));

/** The text between a tag and its closing tag. */
function inside(line: string, tag: string): string | undefined {
  const [start, end] = [`<${tag}>`, `</${tag}>`];
  const at = line.indexOf(start);
  const until = at < 0 ? -1 : line.indexOf(end, at + start.length);
  return until < 0 ? undefined : line.slice(at + start.length, until);
}

const mayBePrompt = (line: string) =>
  hasLiteral(line, "type", '"user"') &&
  !line.includes('"tool_result"') &&
  !hasLiteral(line, "isMeta", "true");

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
  // Half a surrogate pair would not survive being written.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1).trim() : cut.trim()}…`;
}
