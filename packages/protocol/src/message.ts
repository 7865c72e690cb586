import {
  agentControlRequest,
  controlCancelRequest,
  controlResponse,
  hostControlRequest,
} from "./control/envelope.ts";
import { assistantMessage } from "./messages/assistant.ts";
import { rateLimitMessage } from "./messages/model-trouble.ts";
import { activeGoalMessage, authStatusMessage, promptSuggestionMessage } from "./messages/notices.ts";
import { commandLifecycleMessage, toolProgressMessage, toolUseSummaryMessage } from "./messages/progress.ts";
import { promptMessage } from "./messages/prompt.ts";
import { resultMessage } from "./messages/result.ts";
import {
  conversationResetMessage,
  environmentMessage,
  keepAliveMessage,
  transcriptMirrorMessage,
} from "./messages/session.ts";
import { streamEventMessage } from "./messages/stream-event.ts";
import { systemMessage } from "./messages/system.ts";
import { userMessage } from "./messages/user.ts";
import type { Infer, Schema } from "./schema/schema.ts";
import type { Unknown } from "./schema/unknown.ts";

const fromAgent = {
  system: systemMessage,
  assistant: assistantMessage,
  user: userMessage,
  stream_event: streamEventMessage,
  result: resultMessage,
  control_request: agentControlRequest,
  control_response: controlResponse,
  control_cancel_request: controlCancelRequest,
  tool_progress: toolProgressMessage,
  tool_use_summary: toolUseSummaryMessage,
  command_lifecycle: commandLifecycleMessage,
  rate_limit_event: rateLimitMessage,
  conversation_reset: conversationResetMessage,
  prompt_suggestion: promptSuggestionMessage,
  auth_status: authStatusMessage,
  active_goal: activeGoalMessage,
  transcript_mirror: transcriptMirrorMessage,
  keep_alive: keepAliveMessage,
};

const fromHost = {
  user: promptMessage,
  control_request: hostControlRequest,
  control_response: controlResponse,
  control_cancel_request: controlCancelRequest,
  keep_alive: keepAliveMessage,
  update_environment_variables: environmentMessage,
  // Earlier history from elsewhere: it is appended to the conversation and starts no turn.
  assistant: assistantMessage,
  system: systemMessage,
};

/** What an agent writes. */
export type AgentMessage = Infer<(typeof fromAgent)[keyof typeof fromAgent]> | Unknown;

/** What a host writes. */
export type HostMessage = Infer<(typeof fromHost)[keyof typeof fromHost]> | Unknown;

/** The messages of an agent by `type`; those of type `system` are further distinguished by `subtype`. */
export const agentMessages: ReadonlyMap<string, Schema<AgentMessage>> = new Map<string, Schema<AgentMessage>>(
  Object.entries(fromAgent),
);

/** The messages of a host by `type`. */
export const hostMessages: ReadonlyMap<string, Schema<HostMessage>> = new Map<string, Schema<HostMessage>>(
  Object.entries(fromHost),
);
