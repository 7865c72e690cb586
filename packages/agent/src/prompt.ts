import { randomUUID } from "node:crypto";
import type { JsonObject } from "@agentwire/protocol";
import {
  type ContentBlock,
  contentText,
  type MessageOrigin,
  type PromptMessage,
} from "@agentwire/protocol/messages";

/** A prompt waiting for its turn. */
export interface Prompt {
  readonly uuid: string;
  /** Whether the host gave it a uuid, and so is informed of its progress. */
  readonly named: boolean;
  readonly content: string | readonly ContentBlock[];
  readonly priority: "now" | "next" | "later";
  /** If false, the prompt starts no turn; it is kept for the next one. */
  readonly query: boolean;
  readonly synthetic: boolean;
  /** Whether the text is passed on unchanged: no slash commands, no file mentions. */
  readonly verbatim: boolean;
  /** Who wrote it, if the host or the agent stated that. */
  readonly origin?: MessageOrigin;
}

/** Whether a prompt is a slash command. Those are never merged with other prompts. */
export function isCommand(prompt: Prompt): boolean {
  return !prompt.verbatim && contentText(prompt.content).startsWith("/");
}

/** Merges prompts into one: texts are joined with newlines, other blocks keep their order. */
export function joined(prompts: readonly Prompt[]): string | readonly ContentBlock[] {
  if (prompts.every((prompt) => typeof prompt.content === "string"))
    return prompts.map((prompt) => prompt.content).join("\n");
  return prompts.flatMap(({ content }): readonly ContentBlock[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
}

/** The origin of a turn's prompts, if all of them state one. */
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

/** The maximum number of prompts that a message names. */
const MAX_NAMED = 64;

/** Fields that link a message to the prompts it answers: those the turn started with, then those that joined it. */
export function answered(turn: {
  readonly named: readonly string[];
  readonly joined: readonly string[];
}): JsonObject {
  const last = turn.named.at(-1) ?? turn.joined.at(-1);
  if (last === undefined) return {};
  const all = [...turn.named, ...turn.joined];
  return { user_message_uuid: last, user_message_uuids: all.slice(0, MAX_NAMED) };
}
