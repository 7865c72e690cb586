import { about } from "../../schema/about.ts";
import { array } from "../../schema/collection.ts";
import { object, optional } from "../../schema/object.ts";
import { jsonObject, literal, oneOf, string } from "../../schema/scalar.ts";

/** A question that an MCP server puts to the user. */
export const elicitation = {
  request: about(
    "R",
    "Passes on a question of an MCP server: a form to fill in or an address to open.",
    object({
      subtype: literal("elicitation"),
      mcp_server_name: string,
      message: string,
      mode: optional(oneOf("form", "url")),
      url: optional(string),
      elicitation_id: optional(string),
      requested_schema: optional(jsonObject),
      property_order: optional(array(string)),
      title: optional(string),
      display_name: optional(string),
      description: optional(string),
    }),
  ),
  response: object({ action: literal("accept", "decline", "cancel"), content: optional(jsonObject) }),
};
