import process from "node:process";
import { isJsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import { checkedOptions, shadowedCallback } from "../options/options.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import type { Prompt, Query } from "../sdk/query.ts";
import { AgentQuery } from "./query.ts";

/** Starts a session and sends it one prompt, or prompts as they come; yields its messages. */
export function query({ prompt, options = {} }: { prompt: Prompt; options?: QueryOptions }): Query {
  if (!isPrompt(prompt))
    throw new HostError("invalid_option", "prompt must be a string, or a stream or list of messages");
  const started = openQuery(options);
  void started.send(prompt);
  return started;
}

/** A list works like a stream: the official SDK reads anything that `for await` accepts. */
function isPrompt(prompt: unknown): boolean {
  if (typeof prompt === "string") return true;
  if (Array.isArray(prompt)) return prompt.every(isJsonObject);
  return (
    typeof prompt === "object" &&
    prompt !== null &&
    (Symbol.asyncIterator in prompt || Symbol.iterator in prompt)
  );
}

/** Starts a session without a prompt. */
export function openQuery(given: QueryOptions, readsStartupMarks = false): AgentQuery {
  const options = checkedOptions(given);
  const shadowed = shadowedCallback(options);
  if (shadowed) process.emitWarning(shadowed, { code: "CLAUDE_SDK_CAN_USE_TOOL_SHADOWED" });
  return new AgentQuery(options, { inherited: process.env, readsStartupMarks });
}
