import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isMissing, readRegularFile } from "@agentwire/local/files";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { McpServerConfig } from "@agentwire/protocol/control";
import { errorMessage } from "@agentwire/protocol/support";
import { shown, type Withheld } from "../../settings/untrusted.ts";
import type { McpScope } from "../servers.ts";
import { checkServer } from "./check.ts";

/** Where to look for servers. */
export interface McpSources {
  /** The values of `--mcp-config`: JSON, or the path of a JSON file. */
  readonly given: readonly string[];
  /** Whether to use only the given servers. */
  readonly strict: boolean;
  readonly cwd: string;
  readonly env: Environment;
  /**
   * Whether the project may configure servers in its `.mcp.json`; those named in `without` are left out, and all of them are if
   * the user does not trust the folder.
   */
  readonly project?: { readonly isTrusted: boolean; readonly without: readonly string[] };
  /** The user's own file, with servers for all projects and for single ones. */
  readonly userFile?: string;
}

/** The servers that were found, by name, and all problems with their configuration. */
export interface McpConfig {
  readonly servers: { readonly [name: string]: McpServerConfig };
  readonly scopes: { readonly [name: string]: McpScope };
  /** `where` is the name of a server or, if a source could not be read at all, the file or flag. */
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  /** Servers of the project that are left out because the user does not trust its folder. */
  readonly withheld: readonly Withheld[];
}

/** Servers from one source, before they are checked. */
interface Group {
  readonly scope: McpScope;
  readonly servers: JsonObject;
}

/**
 * Finds the servers of a session. If two have the same name, the later source wins: user, project, user for this project, command
 * line. Never rejects.
 */
export async function readMcpConfig(sources: McpSources): Promise<McpConfig> {
  const problems: { where: string; message: string }[] = [];
  const report = (where: string, message: string): void => void problems.push({ where, message });
  const withheld: Withheld[] = [];
  const files = sources.strict ? [] : await fileGroups(sources, report, withheld);
  const given = await Promise.all(sources.given.map((flag) => flagGroup(flag, sources.cwd, report)));

  const servers = new Map<string, McpServerConfig>();
  const scopes = new Map<string, McpScope>();
  for (const group of [...files, ...given]) {
    for (const [name, value] of Object.entries(group.servers)) {
      const config = readServer(value, sources.env, (message) => report(name, message));
      if (!config) continue;
      servers.set(name, config);
      scopes.set(name, group.scope);
    }
  }
  return { servers: Object.fromEntries(servers), scopes: Object.fromEntries(scopes), problems, withheld };
}

type Report = (where: string, message: string) => void;

async function fileGroups(
  sources: McpSources,
  report: Report,
  withheld: Withheld[],
): Promise<readonly Group[]> {
  const { userFile, project, cwd } = sources;
  const user = userFile === undefined ? undefined : await readJson(userFile, report, true);
  const own = project === undefined ? undefined : await readJson(join(cwd, ".mcp.json"), report, true);
  const projects = user?.projects;
  const here = isJsonObject(projects) && Object.hasOwn(projects, cwd) ? projects[cwd] : undefined;
  const allowed = Object.entries(serversIn(own)).filter(([name]) => !project?.without.includes(name));
  const isTrusted = project?.isTrusted ?? true;
  if (!isTrusted)
    for (const [name, server] of allowed)
      withheld.push({ path: join(cwd, ".mcp.json"), what: `mcpServers.${name} ${shown(server)}` });
  return [
    { scope: "user", servers: serversIn(user) },
    { scope: "project", servers: isTrusted ? Object.fromEntries(allowed) : {} },
    { scope: "local", servers: serversIn(here) },
  ];
}

async function flagGroup(flag: string, cwd: string, report: Report): Promise<Group> {
  const isJson = flag.trimStart().startsWith("{");
  const where = isJson ? "--mcp-config" : resolve(cwd, flag);
  const value = isJson ? parse(flag, where, report) : await readJson(where, report, false);
  if (value !== undefined && !isJsonObject(value.mcpServers))
    report(where, "the mcpServers object is missing");
  return { scope: "dynamic", servers: serversIn(value) };
}

function readServer(
  value: unknown,
  env: Environment,
  report: (message: string) => void,
): McpServerConfig | undefined {
  if (!isJsonObject(value)) {
    report("it is not an object");
    return undefined;
  }
  const { config, missing } = expand(value, env);
  if (missing.length > 0) report(`not set in the environment: ${missing.join(", ")}`);
  const checked = checkServer(config);
  if (typeof checked !== "string") return checked;
  report(checked);
  return undefined;
}

async function readJson(path: string, report: Report, isOptional: boolean): Promise<JsonObject | undefined> {
  if (isOptional && isMissing(path)) return undefined;
  try {
    return parse(await (isOptional ? readRegularFile(path) : readFile(path, "utf8")), path, report);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) report(path, `it can't be read: ${String(error)}`);
    else if (!isOptional) report(path, "there is no such file");
    return undefined;
  }
}

function parse(text: string, where: string, report: Report): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
    report(where, "it is not a JSON object");
  } catch (error) {
    report(where, `it is not JSON: ${errorMessage(error)}`);
  }
  return undefined;
}

function serversIn(file: unknown): JsonObject {
  return isJsonObject(file) && isJsonObject(file.mcpServers) ? file.mcpServers : {};
}

/** The variables that a configuration may refer to. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration with its variables filled in, and the names of those that are not set. */
interface Expansion {
  readonly config: JsonObject;
  readonly missing: readonly string[];
}

const EXPANDED_KEYS: readonly string[] = ["command", "args", "env", "url", "headers"];
// The default's length is bounded so that a file full of unclosed braces can't take quadratic time.
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]{0,2000}))?\}/g;

/** Fills in `${NAME}` and `${NAME:-default}`; a variable that is not set and has no default stays unchanged. */
export function expand(config: JsonObject, env: Environment): Expansion {
  const missing = new Set<string>();
  const replace = (written: string, name: string, fallback?: string): string => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined && fallback === undefined) missing.add(name);
    return value ?? fallback ?? written;
  };
  const fill = (value: unknown): unknown =>
    typeof value === "string" ? value.replace(VARIABLE, replace) : value;
  const fillAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    return isJsonObject(value) ? mapValues(value, fill) : fill(value);
  };
  const filled = mapValues(config, (value, key) => (EXPANDED_KEYS.includes(key) ? fillAll(value) : value));
  return { config: filled, missing: [...missing] };
}

function mapValues(object: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
