import { about } from "../../schema/about.ts";
import { object, optional } from "../../schema/object.ts";
import { jsonObject, literal, string } from "../../schema/scalar.ts";

/** The way to an MCP server in the host's process. */
export const mcpMessage = {
  request: about(
    "E",
    "Carries a JSON-RPC message to a server in the host's process; notifications want an answer as well.",
    object({ subtype: literal("mcp_message"), server_name: string, message: jsonObject }),
  ),
  response: object({ mcp_response: optional(jsonObject, "to a notification: anything, nobody looks") }),
};
