import type { Schema } from "../schema/schema.ts";
import { type Variants, variants } from "../schema/union.ts";
import { canUseTool, elicitation, hookCallback, mcpMessage, userDialog } from "./agent-requests.ts";
import { fileAndTerminalRequests } from "./files-and-terminals.ts";
import { contextUsageRequests } from "./host-requests/context-usage.ts";
import { conversationRequests, sideQuestionRequests } from "./host-requests/conversation.ts";
import { fileRequests } from "./host-requests/files.ts";
import { hooksListingRequests } from "./host-requests/hooks-listing.ts";
import { initializeRequests } from "./host-requests/initialize.ts";
import { mcpRequests } from "./host-requests/mcp.ts";
import { pluginRequests } from "./host-requests/plugins.ts";
import { agentFactsRequests, sessionRequests, sessionStatusRequests } from "./host-requests/session.ts";
import { settingsRequests } from "./host-requests/settings.ts";
import { taskRequests } from "./host-requests/tasks.ts";
import { usageRequests } from "./host-requests/usage.ts";
import type { AnyRequest, RequestTable } from "./request-table.ts";

/** The requests that a host may send to an agent. */
export const hostRequests = {
  ...initializeRequests,
  ...sessionRequests,
  ...settingsRequests,
  ...hooksListingRequests,
  ...contextUsageRequests,
  ...usageRequests,
  ...agentFactsRequests,
  ...fileRequests,
  ...taskRequests,
  ...pluginRequests,
  ...mcpRequests,
  ...sessionStatusRequests,
  ...sideQuestionRequests,
  ...conversationRequests,
};

/** The requests that an agent may send to its host. */
export const agentRequests = {
  can_use_tool: canUseTool,
  hook_callback: hookCallback,
  mcp_message: mcpMessage,
  elicitation,
  request_user_dialog: userDialog,
  ...fileAndTerminalRequests,
};

/** A request of a host to an agent. */
export type HostRequest = AnyRequest<typeof hostRequests>;

/** A request of an agent to its host. */
export type AgentRequest = AnyRequest<typeof agentRequests>;

/** Any request of a host; one that this version does not know or can't read is kept as an `Unknown`. */
export const hostRequest: Variants<HostRequest> = requestSchema("HostRequest", hostRequests);

/** Any request of an agent; one that this version does not know or can't read is kept as an `Unknown`. */
export const agentRequest: Variants<AgentRequest> = requestSchema("AgentRequest", agentRequests);

function requestSchema<Table extends RequestTable>(name: string, table: Table): Variants<AnyRequest<Table>> {
  const requests = Object.entries(table).map(([subtype, { request }]) => [subtype, request]);
  return variants(
    name,
    "subtype",
    Object.fromEntries(requests) as { [subtype: string]: Schema<AnyRequest<Table>> },
  );
}
