import type { AgentMessage } from "@agentwire/protocol";
import type { Draft } from "../../store/draft.ts";
import { fromAssistant } from "./from-assistant.ts";
import { fromResult } from "./from-result.ts";
import { OpenReplies } from "./from-stream.ts";
import { fromSystem } from "./from-system.ts";
import { fromProgress, fromUser } from "./from-user.ts";
import { rawBody } from "./raw.ts";

/** Converts an agent's messages to events without numbers; it only keeps state about open calls and replies. */
export class EventMapper {
  readonly #now: () => number;
  readonly #replies = new OpenReplies();
  /** When each open tool call began. */
  readonly #starts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `promptIds` are those of the turn that a result ends. */
  map(message: AgentMessage, promptIds: readonly string[]): readonly Draft[] {
    switch (message.type) {
      case "stream_event":
        return this.#replies.take(message);
      case "assistant":
        return this.#started(
          fromAssistant(message, this.#replies.finish(message.parent_tool_use_id ?? "", message.message.id)),
        );
      case "user":
        return this.#ended(fromUser(message, this.#now(), (id) => this.#starts.get(id)));
      case "tool_progress":
        return fromProgress(message);
      case "system":
        return fromSystem(message);
      case "result":
        this.#starts.clear();
        this.#replies.clear();
        return [fromResult(message, promptIds)];
      case "rate_limit_event":
      case "conversation_reset":
      case "prompt_suggestion":
      case "auth_status":
      case "active_goal":
        return [{ body: rawBody(message.type, "", message) }];
      case "unknown":
        return [{ body: rawBody(message.raw_type, "", message) }];
      default:
        // Requests are handled elsewhere, and mirrors are not stored.
        return [];
    }
  }

  #started(drafts: readonly Draft[]): readonly Draft[] {
    for (const { body } of drafts)
      if (body.case === "toolCallStart") this.#starts.set(body.value.toolUseId ?? "", this.#now());
    return drafts;
  }

  #ended(drafts: readonly Draft[]): readonly Draft[] {
    for (const { body } of drafts)
      if (body.case === "toolCallResult") this.#starts.delete(body.value.toolUseId ?? "");
    return drafts;
  }
}
