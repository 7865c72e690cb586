import { about } from "../schema/about.ts";
import { defaulted } from "../schema/object.ts";
import { string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** What an MCP server asked of the user in the browser is done. */
export const elicitationCompleteMessage = about(
  "X",
  "Sent when an MCP server reports that a question it asked through a web page is settled.",
  system("elicitation_complete", {
    mcp_server_name: defaulted(string, ""),
    elicitation_id: string,
  }),
);

/** What an MCP server asked of the user in the browser is done. */
export type ElicitationCompleteMessage = Infer<typeof elicitationCompleteMessage>;
