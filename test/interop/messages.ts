import type { SDKMessage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Talk } from "./bench.ts";

/** The messages of one type. */
export function ofType<T extends SDKMessage["type"]>(
  talk: Talk,
  type: T,
): Extract<SDKMessage, { type: T }>[] {
  return talk.messages.filter(
    (message): message is Extract<SDKMessage, { type: T }> => message.type === type,
  );
}

/** The only result of a query. */
export function resultOf(talk: Talk): SDKResultMessage {
  const results = ofType(talk, "result");
  const [result] = results;
  if (!result || results.length > 1) throw new Error(`${results.length} results where one was expected`);
  return result;
}

/** The names of messages in order: `type` or `type/subtype`. */
export function kinds(talk: Talk): string[] {
  return talk.messages.map((message) =>
    "subtype" in message ? `${message.type}/${message.subtype}` : message.type,
  );
}

/** The tool results that a query passed on, in order. */
export function toolResults(talk: Talk) {
  return ofType(talk, "user").flatMap(({ message }) =>
    typeof message.content === "string"
      ? []
      : message.content.flatMap((block) => (block.type === "tool_result" ? [block] : [])),
  );
}
