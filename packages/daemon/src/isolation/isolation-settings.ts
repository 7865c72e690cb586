import { isAbsolute } from "node:path";
import {
  boolean,
  called,
  closed,
  either,
  type Fields,
  type Infer,
  numberIn,
  object,
  optional,
  texts,
} from "@agentwire/protocol/schema";

/** The resources that one agent may use, including everything that it starts. */
export interface Limits {
  readonly memoryBytes: number;
  readonly processes: number;
  /** How many files one process may have open. */
  readonly openFiles: number;
  /** Undefined for no limit. */
  readonly cpuSeconds: number | undefined;
}

/** The sandbox of an agent, as described in the settings. */
export interface IsolationSettings {
  /** Hosts to allow in addition to the API's: names, `*.` and a name, or one of these with a port. */
  readonly allowedDomains: readonly string[];
  /** Paths to allow in addition to the system, the agent's program, its configuration and the session's folder. */
  readonly allowRead: readonly string[];
  readonly allowWrite: readonly string[];
  readonly denyRead: readonly string[];
  readonly denyWrite: readonly string[];
  /** Names of further variables of the daemon to pass to the agent. */
  readonly env: readonly string[];
  readonly limits: Limits;
}

const HOST = /^(?:\*\.)?[a-z0-9._-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;
const VARIABLE = /^\w+$/;

const paths = optional(
  texts("a list of absolute paths, or paths that begin with ~", (path) => isAbsolute(fromHome(path, "/"))),
);
const limit = (least: number, most: number) => optional(numberIn({ least, most, isWhole: true }));
const section = <F extends Fields>(fields: F) => called("an object", closed(object(fields)));

/** `agents.NAME.sandbox` in a settings file. Unknown keys are errors, since a typo would weaken the sandbox. */
export const ISOLATION = called(
  "true, false or an object",
  either(
    boolean,
    section({
      network: optional(
        section({
          allowedDomains: optional(
            texts(
              'a list of hosts, as in ["packages.example.org", "*.example.com", "example.org:8443"]',
              (host) => HOST.test(host),
            ),
          ),
        }),
      ),
      filesystem: optional(
        section({ allowRead: paths, allowWrite: paths, denyRead: paths, denyWrite: paths }),
      ),
      env: optional(texts("a list of variable names", (name) => VARIABLE.test(name))),
      limits: optional(
        section({
          memory_mb: limit(64, 16_777_216),
          processes: limit(8, 1_000_000),
          open_files: limit(64, 1_048_576),
          cpu_seconds: limit(1, 31_536_000),
        }),
      ),
    }),
  ),
);

/** The sandbox that a setting describes; undefined for none. */
export function isolationOf(
  given: Infer<typeof ISOLATION> | undefined,
  home: string,
): IsolationSettings | undefined {
  if (given === undefined || given === false) return undefined;
  const { network, filesystem = {}, env, limits = {} } = given === true ? {} : given;
  const expanded = (paths: string | string[] | undefined) =>
    listed(paths).map((path) => fromHome(path, home));
  return {
    allowedDomains: listed(network?.allowedDomains),
    allowRead: expanded(filesystem.allowRead),
    allowWrite: expanded(filesystem.allowWrite),
    denyRead: expanded(filesystem.denyRead),
    denyWrite: expanded(filesystem.denyWrite),
    env: listed(env),
    limits: {
      memoryBytes: (limits.memory_mb ?? 4096) * 1024 ** 2,
      processes: limits.processes ?? 512,
      openFiles: limits.open_files ?? 4096,
      cpuSeconds: limits.cpu_seconds,
    },
  };
}

/** Expands a leading `~` to the home folder. */
export const fromHome = (path: string, home: string) => path.replace(/^~(?=$|\/)/, home);

/** The items of a setting that is either one text or a list. */
export const listed = (given: string | readonly string[] = []): readonly string[] =>
  typeof given === "string" ? [given] : given;
