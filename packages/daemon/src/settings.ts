import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { AgentConfig } from "./agents.ts";
import type { DaemonConfig } from "./config.ts";
import { listenPlaces } from "./http/listen-place.ts";
import { SettingsError } from "./settings-error.ts";

/** What a settings file changes, and what in it nobody understands. */
export interface Settings {
  readonly config: DaemonConfig;
  readonly warnings: readonly string[];
}

interface Key {
  readonly least: number;
  readonly most: number;
  /** The configuration with this number in it. */
  readonly set: (config: DaemonConfig, value: number) => DaemonConfig;
}

const DAY = 86_400_000;
const MAX_DAYS = 36_500;

const DAEMON_KEYS: ReadonlyMap<string, Key> = new Map([
  ["port", { least: 0, most: 65_535, set: (config, port) => ({ ...config, port }) }],
  [
    "max_payload_bytes",
    // A line is read up to four times as long, and no text can be longer than half a gigabyte.
    { least: 65_536, most: 134_217_728, set: (config, maxPayloadBytes) => ({ ...config, maxPayloadBytes }) },
  ],
  [
    "max_requests_per_second",
    { least: 1, most: 1_000_000, set: (config, requestsPerSecond) => ({ ...config, requestsPerSecond }) },
  ],
  ["max_processes", { least: 1, most: 10_000, set: (config, maxProcesses) => ({ ...config, maxProcesses }) }],
  [
    "spare_processes",
    { least: 0, most: 100, set: (config, spareProcesses) => ({ ...config, spareProcesses }) },
  ],
  [
    "keep_days",
    { least: 1, most: MAX_DAYS, set: (config, days) => keeping(config, { maxAgeMs: days * DAY }) },
  ],
  [
    "keep_events",
    { least: 1000, most: 1_000_000_000, set: (config, maxEvents) => keeping(config, { maxEvents }) },
  ],
  [
    "keep_deleted_days",
    { least: 0, most: MAX_DAYS, set: (config, days) => keeping(config, { deletedMs: days * DAY }) },
  ],
]);

const keeping = (config: DaemonConfig, changes: Partial<DaemonConfig["retention"]>): DaemonConfig => ({
  ...config,
  retention: { ...config.retention, ...changes },
});

const TOP_KEYS = new Set(["daemon", "agents", "default_agent"]);
const AGENT_KEYS = new Set(["path", "args", "env"]);

/** Reads a settings file over a configuration; a file that is not there changes nothing. Throws `SettingsError`. */
export function readSettings(path: string, config: DaemonConfig): Settings {
  const file = read(path);
  if (file === undefined) return { config, warnings: [] };
  const settings = parse(path, file);
  const daemon = section(path, settings, "daemon");
  const agents = section(path, settings, "agents");
  const warnings = [
    ...unknown(settings, TOP_KEYS, ""),
    ...unknown(daemon, new Set(["listen", ...DAEMON_KEYS.keys()]), "daemon."),
    ...Object.entries(agents).flatMap(([name, agent]) =>
      isJsonObject(agent) ? unknown(agent, AGENT_KEYS, `agents.${name}.`) : [],
    ),
  ].map((key) => `${path}: nobody knows the key ${key}`);
  const changed = [...DAEMON_KEYS].reduce((soFar, [name, { least, most, set }]) => {
    const value = daemon[name];
    return value === undefined ? soFar : set(soFar, number(path, `daemon.${name}`, value, least, most));
  }, config);
  return {
    config: {
      ...changed,
      listen: listenPlaces(
        path,
        daemon.listen,
        (key, expected) => new SettingsError(`${path}: daemon.listen${key}: expected ${expected}`),
      ),
      agents: agentsOf(path, settings, agents, config.agents),
    },
    warnings,
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SettingsError(`${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(path: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SettingsError(`${path} is no JSON: ${(cause as Error).message}`, { cause });
  }
  if (isJsonObject(value)) return value;
  throw new SettingsError(`${path}: expected an object`);
}

function section(path: string, settings: JsonObject, key: string): JsonObject {
  const value = settings[key] ?? {};
  if (isJsonObject(value)) return value;
  throw new SettingsError(`${path}: ${key}: expected an object, not ${JSON.stringify(value)}`);
}

function number(path: string, key: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SettingsError(
    `${path}: ${key}: expected a whole number from ${least} to ${most}, not ${JSON.stringify(value)}`,
  );
}

/** Those of the file take the place of ours with the same name; the default one comes first. */
function agentsOf(path: string, settings: JsonObject, given: JsonObject, ours: readonly AgentConfig[]) {
  const theirs = Object.entries(given).map(([name, value]) => agentOf(path, name, value));
  const all = [...theirs, ...ours.filter(({ name }) => !theirs.some((agent) => agent.name === name))];
  const wanted = settings.default_agent ?? ours[0]?.name;
  const first = all.find(({ name }) => name === wanted);
  if (!first)
    throw new SettingsError(
      `${path}: default_agent: there is no ${JSON.stringify(wanted)}; choose one of ${all.map(({ name }) => name).join(", ")}`,
    );
  return [first, ...all.filter((agent) => agent !== first)];
}

function agentOf(path: string, name: string, value: unknown): AgentConfig {
  const wrong = (key: string, expected: string) =>
    new SettingsError(`${path}: agents.${name}${key}: expected ${expected}`);
  if (!isJsonObject(value)) throw wrong("", 'an object, as in {"path": "claude"}');
  const { path: program, args = [], env = {} } = value;
  if (typeof program !== "string" || program === "") throw wrong(".path", "a path, or a name on PATH");
  if (!Array.isArray(args) || !args.every(isText)) throw wrong(".args", "a list of texts");
  if (!isJsonObject(env) || !Object.values(env).every(isText)) throw wrong(".env", "an object of texts");
  return { name, path: program, args, env: env as Readonly<Record<string, string>> };
}

const isText = (value: unknown): value is string => typeof value === "string";

const unknown = (value: JsonObject, known: ReadonlySet<string>, prefix: string) =>
  Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => `${prefix}${key}`);
