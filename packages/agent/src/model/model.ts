import type { ModelReply } from "@agentwire/models";
import type { Lane } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";

/** One message of the conversation, as sent to the model. */
export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly ContentBlock[];
}

/** A tool, as sent to the model; server tools (web search) have their own `type` and no schema. */
export interface ModelTool {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
  readonly input_schema?: JsonObject;
  /** Sent because a result refers to it; the model sees the tool there. */
  readonly defer_loading?: boolean;
}

/** How much the model may think, and how its thinking is displayed. */
export type Thinking =
  | { readonly type: "disabled" }
  | { readonly type: "adaptive"; readonly display?: string }
  | { readonly type: "enabled"; readonly budget_tokens: number; readonly display?: string };

/** Everything one model call needs. */
export interface ModelCall {
  /** What the call is for, if not for a turn. Only scripts use it. */
  readonly lane?: Lane;
  readonly model: string;
  /** The system prompt in pieces; the last piece of each stable part is a cache boundary. */
  readonly system: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The token limit of the reply; without one, the model's own limit applies. */
  readonly maxTokens?: number | undefined;
  readonly thinking?: Thinking;
  readonly effort?: string;
  readonly betas?: readonly string[];
  /** The token budget for the whole task, as reported to the model. */
  readonly taskBudget?: number;
}

/** Where replies come from. A failed call rejects, or ends the events, with a `ModelError`; an aborted one with the signal's reason. */
export interface Model {
  /** Starts a call; resolves when the provider has accepted it. */
  call(call: ModelCall, signal: AbortSignal): Promise<ModelReply>;
}
