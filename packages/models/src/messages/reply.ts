import { isJsonObject } from "@agentwire/protocol";
import type { ApiEvent } from "@agentwire/protocol/messages";
import { streamCut } from "../model-error.ts";
import { failureOf } from "../translate/failure.ts";
import type { ReplyReader } from "../translate/reply-reader.ts";

/** A reply of the Messages API itself: its events pass through unchanged, except for pings. */
export class MessagesReply implements ReplyReader {
  #isWhole = false;

  push(data: unknown): ApiEvent[] {
    if (!isJsonObject(data) || typeof data.type !== "string" || data.type === "ping") return [];
    if (data.type === "error") throw failureOf({ status: undefined, body: data });
    if (data.type === "message_stop") this.#isWhole = true;
    return [data as unknown as ApiEvent];
  }

  end(): ApiEvent[] {
    if (!this.#isWhole) throw streamCut();
    return [];
  }
}
