import { randomUUID } from "node:crypto";
import type { JsonObject } from "@agentwire/protocol";
import {
  type ContentBlock,
  contentText,
  type MessageOrigin,
  type PromptMessage,
} from "@agentwire/protocol/messages";

/** A prompt that waits for its turn. */
export interface Prompt {
  readonly uuid: string;
  /** The host named it, and is told what becomes of it. */
  readonly named: boolean;
  readonly content: string | readonly ContentBlock[];
  readonly priority: "now" | "next" | "later";
  /** False: remembered for the next turn, starts none. */
  readonly query: boolean;
  readonly synthetic: boolean;
  /** Taken as it is: no slash commands, no file mentions. */
  readonly verbatim: boolean;
  /** Who wrote it, where the host or the agent says so. */
  readonly origin?: MessageOrigin;
}

/** Whether a prompt is a slash command: those are never mixed with others. */
export function isCommand(prompt: Prompt): boolean {
  return !prompt.verbatim && contentText(prompt.content).startsWith("/");
}

/** Several prompts as one: texts line after line, other blocks in their order. */
export function joined(prompts: readonly Prompt[]): string | readonly ContentBlock[] {
  if (prompts.every((prompt) => typeof prompt.content === "string"))
    return prompts.map((prompt) => prompt.content).join("\n");
  return prompts.flatMap(({ content }): readonly ContentBlock[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
}

/** Who wrote the prompts of a turn, where that is said of all of them. */
export function originOf(prompts: readonly Prompt[]): JsonObject {
  const origin = prompts[0]?.origin;
  return origin && prompts.every((prompt) => prompt.origin) ? { origin } : {};
}

/** A prompt that did not come over the wire. */
export function plainPrompt(text: string): Prompt {
  const message = { type: "user" as const, message: { role: "user" as const, content: text } };
  return toPrompt(message, randomUUID);
}

/** Reads a prompt from the wire. */
export function toPrompt(message: PromptMessage, newId: () => string): Prompt {
  const { uuid, priority, message: inner } = message;
  return {
    uuid: uuid ?? newId(),
    named: uuid !== undefined,
    content: inner.content,
    priority: priority === "now" ? "now" : priority === "later" ? "later" : "next",
    query: message.shouldQuery !== false,
    synthetic: message.isSynthetic === true,
    verbatim: message.client_composed === true,
    ...(message.origin && { origin: message.origin }),
  };
}

/** How many prompts a message names at most. */
const MAX_NAMED = 64;

/** Fields that tie a message to the prompts it answers: those that the turn began with, then those that joined it. */
export function answered(turn: {
  readonly named: readonly string[];
  readonly joined: readonly string[];
}): JsonObject {
  const last = turn.named.at(-1) ?? turn.joined.at(-1);
  if (last === undefined) return {};
  const all = [...turn.named, ...turn.joined];
  return { user_message_uuid: last, user_message_uuids: all.slice(0, MAX_NAMED) };
}
