import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** What one agent with everything that it starts may use. */
export interface Limits {
  readonly memoryBytes: number;
  readonly processes: number;
  /** How many files one process may have open. */
  readonly openFiles: number;
  /** Undefined for no limit. */
  readonly cpuSeconds: number | undefined;
}

/** The sandbox that an agent is run in, as settings describe it. */
export interface IsolationSettings {
  /** Hosts beside that of the API: names, `*.` and a name, or one of these with a port. */
  readonly allowedDomains: readonly string[];
  /** Paths beside the system's, the program's own, the session's folder and the agent's configuration. */
  readonly allowRead: readonly string[];
  readonly allowWrite: readonly string[];
  readonly denyRead: readonly string[];
  readonly denyWrite: readonly string[];
  /** Names of further variables of the daemon that the agent gets. */
  readonly env: readonly string[];
  readonly limits: Limits;
}

const PATHS = ["allowRead", "allowWrite", "denyRead", "denyWrite"] as const;
const LIMITS = {
  memory_mb: { least: 64, most: 16_777_216, otherwise: 4096 },
  processes: { least: 8, most: 1_000_000, otherwise: 512 },
  open_files: { least: 64, most: 1_048_576, otherwise: 4096 },
  cpu_seconds: { least: 1, most: 31_536_000, otherwise: undefined },
} as const;
const HOST = /^(?:\*\.)?[a-z0-9._-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;
const VARIABLE = /^\w+$/;

/**
 * Reads the setting `agents.NAME.sandbox`: undefined where there is to be none. Every key has to be known: a sandbox with a mistake in its
 * description is not the one that somebody wanted. `wrong` makes the error for a key.
 */
export function readIsolation(
  given: unknown,
  home: string,
  wrong: (key: string, expected: string) => Error,
): IsolationSettings | undefined {
  if (given === undefined || given === false) return undefined;
  const settings = part({ sandbox: given === true ? {} : given }, "sandbox", "", wrong);
  known(settings, ["network", "filesystem", "env", "limits"], "", wrong);
  const network = part(settings, "network", "", wrong);
  known(network, ["allowedDomains"], ".network", wrong);
  const filesystem = part(settings, "filesystem", "", wrong);
  known(filesystem, PATHS, ".filesystem", wrong);
  const limits = part(settings, "limits", "", wrong);
  known(limits, Object.keys(LIMITS), ".limits", wrong);
  const paths = (name: (typeof PATHS)[number]) =>
    list(filesystem[name], (text) => text.replace(/^~(?=$|\/)/, home)).map((path) => {
      if (path !== undefined && isAbsolute(path)) return path;
      throw wrong(`.filesystem.${name}`, "a list of paths from the root or from ~");
    });
  const texts = (value: unknown, form: RegExp, key: string, expected: string) =>
    list(value, (text) => text).map((text) => {
      if (text !== undefined && form.test(text)) return text;
      throw wrong(key, expected);
    });
  const limit = <K extends keyof typeof LIMITS>(name: K) => {
    const { least, most, otherwise } = LIMITS[name];
    const value = limits[name] ?? otherwise;
    if (value === undefined) return value;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    throw wrong(`.limits.${name}`, `a whole number from ${least} to ${most}`);
  };
  return {
    allowedDomains: texts(
      network.allowedDomains,
      HOST,
      ".network.allowedDomains",
      'a list of hosts, as in ["packages.example.org", "*.example.com", "example.org:8443"]',
    ),
    allowRead: paths("allowRead"),
    allowWrite: paths("allowWrite"),
    denyRead: paths("denyRead"),
    denyWrite: paths("denyWrite"),
    env: texts(settings.env, VARIABLE, ".env", "a list of names of variables"),
    limits: {
      memoryBytes: (limit("memory_mb") ?? 0) * 1024 ** 2,
      processes: limit("processes") ?? 0,
      openFiles: limit("open_files") ?? 0,
      cpuSeconds: limit("cpu_seconds"),
    },
  };
}

type Wrong = (key: string, expected: string) => Error;

function part(settings: JsonObject, key: string, at: string, wrong: Wrong): JsonObject {
  const value = settings[key] ?? {};
  if (isJsonObject(value)) return value;
  throw key === "sandbox" ? wrong("", "true, false or an object") : wrong(`${at}.${key}`, "an object");
}

function known(settings: JsonObject, names: readonly string[], at: string, wrong: Wrong): void {
  const stranger = Object.keys(settings).find((name) => !names.includes(name));
  if (stranger !== undefined) throw wrong(`${at}.${stranger}`, `one of the keys ${names.join(", ")}`);
}

/** The texts of a list, changed; undefined for what is not a text. */
function list(value: unknown, change: (text: string) => string): readonly (string | undefined)[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return all.map((one) => (typeof one === "string" ? change(one) : undefined));
}
