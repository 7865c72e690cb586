import { piecesOf, type ReplyBlock, replyEvents } from "@agentwire/models/script";
import { type ContentBlock, NO_USAGE, type ToolResultBlock } from "@agentwire/protocol/messages";
import type { Model, ModelCall } from "./model.ts";
import { type PlannedCall, planFor } from "./offline-rules.ts";

/** The model's name, for hosts and in replies: it must not be mistaken for one of Claude's models. */
export const OFFLINE = "offline-demo";

/** A model with a few fixed rules that needs neither key nor network; the same conversation always gets the same reply. */
export function offlineModel(): Model {
  let replies = 0;
  return {
    async call(call, signal) {
      signal.throwIfAborted();
      // The length makes ids unique in a resumed conversation, the counter in a shortened one.
      const suffix = `${call.messages.length}_${++replies}`;
      const { text, toolCall } = answer(call);
      const blocks: ReplyBlock[] = [{ block: { type: "text", text }, pieces: piecesOf(text, 24) }];
      if (toolCall) blocks.push(toolUse(toolCall, `toolu_offline_${suffix}`));
      const events = replyEvents({
        id: `msg_offline_${suffix}`,
        model: OFFLINE,
        blocks,
        stopReason: toolCall ? "tool_use" : "end_turn",
        usage: NO_USAGE,
      });
      return {
        events: (async function* () {
          for (const event of events) {
            signal.throwIfAborted();
            yield event;
          }
        })(),
      };
    },
  };
}

function toolUse({ tool, input }: PlannedCall, id: string): ReplyBlock {
  return { block: { type: "tool_use", id, name: tool, input }, pieces: ["", JSON.stringify(input)] };
}

interface Answer {
  readonly text: string;
  readonly toolCall?: PlannedCall;
}

/** Determines from the conversation alone how far the request has been handled. */
function answer(call: ModelCall): Answer {
  const { prompt, callsMade, lastResult } = situationOf(call);
  const has = (tool: string) => call.tools.some(({ name }) => name === tool);
  const plan = planFor(prompt, has);
  if ("say" in plan) return { text: plan.say };
  if (lastResult?.is_error) return { text: `I could not ${plan.aim}: ${quote(lastResult)}` };
  const toolCall = plan.calls[callsMade];
  if (!toolCall) return { text: `I did what you asked (${plan.aim}). The result: ${quote(lastResult)}` };
  if (!has(toolCall.tool)) {
    return { text: `To ${plan.aim} I need the tool ${toolCall.tool}, which this session does not offer.` };
  }
  return { text: callsMade === 0 ? `I will ${plan.aim}.` : `Next I use ${toolCall.tool}.`, toolCall };
}

interface Situation {
  /** The user's newest text. */
  readonly prompt: string;
  /** Tool calls since then. */
  readonly callsMade: number;
  /** The newest result of these calls. */
  readonly lastResult?: ToolResultBlock;
}

function situationOf({ messages }: ModelCall): Situation {
  let callsMade = 0;
  let lastResult: ToolResultBlock | undefined;
  for (const { role, content } of messages.toReversed()) {
    const blocks: readonly ContentBlock[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content;
    for (const block of blocks.toReversed()) {
      if (block.type === "tool_use") callsMade++;
      if (block.type === "tool_result") lastResult ??= block;
      const prompt = role === "user" && block.type === "text" ? withoutReminders(block.text).trim() : "";
      if (prompt !== "") return { prompt, callsMade, ...(lastResult && { lastResult }) };
    }
  }
  return { prompt: "", callsMade };
}

const REMINDER = "<system-reminder>";
const REMINDER_END = "</system-reminder>";

/** Leaves out texts that the agent, not the user, added to a message. */
function withoutReminders(text: string): string {
  let kept = "";
  let from = 0;
  for (let start = text.indexOf(REMINDER); start >= 0; start = text.indexOf(REMINDER, from)) {
    kept += text.slice(from, start);
    const end = text.indexOf(REMINDER_END, start);
    if (end < 0) return kept;
    from = end + REMINDER_END.length;
  }
  return kept + text.slice(from);
}

const MAX_QUOTE_LENGTH = 1500;

function quote(result: ToolResultBlock | undefined): string {
  const text = textOf(result?.content)
    .replace(/^<tool_use_error>(.*)<\/tool_use_error>$/s, "$1")
    .trim();
  if (text === "") return "nothing was said.";
  const short = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
  return short.includes("\n") ? `\n\`\`\`\n${short}\n\`\`\`` : short;
}

function textOf(content: ToolResultBlock["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}
