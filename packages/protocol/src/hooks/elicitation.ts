import { optional } from "../schema/object.ts";
import { jsonObject, literal, oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { inputOf, outputOf } from "./shape.ts";

const question = {
  mcp_server_name: string,
  mode: optional(oneOf("form", "url")),
  elicitation_id: optional(string),
};

const action = literal("accept", "decline", "cancel");
const content = optional(jsonObject);

/** Events about questions from MCP servers. */
export const elicitationHooks = {
  Elicitation: {
    matcher: "mcp_server_name",
    input: about(
      "X",
      "When an MCP server asks the user something: the hook may answer.",
      inputOf("Elicitation", {
        ...question,
        message: string,
        url: optional(string),
        requested_schema: optional(jsonObject),
      }),
    ),
    output: outputOf("Elicitation", { action: optional(action), content }),
  },
  ElicitationResult: {
    matcher: "mcp_server_name",
    input: about(
      "X",
      "After the user has answered an MCP server: the hook may change the answer.",
      inputOf("ElicitationResult", { ...question, action, content }),
    ),
    output: outputOf("ElicitationResult", { action: optional(action), content }),
  },
};
