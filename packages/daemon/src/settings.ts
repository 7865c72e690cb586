import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import {
  array,
  called,
  check,
  type Fault,
  filled,
  type Infer,
  literal,
  numberIn,
  object,
  optional,
  record,
  scalar,
  string,
  texts,
} from "@agentwire/protocol/schema";
import type { AgentConfig } from "./agents.ts";
import { CLUSTER, clusterConfig } from "./cluster/cluster-settings.ts";
import type { DaemonConfig } from "./config.ts";
import { withBestFirst } from "./default-agent.ts";
import { fromHome, ISOLATION, isolationOf, listed } from "./isolation/isolation-settings.ts";
import { LISTEN, listenSettings } from "./ports/listen-setting.ts";
import { SETTING_KEYS, schemaOf } from "./setting-keys.ts";
import { SettingsError } from "./settings-error.ts";

/** The configuration after applying a settings file, and warnings about unknown keys. */
export interface Settings {
  readonly config: DaemonConfig;
  readonly warnings: readonly string[];
}

/** The schema fields of a section, from the table of keys. */
const fieldsOf = (section: string) =>
  Object.fromEntries(
    SETTING_KEYS.filter(({ path }) => path.startsWith(`${section}.`)).map(({ path, expects, about }) => [
      nameOf(path),
      optional(schemaOf(expects), about),
    ]),
  );

const nameOf = (path: string) => path.slice(path.indexOf(".") + 1);

const AGENT = called(
  'an object, as in {"path": "claude"}',
  object({
    path: optional(called("a path, or a name on PATH", filled)),
    args: optional(called("a list of strings", array(string))),
    // Validated as a whole: an error must not show the value of a variable.
    env: optional(
      scalar<Readonly<Record<string, string>>>(
        "an object of strings",
        (value) => isJsonObject(value) && Object.values(value).every((item) => typeof item === "string"),
      ),
    ),
    dialect: optional(called('"claude", or "acp" for the Agent Client Protocol', literal("claude", "acp"))),
    auth_method: optional(called("the name of a login", filled)),
    sandbox: optional(ISOLATION),
    sessions_per_process: optional(
      called("a whole number from 1 to 10000", numberIn({ least: 1, most: 10_000, isWhole: true })),
    ),
    session_memory_mb: optional(
      called("a whole number from 16 to 65536", numberIn({ least: 16, most: 65_536, isWhole: true })),
    ),
  }),
);

const isHost = (host: string) => /^[\w.-]+(?::\d+)?$/.test(host);

const STORE_URL = 'the address of a PostgreSQL database, as in {"url": "postgres://user@host/database"}';

/** Whether a value is the URL of a database that can serve as a store. */
export const isStoreUrl = (url: unknown): url is string =>
  typeof url === "string" && /^postgres(?:ql)?:\/\/./.test(url);

const isStore = (value: unknown) =>
  isJsonObject(value) && Object.keys(value).length === 1 && isStoreUrl(value.url);

/** The schema of the settings file. */
const SETTINGS = called(
  "an object",
  object({
    daemon: optional(
      called(
        "an object",
        object({
          ...fieldsOf("daemon"),
          listen: optional(LISTEN),
          push_hosts: optional(texts("a list of hosts, each with a port if it is not 443", isHost)),
          // A relative path would depend on the folder in which the daemon was started.
          trusted_folders: optional(
            texts("a list of absolute folder paths, or paths that begin with ~", (folder) =>
              isAbsolute(fromHome(folder, "/")),
            ),
          ),
        }),
      ),
    ),
    budgets: optional(called("an object", object(fieldsOf("budgets")))),
    // Validated as a whole: an error must not show a password.
    store: optional(scalar<{ readonly url: string }>(`an object with ${STORE_URL}`, isStore)),
    cluster: optional(CLUSTER),
    agents: optional(called("an object", record(AGENT))),
    default_agent: optional(called("the name of an agent", string)),
  }),
);

/** Applies a settings file to a configuration; a missing file changes nothing. Throws `SettingsError`. */
export function readSettings(path: string, config: DaemonConfig): Settings {
  const file = read(path);
  if (file === undefined)
    return { config: { ...config, agents: withBestFirst(config.agents, config) }, warnings: [] };
  const checked = check(SETTINGS, parse(path, file));
  if (!checked.ok) throw new SettingsError(`${path}: ${described(checked.fault)}`);
  const { daemon = {}, budgets = {}, agents = {}, store, cluster, default_agent: wanted } = checked.value;
  const wrong = (key: string, expected: string) => new SettingsError(`${path}: ${key}: expected ${expected}`);
  const given: Readonly<Record<string, JsonObject>> = { daemon, budgets };
  const changed = SETTING_KEYS.reduce((soFar, { path: key, set }) => {
    const value = given[key.slice(0, key.indexOf("."))]?.[nameOf(key)];
    return value === undefined ? soFar : set(soFar, value as never);
  }, config);
  return {
    config: {
      ...changed,
      storeUrl: store?.url ?? config.storeUrl,
      cluster: clusterConfig(cluster, config.cluster),
      listen: listenSettings(path, daemon.listen, (key, expected) => wrong(`daemon.listen${key}`, expected)),
      trustedFolders: listed(daemon.trusted_folders).map((folder) => fromHome(folder, config.home)),
      pushHosts: listed(daemon.push_hosts),
      agents: agentsOf(path, agents, wanted, config, wrong),
    },
    warnings: checked.unknownKeys.map(
      ({ path: key, meant }) =>
        `${path}: unknown setting ${key}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    ),
  };
}

/** Describes a fault and its location. Objects are not shown, since they may contain secrets. */
function described({ path, expected, given }: Fault): string {
  const shown = isJsonObject(given) ? "an object" : JSON.stringify(given);
  return `${path === "" ? "" : `${path}: `}expected ${expected}${given === undefined ? "" : `, not ${shown}`}`;
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

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SettingsError(`${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Merges the agents of the file with the built-in ones, which they override by name. The default agent comes first. */
function agentsOf(
  path: string,
  given: Readonly<Record<string, Infer<typeof AGENT>>>,
  wanted: string | undefined,
  config: DaemonConfig,
  wrong: (key: string, expected: string) => SettingsError,
): readonly AgentConfig[] {
  const { agents: ours, home } = config;
  const theirs = Object.entries(given).map(([name, agent]): AgentConfig => {
    const { path: own, args = [], env = {}, dialect, auth_method: authMethod, sandbox } = agent;
    const { sessions_per_process: sessionsPerProcess = 1, session_memory_mb: memory } = agent;
    const known = ours.find((agent) => agent.name === name);
    const program = own ?? known?.path;
    // Built-in agents need no path.
    if (!known && program === undefined) throw wrong(`agents.${name}.path`, "a path, or a name on PATH");
    if (sessionsPerProcess > 1 && (program !== undefined || dialect === "acp"))
      throw wrong(`agents.${name}.sessions_per_process`, "1 for every agent except agentwire");
    if (sessionsPerProcess === 1 && memory !== undefined)
      throw wrong(`agents.${name}.session_memory_mb`, "sessions_per_process to be greater than 1");
    const isolation = isolationOf(sandbox, home);
    return {
      name,
      ...(program && { path: program }),
      args,
      env: memory === undefined ? env : { ...env, AGENTWIRE_SESSION_MEMORY_MB: String(memory) },
      ...(dialect === "acp" && { dialect }),
      ...(authMethod !== undefined && { authMethod }),
      ...(isolation && { sandbox: isolation }),
      ...(sessionsPerProcess > 1 && { sessionsPerProcess }),
    };
  });
  const all = [...theirs, ...ours.filter(({ name }) => !theirs.some((agent) => agent.name === name))];
  if (wanted === undefined && theirs.length === 0) return withBestFirst(all, config);
  const first = all.find(({ name }) => name === (wanted ?? ours[0]?.name));
  if (!first)
    throw new SettingsError(
      `${path}: default_agent: unknown agent ${JSON.stringify(wanted)}; choose one of ${all.map(({ name }) => name).join(", ")}`,
    );
  return [first, ...all.filter((agent) => agent !== first)];
}
