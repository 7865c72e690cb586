import type { JsonObject } from "@agentwire/protocol";
import { asBlocks, type MessageBuilder } from "./message-builder.ts";

/** The result that the model gets for a call whose outcome is unknown. */
export const INTERRUPTED_CALL =
  "The session was interrupted before the tool finished; whether it had any effect is unknown.";

/** Gives every tool call exactly one result, right after the message that made it, as the API requires. */
export function answerAllCalls(drafts: readonly MessageBuilder[]): MessageBuilder[] {
  const answered: MessageBuilder[] = [];
  let open: string[] = [];
  for (const draft of drafts) {
    if (draft.role === "user") {
      answered.push(withResults(draft, open));
      open = [];
      continue;
    }
    if (open.length > 0) answered.push(standIn(open));
    answered.push(draft);
    open = callsIn(draft);
  }
  if (open.length > 0) answered.push(standIn(open));
  return answered;
}

function callsIn(draft: MessageBuilder): string[] {
  const ids = asBlocks(draft).flatMap(({ type, id }) =>
    type === "tool_use" && typeof id === "string" ? [id] : [],
  );
  return [...new Set(ids)];
}

/** Puts results first, one for each open call; results of unknown calls are dropped. */
function withResults(draft: MessageBuilder, open: readonly string[]): MessageBuilder {
  const blocks = asBlocks(draft);
  if (open.length === 0 && !blocks.some(isResult)) return draft;
  const results = new Map<unknown, JsonObject>();
  for (const block of blocks.filter(isResult)) {
    if (!results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
  }
  const answers = open.map((id) => results.get(id) ?? interrupted(id));
  return { ...draft, content: [...answers, ...blocks.filter((block) => !isResult(block))] };
}

const standIn = (open: readonly string[]): MessageBuilder => ({
  role: "user",
  content: open.map(interrupted),
  uuids: [],
});

const interrupted = (id: string): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: INTERRUPTED_CALL,
  is_error: true,
});

const isResult = ({ type }: JsonObject) => type === "tool_result";
