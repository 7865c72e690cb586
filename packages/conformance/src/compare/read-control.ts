import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, mapTexts, textAt } from "../json-path.ts";
import { type Context, isCalled, promptLabel } from "./context.ts";
import type { UnplacedItem } from "./item.ts";
import { ofTool } from "./read-user.ts";
import { collapseRuns } from "./texts.ts";

/** Events that only notify hooks: nothing waits for them, so they race with the other lines. */
const TOLD = new Set([
  "ConfigChange",
  "CwdChanged",
  "DirectoryAdded",
  "FileChanged",
  "InstructionsLoaded",
  "Notification",
  "PostCompact",
  "PostModelSwitch",
]);

/** Reads a request of the agent. */
export function readControlRequest(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const { request } = line;
  const subtype = String(at(request, "subtype"));
  const hasId = { request_id: typeof line.request_id === "string" };
  const remember = (what: string) => context.agentRequests.set(String(line.request_id), what);
  switch (subtype) {
    case "can_use_tool":
      remember(`can_use_tool ${context.tool(at(request, "tool_use_id")) ?? at(request, "tool_name")}`);
      return [readQuestion(request, hasId, context)];
    case "hook_callback": {
      const kind = `control_request: hook_callback ${at(request, "callback_id")}`;
      remember(kind);
      const event = textAt(request, "input", "hook_event_name") ?? null;
      const id = at(request, "tool_use_id");
      const hard = { ...hasId, event, has_tool_use_id: id !== undefined };
      if (event !== null && TOLD.has(event)) return [{ kind, hard, lane: `hook ${event}`, optional: true }];
      return [{ kind, hard, place: ofTool(context.tool(id)) }];
    }
    case "mcp_message":
      remember(`mcp_message ${at(request, "message", "method")}`);
      return [readMcpMessage(request, hasId, context)];
    default:
      remember(subtype);
      return [{ kind: `control_request: ${subtype}`, hard: hasId }];
  }
}

function readQuestion(request: unknown, hasId: JsonObject, context: Context): UnplacedItem {
  const id = at(request, "tool_use_id");
  const suggestions = listAt(request, "permission_suggestions").map((suggestion) => at(suggestion, "type"));
  return {
    kind: `control_request: can_use_tool ${at(request, "tool_name")}`,
    hard: {
      ...hasId,
      input: mapTexts(at(request, "input"), collapseRuns),
      tool: context.tool(id),
      after_its_call: isCalled(id, context),
    },
    soft: {
      suggestions: suggestions.join(","),
      requires_user_interaction: at(request, "requires_user_interaction") === true,
      description: at(request, "description") !== undefined,
    },
    place: ofTool(context.tool(id)),
  };
}

const HANDSHAKE = /^(?:initialize|ping|tools\/list|(?:notifications|resources|prompts|logging)\/.*)$/s;

/** The key under which the agent sends the id of the tool call that an MCP request belongs to. */
const TOOL_META = "claudecode/toolUseId";

function readMcpMessage(request: unknown, hasId: JsonObject, context: Context): UnplacedItem {
  const server = at(request, "server_name");
  const message = at(request, "message");
  const method = textAt(message, "method") ?? "";
  if (HANDSHAKE.test(method)) {
    const hard = { has_id: at(message, "id") !== undefined, before_first_init: context.inits === 0 };
    return { kind: `mcp ${method}`, hard, lane: handshakeLane(server) };
  }
  const input = mapTexts(at(message, "params", "arguments"), collapseRuns) ?? null;
  return {
    kind: `control_request: mcp_message ${method}`,
    hard: { ...hasId, server, name: at(message, "params", "name") ?? null, arguments: input },
    place: ofTool(context.tool(at(message, "params", "_meta", TOOL_META))),
  };
}

const HANDSHAKE_LANE = "handshake with MCP server ";
const handshakeLane = (server: unknown) => `${HANDSHAKE_LANE}${server}`;

/** Whether a lane is the handshake with a server, in which an agent may request more than the recording does. */
export function isHandshake(lane: string): boolean {
  return lane.startsWith(HANDSHAKE_LANE);
}

/** The answers whose keys hosts read. */
const KEYED = new Set(["interrupt", "set_model", "set_permission_mode", "rewind_files", "mcp_status"]);
const FIRM_VALUES = ["canRewind", "mode"];
const PROMPT_LISTS = ["still_queued", "cancelled"];
const LOOSE_VALUES = ["filesChanged", "insertions", "deletions", "skippedLinks"];

/** Reads an answer of the agent. */
export function readControlResponse(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const { response } = line;
  const subtype = context.hostRequests.get(String(at(response, "request_id"))) ?? "unknown request";
  const value = at(response, "response");
  const keys = isJsonObject(value) ? Object.keys(value).sort() : [];
  const hard = { subtype: at(response, "subtype"), error_code: at(response, "error_code") ?? null };
  const soft = { error: at(response, "error") ?? null };
  const kind = `control_response: ${subtype}`;
  if (!KEYED.has(subtype)) return [{ kind, hard, soft: { ...soft, keys } }];
  const prompts = mapTexts(pick(value, PROMPT_LISTS), (uuid) => promptLabel(uuid, context));
  return [
    {
      kind,
      hard: { ...hard, keys, ...pick(value, FIRM_VALUES), ...(prompts as JsonObject) },
      soft: { ...soft, ...pick(value, LOOSE_VALUES) },
    },
  ];
}

function pick(value: unknown, keys: readonly string[]): JsonObject {
  const found = keys.map((key) => [key, at(value, key)] as const).filter(([, item]) => item !== undefined);
  return Object.fromEntries(found);
}

/** Reads the agent's notice that it no longer waits for an answer. */
export function readCancel(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const cancels = context.agentRequests.get(String(line.request_id)) ?? "unknown request";
  return [{ kind: "control_cancel_request", hard: { cancels } }];
}
