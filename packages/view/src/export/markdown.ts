import { redactor } from "@agentwire/protocol/support";
import type { Item } from "../timeline/index.ts";
import { inputText, resultText } from "./call-text.ts";

/** Exports a conversation as Markdown, with secrets removed. */
export function exportMarkdown(title: string, items: readonly Item[]): string {
  const parts = items.map(partOf).filter((part) => part !== "");
  return redactor([])([`# ${title.replace(/\s+/g, " ")}`, ...parts].join("\n\n").concat("\n"));
}

function partOf(item: Item): string {
  switch (item.kind) {
    case "prompt":
      return `## Prompt\n\n${item.text}`;
    case "said":
      return item.text;
    case "call": {
      const result = resultText(item);
      const inside = item.children.map(partOf).filter((part) => part !== "");
      return [
        `**${item.name || "A tool"}**\n\n${fenced(inputText(item))}`,
        ...(inside.length > 0 ? [quoted(inside.join("\n\n"))] : []),
        ...(result === "" ? [] : [`${item.result?.isError ? "Failed" : "Result"}:\n\n${fenced(result)}`]),
      ].join("\n\n");
    }
    case "notice":
      return `*${item.text}*`;
    case "turn":
      return item.turn.failure === "" ? "" : `*The turn failed: ${item.turn.failure}*`;
    default:
      return "";
  }
}

/** A code block whose fence is longer than any fence inside it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const quoted = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
