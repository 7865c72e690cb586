import type { UUID } from "node:crypto";
import type { ASSISTANT_ERRORS } from "@agentwire/protocol/messages";
import type { MessageParam } from "@anthropic-ai/sdk/resources";
import type {
  BetaMessage,
  BetaRawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/beta/messages/messages.mjs";
import type { Trailer } from "./envelope.ts";
import type { SDKContextUsage, SDKUsageReport } from "./usage.ts";

/** The kind of a failed model call. */
export type SDKAssistantMessageError = (typeof ASSISTANT_ERRORS)[number];

/** The prompts that a message answers. */
export type Answering = {
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
};

type FromSubagent = { agent_id?: string; subagent_type?: string; task_description?: string };

/** A piece of the model's reply. */
export type SDKAssistantMessage = Answering &
  FromSubagent &
  Trailer & {
    type: "assistant";
    message: BetaMessage;
    /** The tool call whose subagent replied; null in the main conversation. */
    parent_tool_use_id: string | null;
    /** Set if the text is an error report instead of a reply. */
    error?: SDKAssistantMessageError;
    request_id?: string;
    resumed_from_incomplete_thinking?: true;
    supersedes?: UUID[];
    aborted?: true;
    timestamp?: string;
    context_usage?: SDKContextUsage;
    usage_report?: SDKUsageReport;
  };

/** A delta of a reply that is not finished. */
export type SDKPartialAssistantMessage = Answering &
  Trailer & {
    type: "stream_event";
    event: BetaRawMessageStreamEvent;
    parent_tool_use_id: string | null;
    ttft_ms?: number;
  };

/** Who or what sent a prompt. */
export type SDKMessageOrigin =
  | { kind: "human" }
  | { kind: "channel"; server: string }
  | {
      kind: "peer";
      from: string;
      fromMode?: "bypass" | "prompting";
      name?: string;
      fromSession?: string;
      senderTaskId?: string;
      body?: string;
      verifiedPeerPid?: number;
    }
  | {
      kind: "task-notification";
      subkind?: "scheduled-trigger" | "peer-send-message" | "projects-relay" | "session-inbox";
      fireReason?: string;
      runId?: string;
    }
  | { kind: "coordinator" }
  | { kind: "unclassified" }
  | { kind: "observer"; from: string; senderTaskId: string }
  | { kind: "auto-continuation" }
  | { kind: "observer-activity" };

type Said = {
  type: "user";
  message: MessageParam;
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  priority?: "now" | "next" | "later";
  origin?: SDKMessageOrigin;
  /** False adds to the conversation without starting a turn. */
  shouldQuery?: boolean;
  timestamp?: string;
  client_composed?: true;
};

/** A prompt, or a tool's result. */
export type SDKUserMessage = Said &
  FromSubagent &
  Partial<Trailer> & { pasted_content?: MessageParam["content"][]; inline_pastes?: string[] };

/** A prompt that the agent repeats to its host. */
export type SDKUserMessageReplay = Said & Trailer & { isReplay: true; file_attachments?: unknown[] };
