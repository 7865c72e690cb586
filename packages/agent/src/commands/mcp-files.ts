import { join } from "node:path";
import { readRegularFile } from "@agentwire/local/files";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import { type McpConfig, readMcpConfig } from "../mcp/config/config.ts";
import { rewriteSettings } from "../settings/rewrite.ts";
import type { Settings } from "../settings/settings.ts";
import { inProject, objectIn, projectIn, rewriteUserFile } from "../settings/user-file.ts";
import { UsageError } from "../usage-error.ts";

/** Where servers are configured: by the user for one project, in the project for everybody, by the user for all projects. */
export const SCOPES = ["local", "project", "user"] as const;

export type Scope = (typeof SCOPES)[number];

/** Names of the scopes for people. */
export const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  local: "Local config (private to you in this project)",
  project: "Project config (shared via .mcp.json)",
  user: "User config (available in all your projects)",
};

/** A server as it is written in a file. */
export interface KeptServer {
  readonly name: string;
  readonly scope: Scope;
  readonly config: JsonObject;
}

/** Reads a scope from a command line. */
export function scopeOf(given: string | undefined): Scope {
  const scope = SCOPES.find((name) => name === (given ?? "local"));
  if (!scope) throw new UsageError(`--scope ${given}: choose one of ${SCOPES.join(", ")}`);
  return scope;
}

/** The file of a scope, as shown to people. */
export function fileOf(scope: Scope, config: Config): string {
  return scope === "local" ? `${config.userFile} [project: ${config.projectRoot}]` : pathOf(scope, config);
}

/** Every configured server of every scope, including those overridden by another one of the same name. */
export async function keptServers(config: Config): Promise<readonly KeptServer[]> {
  const [user, project] = await Promise.all([
    readObject(config.userFile),
    readObject(pathOf("project", config)),
  ]);
  const files: Readonly<Record<Scope, JsonObject>> = { local: here(user, config), project, user };
  return SCOPES.flatMap((scope) =>
    Object.entries(objectIn(files[scope], "mcpServers")).flatMap(([name, value]) =>
      isJsonObject(value) ? [{ name, scope, config: value }] : [],
    ),
  );
}

/** The servers that a session here would have, read the same way, and the problems with them. */
export async function configuredServers(config: Config, { isTrusted }: Pick<Settings, "isTrusted">) {
  const found: McpConfig = await readMcpConfig({
    given: [],
    strict: false,
    cwd: config.projectRoot,
    env: config.env,
    project: { isTrusted, without: [] },
    userFile: config.userFile,
  });
  const servers = Object.entries(found.servers).map(([name, server]) => ({
    name,
    server,
    scope: found.scopes[name] as Scope,
  }));
  return { servers, problems: found.problems, withheld: found.withheld };
}

/** Whether the user has approved a server of the project's file, which could run any program. */
export async function isApproved(name: string, config: Config, settings: JsonObject): Promise<boolean> {
  const project = here(await readObject(config.userFile), config);
  const named = (list: unknown) => Array.isArray(list) && list.includes(name);
  if (named(settings.disabledMcpjsonServers) || named(project.disabledMcpjsonServers)) return false;
  return (
    settings.enableAllProjectMcpServers === true ||
    named(settings.enabledMcpjsonServers) ||
    named(project.enabledMcpjsonServers)
  );
}

/** Changes the servers of a scope, and nothing else in the file. */
export async function changeServers(
  scope: Scope,
  config: Config,
  change: (servers: JsonObject) => JsonObject,
): Promise<void> {
  const inside = (holder: JsonObject) => ({ ...holder, mcpServers: change(objectIn(holder, "mcpServers")) });
  if (scope === "project") await rewriteSettings(pathOf(scope, config), inside);
  else
    await rewriteUserFile(config.userFile, (file) =>
      scope === "user" ? inside(file) : inProject(file, config.projectRoot, inside),
    );
}

/** Forgets which of the project's servers the user has approved or rejected. */
export async function forgetApprovals(config: Config): Promise<void> {
  const none = { enabledMcpjsonServers: [], disabledMcpjsonServers: [] };
  await rewriteUserFile(config.userFile, (file) =>
    inProject(file, config.projectRoot, (project) => ({ ...project, ...none })),
  );
}

function pathOf(scope: Scope, { userFile, projectRoot }: Config): string {
  return scope === "project" ? join(projectRoot, ".mcp.json") : userFile;
}

const here = (file: JsonObject, { projectRoot }: Config) => projectIn(file, projectRoot);

async function readObject(path: string): Promise<JsonObject> {
  const text = await readRegularFile(path).catch(() => "{}");
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch (cause) {
    throw new UsageError(`${path} is not JSON: ${errorMessage(cause)}`, { cause });
  }
}
