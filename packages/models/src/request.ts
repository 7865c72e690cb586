import type { JsonObject } from "@agentwire/protocol";
import type { ApiEvent, ContentBlock } from "@agentwire/protocol/messages";

/** A message in a request of the Messages API. */
export interface RequestMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly (ContentBlock | JsonObject)[];
}

/** A tool of a request; one that runs at Anthropic has a `type` and no schema. */
export interface RequestTool {
  readonly name: string;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly input_schema?: JsonObject | undefined;
  /** The model sees it only after a result refers to it. */
  readonly defer_loading?: boolean | undefined;
}

/** The part of a Messages API request that other wires can express. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens?: number | undefined;
  readonly messages: readonly RequestMessage[];
  readonly system?: string | readonly JsonObject[] | undefined;
  readonly tools?: readonly RequestTool[] | undefined;
  readonly tool_choice?: JsonObject | undefined;
  readonly thinking?: JsonObject | undefined;
  readonly output_config?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly stop_sequences?: readonly string[] | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
}

/** A reply in progress: its events in the order and shape of the Messages API. */
export interface ModelReply {
  /** The provider's id for the call, if it sent one. */
  readonly requestId?: string;
  readonly events: ReplyEvents;
}

/** The events of a reply. */
export interface ReplyEvents extends AsyncIterable<ApiEvent> {
  /** The next event if it is already available, which saves awaiting a promise per event. */
  take?(): ApiEvent | undefined;
}

/** A connection to a provider. A failed call rejects or ends its events with a `ModelError`, an aborted one with the signal's reason. */
export interface ModelClient {
  /** Sends a request; resolves when the provider has accepted it. */
  send(request: MessagesRequest, signal: AbortSignal): Promise<ModelReply>;
}
