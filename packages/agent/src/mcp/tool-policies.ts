import type { McpServerConfig } from "@agentwire/protocol/control";
import type { ToolPolicy } from "./servers.ts";
import { qualifiedName } from "./tool-names.ts";

/** What a server's configuration says of its tools. It can only tighten: what it would allow is left to the rules. */
export function toolPolicies(server: string, config: McpServerConfig): readonly ToolPolicy[] {
  const listed = "tools" in config && Array.isArray(config.tools) ? config.tools : [];
  return listed.flatMap(({ name, permission_policy: policy }): readonly ToolPolicy[] => {
    const tool = qualifiedName(server, name);
    if (tool === undefined || policy === undefined || policy === "always_allow") return [];
    // A policy that is newer than us is asked about.
    return [{ tool, behavior: policy === "always_deny" ? "deny" : "ask" }];
  });
}
