import { accountInfo, agentInfo, modelInfo, slashCommand } from "../../catalog/catalog.ts";
import { mcpServerConfig, toolCallSettings } from "../../catalog/mcp-server.ts";
import { initializeHooks } from "../../hooks/registration.ts";
import { fastMode } from "../../messages/common.ts";
import { PERMISSION_MODES } from "../../permission/mode.ts";
import { array, record } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, jsonObject, literal, nullable, number, oneOf, string } from "../../schema/scalar.ts";
import type { Schema } from "../../schema/schema.ts";
import { about } from "../../schema/schema.ts";
import { agentDefinition } from "./agent-definition.ts";

/** A plugin that the host brings along, by its folder. */
export const pluginConfig = object({
  type: literal("local"),
  path: string,
  skipMcpDiscovery: optional(boolean),
});

const list = array(string);

/** A host that has only one text may send it as it is. */
const texts: Schema<string[]> = {
  ...list,
  read(value, reading) {
    if (typeof value !== "string") return list.read(value, reading);
    reading.repaired("coerced", value);
    return [value];
  },
};

const openedSession = object({
  cwd: string,
  resume: optional(string, "the conversation to take up"),
  model: optional(string),
  permission_mode: optional(string),
  mcp_servers: optional(record(mcpServerConfig)),
  additional_directories: optional(array(string)),
  auth_method: optional(string, "the login to use, as the agent names it"),
  partial_messages: optional(boolean, "whether replies are to be seen while they grow"),
  files: optional(boolean, "the host reads and writes files for the agent"),
  terminals: optional(boolean, "the host runs commands for the agent"),
  elicitation: optional(boolean, "the host answers elicitations"),
});

const initializeResponse = object({
  commands: defaulted(array(slashCommand), []),
  agents: defaulted(array(agentInfo), []),
  output_style: defaulted(string, "default"),
  available_output_styles: defaulted(array(string), []),
  models: defaulted(array(modelInfo), []),
  account: defaulted(accountInfo, {}),
  hooks_applied: optional(boolean),
  hook_on_failure_supported: optional(boolean, "true, or hosts refuse to run with a blocking hook"),
  hooks_when_unanswered_kept: optional(number, "from 2.1.327 on"),
  plugins_applied: optional(boolean),
  managed_settings_applied: optional(boolean),
  sdk_mcp_manifests_parked: optional(
    record(oneOf("parked", "already_connected", "protocol_version_mismatch", "malformed", "not_honoured")),
  ),
  claude_code_version: optional(string),
  ...fastMode,
  pid: optional(number),
  current_model: optional(string),
  current_permission_mode: optional(oneOf(...PERMISSION_MODES)),
  session_state: optional(oneOf("idle", "running", "requires_action")),
  capabilities: optional(array(string)),
});

/** The handshake; `claim_session` can answer with the same facts. */
export const initializeRequests = {
  initialize: {
    request: about(
      "E",
      "Opens the session: hooks, in-process MCP servers, prompts and subagents; sent again, it replaces the hooks.",
      object({
        subtype: literal("initialize"),
        hooks: optional(nullable(initializeHooks), "null: none"),
        sdkMcpServers: optional(array(string), "servers that live in the host, reached by `mcp_message`"),
        sdkMcpServerConfigs: optional(record(object(toolCallSettings))),
        sdkMcpServerManifests: optional(
          record(object({ initializeResult: jsonObject, toolsListResult: optional(jsonObject) })),
          "what those servers would answer to the MCP handshake",
        ),
        sdkMcpServerManifestsOrigin: optional(oneOf("host_per_send")),
        jsonSchema: optional(jsonObject, "shape of the structured result"),
        systemPrompt: optional(texts, "replaces the agent's own prompt, even when empty"),
        appendSystemPrompt: optional(string),
        systemPromptSnapshot: optional(boolean),
        planModeInstructions: optional(string),
        toolAliases: optional(record(string)),
        excludeDynamicSections: optional(boolean),
        agents: optional(record(agentDefinition)),
        title: optional(string),
        skills: optional(array(string)),
        promptSuggestions: optional(boolean),
        agentProgressSummaries: optional(boolean),
        forwardSubagentText: optional(boolean),
        supportedDialogKinds: optional(array(string), "what `request_user_dialog` may ask for"),
        perTaskStopAffordance: optional(boolean, "true: an interrupt spares background tasks"),
        plugins: optional(array(pluginConfig)),
        managedSettings: optional(
          jsonObject,
          "of the administrator, with `--managed-settings-in-initialize`",
        ),
        session: optional(
          openedSession,
          "our addition, for agents that learn here what others are told by flags (acp)",
        ),
      }),
    ),
    response: initializeResponse,
  },
  claim_session: {
    request: about(
      "X",
      "Binds an agent that was started in advance to the folder and settings of a real session.",
      object({
        subtype: literal("claim_session"),
        cwd: string,
        env: optional(record(string)),
        additional_directories: optional(array(string)),
        permission_mode: optional(oneOf(...PERMISSION_MODES, "manual")),
        append_system_prompt: optional(string),
        agents: optional(record(agentDefinition)),
        title: optional(string),
        sdk_mcp_servers: optional(array(string)),
        include_initialize: optional(boolean),
        name: optional(
          string,
          "our addition, for a process of many sessions: what its supervisor calls this one",
        ),
        args: optional(array(string), "our addition, for a process of many sessions: the session's flags"),
      }),
    ),
    response: object({
      cwd: string,
      session_id: string,
      parked_ms: optional(number),
      sdk_mcp_settled: defaulted(boolean, true),
      initialize: optional(initializeResponse),
    }),
  },
};
