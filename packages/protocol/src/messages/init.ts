import { effortLevel } from "../catalog/catalog.ts";
import { PERMISSION_MODES } from "../permission/mode.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, jsonObject, nullable, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { fastMode, system } from "./common.ts";

const names = defaulted(array(string), []);

const mcpServer = object({
  name: string,
  status: defaulted(oneOf("connected", "failed", "needs-auth", "pending", "disabled"), ""),
  source: optional(string),
});

const plugin = object({
  name: string,
  path: defaulted(string, ""),
  version: optional(string),
  source: optional(string),
});

const pluginError = object({
  plugin: string,
  type: defaulted(string, ""),
  message: defaulted(string, ""),
  path: optional(string),
  managed_lock: optional(
    object({ plugin_enabled: boolean, name: string, marketplace: optional(string) }),
    "the managed setting that blocked the plugin",
  ),
});

const toolDefinition = object({
  name: string,
  description: optional(string),
  input_schema: optional(jsonObject),
});

/** A tool with its description and schema, if an agent reports more than the name. */
export type ToolDefinition = Infer<typeof toolDefinition>;

/** The state of the session when a turn begins. */
export const initMessage = about(
  "E",
  "Opens every turn, not only the first; nothing is sent when the process starts.",
  system("init", {
    cwd: defaulted(string, ""),
    model: defaulted(string, ""),
    permissionMode: defaulted(oneOf(...PERMISSION_MODES), "default"),
    tools: names,
    tool_definitions: optional(array(toolDefinition), "our addition, for agents that describe their tools"),
    mcp_servers: defaulted(array(mcpServer), []),
    slash_commands: names,
    terminal_slash_commands: optional(array(string), "the ones that only make sense in a terminal"),
    skills: names,
    agents: optional(array(string)),
    plugins: defaulted(array(plugin), []),
    plugin_errors: optional(array(pluginError)),
    output_style: defaulted(string, "default"),
    claude_code_version: defaulted(string, ""),
    apiKeySource: defaulted(oneOf("ANTHROPIC_API_KEY", "apiKeyHelper", "/login managed key", "none"), ""),
    betas: optional(array(string)),
    capabilities: optional(array(string), "what a host may rely on, regardless of the version"),
    effort: optional(nullable(effortLevel)),
    view_mode: optional(oneOf("focus", "default")),
    ...fastMode,
  }),
);

/** The state of the session when a turn begins. */
export type InitMessage = Infer<typeof initMessage>;
