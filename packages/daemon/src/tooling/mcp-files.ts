import { readRegularFile, unlessMissing } from "@agentwire/local/files";
import { parseSettings } from "@agentwire/local/settings";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { errorMessage, parseUrl } from "@agentwire/protocol/support";
import { DaemonError } from "../errors.ts";
import { editFile, type FileScope, type Surroundings, serverFiles } from "./config-files.ts";

/** A server in a file. */
export interface FileServer {
  readonly name: string;
  readonly scope: FileScope;
  /** The command or URL, without variables and headers, which may be secrets. */
  readonly target: string;
}

/** A new server. */
export interface NewServer {
  readonly name: string;
  readonly command: readonly string[];
  readonly url: string;
  readonly transport: string;
  readonly secrets: Readonly<Record<string, string>>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The servers in effect in a folder, by name; if two have the same name, the file with higher precedence wins, as for agents. */
export async function readServers(
  around: Surroundings,
): Promise<{ readonly servers: readonly FileServer[]; readonly problems: readonly string[] }> {
  const { user: userPath, project: projectPath } = serverFiles(around);
  const problems: string[] = [];
  const [user, project] = await Promise.all([userPath, projectPath].map((path) => contentOf(path, problems)));
  const servers = new Map<string, FileServer>();
  const groups = [
    ["user", user],
    ["project", project],
    ["local", projectIn(user, around.cwd)],
  ] as const;
  for (const [scope, file] of groups)
    for (const [name, config] of Object.entries(serversIn(file)))
      servers.set(name, { name, scope, target: targetOf(config) });
  return { servers: [...servers.values()], problems };
}

/** Adds a server to a file, or replaces it there. */
export async function setServer(around: Surroundings, scope: FileScope, wanted: NewServer): Promise<void> {
  const config = configOf(wanted);
  await editServers(around, scope, (servers) => ({ ...servers, [wanted.name]: config }));
}

/** Removes a server from a file. */
export async function removeServer(around: Surroundings, scope: FileScope, name: string): Promise<void> {
  await editServers(around, scope, (servers) => {
    if (!Object.hasOwn(servers, name))
      throw new DaemonError("INVALID_ARGUMENT", `name: the file names no server ${name}`);
    const { [name]: _, ...others } = servers;
    return others;
  });
}

function editServers(
  around: Surroundings,
  scope: FileScope,
  change: (servers: JsonObject) => JsonObject,
): Promise<void> {
  const { cwd } = around;
  return editFile(serverFiles(around), scope, cwd, (file) => {
    if (scope !== "local") return { ...file, mcpServers: change(serversIn(file)) };
    const projects = isJsonObject(file.projects) ? file.projects : {};
    const here = projectIn(file, cwd);
    return { ...file, projects: { ...projects, [cwd]: { ...here, mcpServers: change(serversIn(here)) } } };
  });
}

function configOf({ name, command, url, transport, secrets }: NewServer): JsonObject {
  if (!NAME.test(name))
    throw new DaemonError("INVALID_ARGUMENT", "name: use up to 64 letters, digits, dashes and underscores");
  const [program = "", ...args] = command;
  const hasSecrets = Object.keys(secrets).length > 0;
  if (url === "") {
    if (program.trim() === "")
      throw new DaemonError("INVALID_ARGUMENT", "command: name a program, or give a URL");
    return { type: "stdio", command: program, args, ...(hasSecrets && { env: { ...secrets } }) };
  }
  const protocol = parseUrl(url)?.protocol;
  if (program !== "" || (protocol !== "https:" && protocol !== "http:"))
    throw new DaemonError("INVALID_ARGUMENT", "url: give an http or https address, without a command");
  if (transport !== "" && transport !== "http" && transport !== "sse")
    throw new DaemonError("INVALID_ARGUMENT", "transport: choose http or sse");
  return { type: transport || "http", url, ...(hasSecrets && { headers: { ...secrets } }) };
}

async function contentOf(path: string, problems: string[]): Promise<JsonObject> {
  try {
    const text = await unlessMissing(readRegularFile(path));
    const parsed = parseSettings(text ?? "");
    if (parsed.ok) return parsed.settings;
    problems.push(`${path} ${parsed.reason}`);
  } catch (error) {
    problems.push(`${path} can't be read: ${errorMessage(error)}`);
  }
  return {};
}

function projectIn(file: JsonObject | undefined, cwd: string): JsonObject {
  const projects = file?.projects;
  const here = isJsonObject(projects) && Object.hasOwn(projects, cwd) ? projects[cwd] : undefined;
  return isJsonObject(here) ? here : {};
}

const serversIn = (file: JsonObject | undefined): JsonObject =>
  isJsonObject(file?.mcpServers) ? file.mcpServers : {};

/** The displayed command or URL of a server. */
export function targetOf(config: unknown): string {
  if (!isJsonObject(config)) return "";
  const { url, command, args } = config;
  if (typeof url === "string") {
    const parsed = parseUrl(url);
    // The part of a URL after its path is often a key.
    return parsed ? `${parsed.origin}${parsed.pathname}` : "";
  }
  return [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string").join(" ");
}
