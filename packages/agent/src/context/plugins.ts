import { basename, join } from "node:path";
import { isFolder, readRegularFile } from "@agentwire/local/files";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import type { PluginFolder } from "../config/from-flags.ts";

/** A local plugin: a folder with optional commands, agents, skills, hooks and MCP servers. */
export interface Plugin {
  readonly name: string;
  readonly path: string;
  readonly version: string | undefined;
  /** The `hooks` object of its hooks file. */
  readonly hooks: JsonObject;
  /** Its MCP servers by their own names. */
  readonly servers: JsonObject;
  /** Whether the folder is missing; the plugin is then reported as an error and ignored. */
  readonly isMissing: boolean;
  /** The problems found; the rest of the plugin still works. */
  readonly problems: readonly string[];
}

/** Reads plugins; one whose folder is missing is named after its index in the list. */
export async function readPlugins(folders: readonly PluginFolder[]): Promise<readonly Plugin[]> {
  const plugins = await Promise.all(folders.map(readPlugin));
  return plugins.map((plugin, i) => (plugin.isMissing ? { ...plugin, name: `inline[${i}]` } : plugin));
}

/** Reads a plugin's manifest, hooks and servers; its Markdown files are read along with the project's. */
export async function readPlugin({ path, withServers }: PluginFolder): Promise<Plugin> {
  const problems: string[] = [];
  const isMissing = !isFolder(path);
  const [manifest, hooks, servers] = await Promise.all([
    readJson(join(path, ".claude-plugin", "plugin.json"), problems),
    readJson(join(path, "hooks", "hooks.json"), problems),
    withServers ? readJson(join(path, ".mcp.json"), problems) : undefined,
  ]);
  if (isMissing) problems.push(`Path not found: ${path}`);
  else if (!manifest) problems.push("the file .claude-plugin/plugin.json is missing");
  return {
    name: typeof manifest?.name === "string" ? manifest.name : basename(path),
    path,
    version: typeof manifest?.version === "string" ? manifest.version : undefined,
    hooks: partOf(hooks, "hooks"),
    servers: partOf(servers, "mcpServers"),
    isMissing,
    problems,
  };
}

/** The prefix of the names of all plugin servers. */
export const PLUGIN_PREFIX = "plugin:";

/** A plugin's servers under the names they have in the session. */
export function namedServers({ name, servers }: Plugin): JsonObject {
  return Object.fromEntries(
    Object.entries(servers).map(([server, config]) => [`${PLUGIN_PREFIX}${name}:${server}`, config]),
  );
}

function partOf(file: JsonObject | undefined, key: string): JsonObject {
  const part = file?.[key] ?? file;
  return isJsonObject(part) ? part : {};
}

async function readJson(path: string, problems: string[]): Promise<JsonObject | undefined> {
  const text = await readRegularFile(path).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
    problems.push(`${path} is not a JSON object`);
  } catch (error) {
    problems.push(`${path} is not JSON: ${errorMessage(error)}`);
  }
  return undefined;
}
