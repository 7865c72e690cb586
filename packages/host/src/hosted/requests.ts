import { type Handlers, type RequestContext, Unknown } from "@agentwire/protocol";
import type { agentRequests } from "@agentwire/protocol/control";
import type { HookInput } from "../sdk/hooks/inputs.ts";
import type { Options } from "../sdk/options.ts";
import type { PermissionContext } from "../sdk/permissions.ts";
import type { HookRegistry } from "./hook-registry.ts";
import type { HostedServers } from "./hosted-servers.ts";

type AgentHandlers = Handlers<typeof agentRequests>;
type Asked<S extends keyof AgentHandlers> = Parameters<NonNullable<AgentHandlers[S]>>[0];
type Answer<S extends keyof AgentHandlers> = Awaited<ReturnType<NonNullable<AgentHandlers[S]>>>;

/** The handlers that answer an agent with the callbacks of the options. Requests without a handler here are refused by the link. */
export function handlersOf(options: Options, hooks: HookRegistry, servers: HostedServers): AgentHandlers {
  const { canUseTool, onElicitation, onUserDialog } = options;
  return {
    ...(canUseTool && {
      can_use_tool: async (request, context) => {
        const input = request.input as Record<string, unknown>;
        const asked = canUseTool(request.tool_name, input, permissionContext(request, context));
        const result = await orWithdrawn(asked, context);
        return { ...result, toolUseID: request.tool_use_id } as Answer<"can_use_tool">;
      },
    }),
    hook_callback: async ({ callback_id, input, tool_use_id }, { signal }) => {
      const callback = hooks.callbacks.get(callback_id);
      if (!callback) throw new Error(`this host has no hook ${callback_id}`);
      return (await callback(rawInput(input), tool_use_id, { signal })) as Answer<"hook_callback">;
    },
    mcp_message: async ({ server_name, message }, { signal }) => ({
      mcp_response: await servers.deliver(server_name, message, signal),
    }),
    ...(onElicitation && {
      elicitation: async (request, context) => {
        const asked = onElicitation(elicitationRequest(request), context);
        return (await orWithdrawn(asked, context)) as Answer<"elicitation">;
      },
    }),
    ...(onUserDialog && {
      request_user_dialog: async ({ dialog_kind, payload, tool_use_id }, context) => {
        const dialog = { dialogKind: dialog_kind, payload: payload as Record<string, unknown> };
        const asked = onUserDialog(tool_use_id ? { ...dialog, toolUseID: tool_use_id } : dialog, context);
        return (await orWithdrawn(asked, context)) as Answer<"request_user_dialog">;
      },
    }),
  };
}

/** A callback that returns null leaves the question to another party; here it stays open until the agent withdraws it. */
async function orWithdrawn<T>(asked: Promise<T | null>, { signal }: RequestContext): Promise<T> {
  const answer = await asked;
  if (answer !== null) return answer;
  return await new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A hook gets the input as it came over the wire, even for an event that is newer than this host. */
function rawInput(input: Asked<"hook_callback">["input"]): HookInput {
  return (input instanceof Unknown ? input.payload : input) as HookInput;
}

function permissionContext(
  request: Asked<"can_use_tool">,
  { signal, requestId }: RequestContext,
): PermissionContext {
  const { mcp_server, matched_ask_rule: rule } = request;
  const named = {
    suggestions: request.permission_suggestions,
    blockedPath: request.blocked_path,
    mcpServer: mcp_server && { name: mcp_server.name, source: mcp_server.source },
    decisionReason: request.decision_reason,
    decisionReasonType: request.decision_reason_type,
    title: request.title,
    displayName: request.display_name,
    description: request.description,
    defaultToNo: request.default_to_no,
    suppressAlwaysAllowRule: request.suppress_always_allow_rule,
    agentID: request.agent_id,
    requiresUserInteraction: request.requires_user_interaction,
    serverPolicyAskOnly: request.server_policy_ask_only,
    matchedAskRule: rule && {
      source: rule.source,
      toolName: rule.tool_name,
      ...(rule.rule_content !== undefined && { ruleContent: rule.rule_content }),
    },
  };
  return { signal, requestId, toolUseID: request.tool_use_id, ...defined(named) } as PermissionContext;
}

function elicitationRequest(request: Asked<"elicitation">) {
  return {
    serverName: request.mcp_server_name,
    message: request.message,
    ...(defined({
      mode: request.mode,
      url: request.url,
      elicitationId: request.elicitation_id,
      requestedSchema: request.requested_schema,
      title: request.title,
      displayName: request.display_name,
      description: request.description,
    }) as object),
  };
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
