import type { JsonObject } from "@agentwire/protocol";

/**
 * A conversation as the Messages API will lead it. A request that offers tools is a turn of the agent's loop and takes the
 * next step; any other one is answered on the side. Texts may hold `{{name}}`, which the server fills in.
 */
export interface Script {
  readonly steps: readonly Step[];
  /** Answers every request after the last step. */
  readonly afterwards?: Step;
  /** Answers requests for a single token, by which agents probe whether a model exists. */
  readonly probe?: Failure;
}

/** What one request gets. */
export type Step = Reply | Failure | Reset;

interface Repeatable {
  /** What the request must have, at least; where it has not, this and every later request is refused, and `problems` says why. */
  readonly expect?: JsonObject;
  /** How many requests in a row get this step; 1 unless given. */
  readonly repeat?: number;
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number;
}

/** A message of the model. */
export interface Reply extends Repeatable {
  readonly type: "reply";
  readonly content: readonly Block[];
  /** Follows from the content unless given. */
  readonly stopReason?: string;
  readonly usage?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many characters one delta carries. */
  readonly chunkSize?: number;
  /** Milliseconds after each delta. */
  readonly chunkDelayMs?: number;
  /** How the stream breaks, if it does. */
  readonly broken?: Break;
}

/** A stream that does not end as it should; deltas are counted over the whole message. */
export type Break =
  | { readonly type: "cut"; readonly afterDeltas: number }
  | { readonly type: "stall"; readonly afterDeltas: number }
  | { readonly type: "error"; readonly afterBlock: number; readonly error: ApiError };

/** One block of a reply. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | ToolUse;

/** A tool call of the model; without an id, the server makes one up. */
export interface ToolUse {
  readonly type: "tool_use";
  readonly id?: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** A refusal with an HTTP status. */
export interface Failure extends Repeatable {
  readonly type: "failure";
  readonly status: number;
  readonly error: ApiError;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection is lost before anything is answered. */
export interface Reset extends Repeatable {
  readonly type: "reset";
}

/** An error in the API's own words. */
export interface ApiError {
  readonly type: string;
  readonly message: string;
}

/** A reply that is one text. */
export function says(text: string, options: Partial<Reply> = {}): Reply {
  return { type: "reply", content: [{ type: "text", text }], ...options };
}

/** A reply that is one tool call. */
export function calls(name: string, input: JsonObject, id?: string, options: Partial<Reply> = {}): Reply {
  return { type: "reply", content: [toolUse(name, input, id)], ...options };
}

/** A tool call, for replies with several blocks. */
export function toolUse(name: string, input: JsonObject, id?: string): ToolUse {
  return id === undefined ? { type: "tool_use", name, input } : { type: "tool_use", id, name, input };
}

/** An answer with an error status. */
export function fails(
  status: number,
  type: string,
  message: string,
  options: Partial<Failure> = {},
): Failure {
  return { type: "failure", status, error: { type, message }, ...options };
}
