import type { ContentBlock } from "@agentwire/protocol/messages";
import { blocksOf, type HistoryMessage } from "../turn/history.ts";

/** Longer calls and results are truncated. */
const MAX_CHARS = 2_000;

/** A conversation as readable text: what was said, which tools were called, and their results. */
export function exportText(messages: readonly HistoryMessage[]): string {
  const parts = messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block) => describe(role, block)),
  );
  return parts.map((part) => `\n${part}`).join("\n");
}

/** A file name for the conversation, made of the time and its first words. */
export function fileName(messages: readonly HistoryMessage[], now: Date): string {
  const [date, time] = now.toISOString().slice(0, 19).split("T") as [string, string];
  const moment = `${date}-${time.replaceAll(":", "")}`;
  const first = messages.flatMap(({ role, content }) =>
    role === "user" ? blocksOf(content).filter(isSaid) : [],
  );
  const words = first[0]?.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.slice(0, 6).join("-").slice(0, 50);
  return name === "" ? `conversation-${moment}.txt` : `${moment}-${name}.txt`;
}

function describe(role: HistoryMessage["role"], block: ContentBlock): readonly string[] {
  if (isSaid(block)) return [`${role === "user" ? "❯" : "●"} ${block.text}`];
  if (block.type === "tool_use") return [`● ${block.name}(${cut(JSON.stringify(block.input))})`];
  if (block.type === "tool_result") return [`  ⎿  ${cut(resultText(block.content))}`];
  return [];
}

/** Leaves out reminders, which the agent itself adds to the conversation. */
const isSaid = (block: ContentBlock): block is ContentBlock & { type: "text"; text: string } =>
  block.type === "text" && !block.text.startsWith("<system-reminder>");

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(({ type, text }) => (type === "text" ? text : `[${type}]`)).join("\n");
}

const cut = (text: string) => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)} …` : text);
