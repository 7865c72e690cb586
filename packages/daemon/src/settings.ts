import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { AgentConfig } from "./agents.ts";
import type { DaemonConfig } from "./config.ts";
import { withBestFirst } from "./default-agent.ts";
import { readIsolation } from "./isolation/isolation-settings.ts";
import { readListenSettings } from "./ports/listen-setting.ts";
import { expectation, isExpected, SETTING_KEYS } from "./setting-keys.ts";
import { SettingsError } from "./settings-error.ts";

/** The changes of a settings file, and its unknown keys. */
export interface Settings {
  readonly config: DaemonConfig;
  readonly warnings: readonly string[];
}

const TOP_KEYS = new Set(["daemon", "budgets", "agents", "default_agent"]);
const TRUSTED = "daemon.trusted_folders";
const AGENT_KEYS = new Set(["path", "args", "env", "sandbox"]);

/** Reads a settings file over a configuration; a file that is not there changes nothing. Throws `SettingsError`. */
export function readSettings(path: string, config: DaemonConfig): Settings {
  const file = read(path);
  if (file === undefined)
    return { config: { ...config, agents: withBestFirst(config.agents, config) }, warnings: [] };
  const settings = parse(path, file);
  const sections = {
    daemon: section(path, settings, "daemon"),
    budgets: section(path, settings, "budgets"),
  };
  const agents = section(path, settings, "agents");
  const warnings = [
    ...unknown(settings, TOP_KEYS, ""),
    ...Object.entries(sections).flatMap(([name, given]) => unknown(given, keysOf(name), `${name}.`)),
    ...Object.entries(agents).flatMap(([name, agent]) =>
      isJsonObject(agent) ? unknown(agent, AGENT_KEYS, `agents.${name}.`) : [],
    ),
  ].map((key) => `${path}: unknown setting ${key}`);
  const changed = SETTING_KEYS.reduce((soFar, { path: key, expects, set }) => {
    const value = valueAt(sections, key);
    if (value === undefined) return soFar;
    if (isExpected(value, expects)) return set(soFar, value);
    throw new SettingsError(
      `${path}: ${key}: expected ${expectation(expects)}, not ${JSON.stringify(value)}`,
    );
  }, config);
  return {
    config: {
      ...changed,
      listen: readListenSettings(
        path,
        sections.daemon.listen,
        (key, expected) => new SettingsError(`${path}: daemon.listen${key}: expected ${expected}`),
      ),
      trustedFolders: trustedFolders(path, sections.daemon.trusted_folders, config),
      agents: agentsOf(path, settings, agents, config),
    },
    warnings,
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new SettingsError(`${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(path: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SettingsError(`${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (isJsonObject(value)) return value;
  throw new SettingsError(`${path}: expected an object`);
}

function section(path: string, settings: JsonObject, key: string): JsonObject {
  const value = settings[key] ?? {};
  if (isJsonObject(value)) return value;
  throw new SettingsError(`${path}: ${key}: expected an object, not ${JSON.stringify(value)}`);
}

/** The keys that a section may have. */
const keysOf = (name: string) =>
  new Set(
    ["daemon.listen", TRUSTED, ...SETTING_KEYS.map(({ path }) => path)].flatMap((path) =>
      path.startsWith(`${name}.`) ? [nameOf(path)] : [],
    ),
  );

const nameOf = (path: string) => path.slice(path.indexOf(".") + 1);

function valueAt(sections: Readonly<Record<string, JsonObject>>, key: string): unknown {
  const given = sections[key.slice(0, key.indexOf("."))] ?? {};
  return Object.hasOwn(given, nameOf(key)) ? given[nameOf(key)] : undefined;
}

/** Folders from the root or from the home folder: any other would depend on where the daemon was started. */
function trustedFolders(path: string, given: unknown = [], { home }: DaemonConfig): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map((folder) => {
    const named = typeof folder === "string" ? folder.replace(/^~(?=$|\/)/, home) : "";
    if (isAbsolute(named)) return named;
    throw new SettingsError(
      `${path}: ${TRUSTED}: expected a list of folders from the root or from ~, not ${JSON.stringify(folder)}`,
    );
  });
}

/** Those of the file take the place of ours with the same name; the default one comes first. */
function agentsOf(path: string, settings: JsonObject, given: JsonObject, config: DaemonConfig) {
  const { agents: ours, home } = config;
  const theirs = Object.entries(given).map(([name, value]) => {
    const own = ours.find((agent) => agent.name === name);
    return agentOf(path, name, value, own, home);
  });
  const all = [...theirs, ...ours.filter(({ name }) => !theirs.some((agent) => agent.name === name))];
  const wanted = settings.default_agent ?? ours[0]?.name;
  if (settings.default_agent === undefined && theirs.length === 0) return withBestFirst(all, config);
  const first = all.find(({ name }) => name === wanted);
  if (!first)
    throw new SettingsError(
      `${path}: default_agent: unknown agent ${JSON.stringify(wanted)}; choose one of ${all.map(({ name }) => name).join(", ")}`,
    );
  return [first, ...all.filter((agent) => agent !== first)];
}

function agentOf(
  path: string,
  name: string,
  value: unknown,
  own: AgentConfig | undefined,
  home: string,
): AgentConfig {
  const wrong = (key: string, expected: string) =>
    new SettingsError(`${path}: agents.${name}${key}: expected ${expected}`);
  if (!isJsonObject(value)) throw wrong("", 'an object, as in {"path": "claude"}');
  const { path: program = own?.path, args = [], env = {} } = value;
  // An agent that we bring needs none.
  const isOwn = own !== undefined && program === undefined;
  if (!isOwn && (typeof program !== "string" || program === ""))
    throw wrong(".path", "a path, or a name on PATH");
  if (!Array.isArray(args) || !args.every(isText)) throw wrong(".args", "a list of strings");
  if (!isJsonObject(env) || !Object.values(env).every(isText)) throw wrong(".env", "an object of strings");
  const sandbox = readIsolation(value.sandbox, home, (key, expected) => wrong(`.sandbox${key}`, expected));
  return {
    name,
    ...(typeof program === "string" && { path: program }),
    args,
    env: env as Readonly<Record<string, string>>,
    ...(sandbox && { sandbox }),
  };
}

const isText = (value: unknown): value is string => typeof value === "string";

const unknown = (value: JsonObject, known: ReadonlySet<string>, prefix: string) =>
  Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => `${prefix}${key}`);
