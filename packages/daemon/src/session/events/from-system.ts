import type { InitMessage, SystemMessage } from "@agentwire/protocol/messages";
import type { Draft, EventBody } from "../../store/draft.ts";
import { rawBody } from "./raw.ts";

/** What an agent reports about itself; of all system messages, only `init` describes the session. */
export function fromSystem(message: SystemMessage): readonly Draft[] {
  const body = bodyOf(message);
  return body ? [{ body }] : [];
}

function bodyOf(message: SystemMessage): EventBody | undefined {
  switch (message.subtype) {
    case "init":
      return { case: "sessionInfo", value: infoOf(message) };
    case "compact_boundary": {
      const { trigger, pre_tokens } = message.compact_metadata;
      return { case: "compaction", value: { trigger, tokensBefore: BigInt(Math.round(pre_tokens)) } };
    }
    case "task_started":
      return task(message.task_id, "running", message.description, message);
    case "task_progress":
      return task(message.task_id, "running", message.summary ?? message.description, message);
    case "task_notification":
      return task(message.task_id, message.status, message.summary, message);
    case "error":
      return { case: "error", value: { code: message.code ?? "agent", message: message.message } };
    case "permission_denied":
    case "api_retry":
    case "informational":
    case "notification":
    case "local_command_output":
    case "model_refusal_fallback":
    case "model_refusal_no_fallback":
    case "session_writes_lost":
    case "consolidation":
    case "memory_recall":
    case "hook_response":
      return rawBody("system", message.subtype, message);
    case "unknown":
      return rawBody("system", message.raw_type.replace(/^system\//, ""), message);
    default:
      // Progress that clients learn from the outcome.
      return undefined;
  }
}

function infoOf(message: InitMessage) {
  return {
    agentSessionId: message.session_id ?? "",
    model: message.model,
    cwd: message.cwd,
    permissionMode: message.permissionMode,
    agentVersion: message.claude_code_version,
    tools: message.tools,
    toolDefinitions: (message.tool_definitions ?? []).map(
      ({ name, description = "", input_schema: schema }) => ({
        name,
        description,
        inputSchemaJson: schema === undefined ? "" : JSON.stringify(schema),
      }),
    ),
    mcpServers: message.mcp_servers.map(({ name, status }) => ({ name, status })),
    slashCommands: message.slash_commands,
    agents: message.agents ?? [],
  };
}

function task(
  taskId: string,
  status: string,
  description: string,
  { task_type: kind = "", tool_use_id: toolUseId = "" }: { task_type?: string; tool_use_id?: string },
): EventBody {
  return { case: "taskUpdate", value: { taskId, status, description, kind, toolUseId } };
}
