import type { PluginFolder } from "../config/from-flags.ts";
import { namedServers, type Plugin, readPlugins } from "../context/plugins.ts";

/** What loading other plugins would change about the tools that the model is offered. */
export interface PluginImpact {
  readonly mcp_servers_added: string[];
  readonly mcp_servers_removed: string[];
  readonly lsp_tool_change: null;
}

/** Tells what loading these plugins would change about the tools of a session, if anything. */
export async function pluginImpact(
  known: readonly Plugin[],
  wanted: readonly PluginFolder[],
): Promise<PluginImpact | undefined> {
  const before = serverNames(known);
  const after = serverNames(await readPlugins(wanted));
  const mcp_servers_added = [...after].filter((name) => !before.has(name));
  const mcp_servers_removed = [...before].filter((name) => !after.has(name));
  if (mcp_servers_added.length + mcp_servers_removed.length === 0) return undefined;
  return { mcp_servers_added, mcp_servers_removed, lsp_tool_change: null };
}

const serverNames = (plugins: readonly Plugin[]) =>
  new Set(plugins.flatMap((plugin) => Object.keys(namedServers(plugin))));
