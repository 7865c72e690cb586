import { agentInfo, slashCommand } from "../../catalog/catalog.ts";
import { mcpServerStatus } from "../../catalog/mcp-server.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { pluginConfig } from "./initialize.ts";

/** Requests that reload what is on disk. */
export const pluginRequests = {
  reload_plugins: {
    request: about(
      "X",
      "Reloads the plugins and answers with what the session has afterwards.",
      object({
        subtype: literal("reload_plugins"),
        hold_on_cache_impact: optional(boolean, "true: only reports what would change in the tool list"),
        add_plugins: optional(array(pluginConfig)),
        refuse_if_busy: optional(boolean),
      }),
    ),
    response: object({
      commands: defaulted(array(slashCommand), []),
      agents: defaulted(array(agentInfo), []),
      plugins: defaulted(
        array(
          object({
            name: string,
            path: defaulted(string, ""),
            source: optional(string),
            version: optional(string),
          }),
        ),
        [],
      ),
      mcpServers: defaulted(array(mcpServerStatus), []),
      error_count: defaulted(number, 0),
      held: optional(boolean),
      cache_impact: optional(
        object({
          mcp_servers_added: defaulted(array(string), []),
          mcp_servers_removed: defaulted(array(string), []),
          lsp_tool_change: defaulted(nullable(oneOf("adds", "may-add", "removes", "may-remove")), null),
        }),
      ),
    }),
  },
  reload_skills: {
    request: about("X", "Reloads the skills.", object({ subtype: literal("reload_skills") })),
    response: object({ skills: defaulted(array(slashCommand), []) }),
  },
  reload_output_styles: {
    request: about("X", "Reloads the output styles.", object({ subtype: literal("reload_output_styles") })),
    response: object({ available_output_styles: defaulted(array(string), []) }),
  },
};
