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

/** A plugin supplied by the host, by its folder. */
export const pluginConfig = object({
  type: literal("local"),
  path: string,
  skipMcpDiscovery: optional(boolean),
});

const list = array(string);

/** A host that has only one text may send it as a plain string. */
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
  resume: optional(string, "the conversation to resume"),
  model: optional(string),
  permission_mode: optional(string),
  mcp_servers: optional(record(mcpServerConfig)),
  additional_directories: optional(array(string)),
  auth_method: optional(string, "the login to use, as the agent names it"),
  partial_messages: optional(boolean, "whether to show replies while they are written"),
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
  hook_on_failure_supported: optional(boolean, "unless true, hosts refuse to run with a blocking hook"),
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

/** The handshake; `claim_session` can return the same facts. */
export const initializeRequests = {
  initialize: {
    request: about(
      "E",
      "Opens the session with its hooks, in-process MCP servers, prompts and subagents; a repeat replaces the hooks.",
      object({
        subtype: literal("initialize"),
        hooks: optional(nullable(initializeHooks), "null: none"),
        sdkMcpServers: optional(array(string), "servers in the host's process, reached by `mcp_message`"),
        sdkMcpServerConfigs: optional(record(object(toolCallSettings))),
        sdkMcpServerManifests: optional(
          record(object({ initializeResult: jsonObject, toolsListResult: optional(jsonObject) })),
          "what those servers would answer to the MCP handshake",
        ),
        sdkMcpServerManifestsOrigin: optional(oneOf("host_per_send")),
        jsonSchema: optional(jsonObject, "schema of the structured result"),
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
        perTaskStopAffordance: optional(boolean, "true: an interrupt leaves background tasks running"),
        plugins: optional(array(pluginConfig)),
        managedSettings: optional(jsonObject, "the administrator's, with `--managed-settings-in-initialize`"),
        session: optional(
          openedSession,
          "our addition, for agents that read here what others take as flags (acp)",
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
        name: optional(string, "our addition, for a shared process: the supervisor's name for this session"),
        args: optional(array(string), "our addition, for a shared process: the session's flags"),
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
