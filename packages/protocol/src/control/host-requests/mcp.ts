import { mcpServerConfig, mcpServerStatus } from "../../catalog/mcp-server.ts";
import { array, record } from "../../schema/collection.ts";
import { defaulted, object, optional, required } from "../../schema/object.ts";
import {
  anything,
  boolean,
  jsonObject,
  literal,
  nullable,
  number,
  oneOf,
  string,
} from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { acknowledgement } from "../request-table.ts";

const stagedFile = { name: string, lane_path: string };

/** Requests about MCP servers; all but `mcp_message` call the server's field `serverName`. */
export const mcpRequests = {
  mcp_status: {
    request: about(
      "E",
      "Asks for the state of every MCP server.",
      object({ subtype: literal("mcp_status"), liveReply: optional(boolean) }),
    ),
    response: object({ mcpServers: defaulted(array(mcpServerStatus), []) }),
  },
  mcp_reconnect: {
    request: about(
      "R",
      "Reconnects to a server.",
      object({ subtype: literal("mcp_reconnect"), serverName: string }),
    ),
    response: acknowledgement,
  },
  mcp_toggle: {
    request: about(
      "R",
      "Enables or disables a server.",
      object({ subtype: literal("mcp_toggle"), serverName: string, enabled: boolean }),
    ),
    response: acknowledgement,
  },
  mcp_authenticate: {
    request: about(
      "X",
      "Starts an OAuth sign-in to a server.",
      object({
        subtype: literal("mcp_authenticate"),
        serverName: string,
        redirectUri: optional(string),
      }),
    ),
    response: object({ authUrl: optional(string), requiresUserAction: optional(boolean) }),
  },
  mcp_clear_auth: {
    request: about(
      "X",
      "Discards the credentials from signing in to a server.",
      object({ subtype: literal("mcp_clear_auth"), serverName: string }),
    ),
    response: acknowledgement,
  },
  mcp_set_servers: {
    request: about(
      "R",
      "Replaces the servers that the host manages at run time.",
      object({ subtype: literal("mcp_set_servers"), servers: record(mcpServerConfig) }),
    ),
    response: object({
      added: defaulted(array(string), []),
      removed: defaulted(array(string), []),
      errors: defaulted(record(string), {}),
    }),
  },
  mcp_message: {
    request: about(
      "R",
      "Carries a JSON-RPC message that a server in the host's process initiates.",
      object({ subtype: literal("mcp_message"), server_name: string, message: jsonObject }),
    ),
    response: acknowledgement,
  },
  mcp_read_resource: {
    request: about(
      "X",
      "Reads a `ui://` resource of a server, for a host that renders it.",
      object({ subtype: literal("mcp_read_resource"), serverName: string, uri: string }),
    ),
    response: object({
      contents: defaulted(
        array(
          object({
            uri: string,
            mimeType: optional(string),
            text: optional(string),
            blob: optional(string, "base64"),
            _meta: optional(jsonObject),
          }),
        ),
        [],
      ),
    }),
  },
  mcp_call: {
    request: about(
      "X",
      "Calls a tool of a server without the model.",
      object({
        subtype: literal("mcp_call"),
        tool: required(string, "the full name: `mcp__server__tool`"),
        arguments: optional(jsonObject),
        timeout_ms: optional(number),
        expires_at: optional(string),
        check_permissions: optional(boolean),
        result_not_for_model: optional(boolean),
        input_files: optional(array(object(stagedFile))),
        output_files: optional(array(object({ ...stagedFile, if_match: optional(string) }))),
      }),
    ),
    response: object({
      content: optional(anything),
      structuredContent: optional(jsonObject),
      _meta: optional(jsonObject),
      staging: optional(jsonObject),
    }),
  },
  set_mcp_permission_mode_override: {
    request: about(
      "X",
      "Sets a separate permission mode for the tools of one server.",
      object({
        subtype: literal("set_mcp_permission_mode_override"),
        serverName: string,
        mode: required(nullable(oneOf("default", "auto")), "null: the session's mode"),
      }),
    ),
    response: object({ warning: optional(string) }),
  },
};
