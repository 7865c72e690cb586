import { choose } from "./command.ts";
import { add, addJson, remove, resetChoices } from "./mcp-change.ts";
import { get, list } from "./mcp-list.ts";
import { refused } from "./refused.ts";

const USAGE = `agentwire-agent mcp list                                        list all servers and whether they can be reached
agentwire-agent mcp get NAME                                    show one server in detail
agentwire-agent mcp add [-s SCOPE] [-e NAME=VALUE]... NAME -- COMMAND [ARG]...
agentwire-agent mcp add -t http|sse [-s SCOPE] [-H "NAME: VALUE"]... NAME URL
agentwire-agent mcp add-json [-s SCOPE] NAME JSON
agentwire-agent mcp remove [-s SCOPE] NAME
agentwire-agent mcp reset-project-choices                       forget which servers of .mcp.json were approved

SCOPE is local (only you, in this project), project (shared in .mcp.json) or user (only you, in all projects). Default: local.
`;

const NO_SIGN_IN = "give the server its credentials in headers or its environment";

/** `mcp`. */
export const mcp = choose(
  "mcp",
  new Map([
    ["list", list],
    ["get", get],
    ["add", add],
    ["add-json", addJson],
    ["remove", remove],
    ["reset-project-choices", resetChoices],
    ["login", refused("mcp login", NO_SIGN_IN)],
    ["logout", refused("mcp logout", NO_SIGN_IN)],
    ["serve", refused("mcp serve", "this agent is not an MCP server")],
    ["add-from-claude-desktop", refused("mcp add-from-claude-desktop", "add each server with mcp add-json")],
  ]),
  USAGE,
);
