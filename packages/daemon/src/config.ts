import { hostname, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { LogLevel } from "@agentwire/protocol/support";
import type { AgentConfig } from "./agents.ts";
import type { ClusterConfig } from "./cluster/cluster-settings.ts";
import { MANAGED_RULES_PATH } from "./permission/managed-rules.ts";
import type { Timeouts } from "./permission/question-timer.ts";
import type { ListenSetting } from "./ports/listen-setting.ts";
import type { RetentionLimits } from "./store/retention.ts";
import type { BudgetLimits } from "./usage/budgets.ts";

/** The configuration of a daemon, resolved once at startup. */
export interface DaemonConfig {
  /** Holds the store, the socket and the token. */
  readonly folder: string;
  /** The PostgreSQL database to use instead of the store in that folder; undefined for none. */
  readonly storeUrl: string | undefined;
  /** Its role among the nodes that share that database. */
  readonly cluster: ClusterConfig;
  readonly socketPath: string;
  /** An additional port on the loopback interface, for clients with a token; 0 picks a free one. */
  readonly port: number | undefined;
  /** Further ports; those reachable from other machines use TLS. */
  readonly listen: readonly ListenSetting[];
  /** The average request rate allowed for one token or certificate. */
  readonly requestsPerSecond: number;
  readonly home: string;
  /** The working folder of sessions that do not name one. */
  readonly defaultFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agents that sessions can choose from; the first is the default. */
  readonly agents: readonly AgentConfig[];
  /** Folders that are trusted without asking, including everything below them. */
  readonly trustedFolders: readonly string[];
  /** Push services to allow in addition to those of browsers, as `host` or `host:port`. */
  readonly pushHosts: readonly string[];
  /** The file of managed rules, which only an administrator can write. */
  readonly managedRulesPath: string;
  readonly timeouts: Timeouts;
  /** Whether agents that only support the Messages API reach other providers' models through the daemon's gateway. */
  readonly hasGateway: boolean;
  readonly maxProcesses: number;
  /** How many of them may be started in advance, so that a session begins without delay. */
  readonly spareProcesses: number;
  readonly idleMs: number;
  /** How long a starting agent may take to send its first line. */
  readonly startMs: number;
  readonly silenceMs: number;
  /** How many bytes may be queued for one client before it is served from the log. */
  readonly queueBytes: number;
  /** How long a client that has fallen behind may stop reading before it is disconnected. */
  readonly stallMs: number;
  /** How long the input holder may leave a request for the input unanswered. */
  readonly handOverMs: number;
  /** How long stopping the daemon waits for running turns. */
  readonly drainMs: number;
  /** The log level; undefined where it is not set. */
  readonly logLevel: LogLevel | undefined;
  /** The maximum number of bytes stored per message. */
  readonly maxPayloadBytes: number;
  readonly retention: RetentionLimits;
  readonly budgets: BudgetLimits;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The configuration without any settings. */
export function defaultConfig(env: DaemonConfig["env"], cwd: string): DaemonConfig {
  const { HOME, XDG_STATE_HOME = "", AGENTWIRE_HOME } = env;
  const home = resolve(cwd, HOME || homeOfUser());
  // The XDG specification says to ignore a relative path.
  const states = isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(home, ".local", "state");
  const folder = AGENTWIRE_HOME ? resolve(cwd, AGENTWIRE_HOME) : join(states, "agentwire");
  return {
    folder,
    storeUrl: undefined,
    cluster: {
      name: hostname(),
      listen: { host: "127.0.0.1", port: 0 },
      address: undefined,
      clientAddress: undefined,
      sharedFolders: [],
      gitFolders: [],
    },
    socketPath: join(folder, "daemon.sock"),
    port: undefined,
    listen: [],
    requestsPerSecond: 500,
    home,
    defaultFolder: cwd,
    env,
    agents: [{ name: "agentwire" }, { name: "claude", path: "claude" }],
    trustedFolders: [],
    pushHosts: [],
    managedRulesPath: MANAGED_RULES_PATH,
    timeouts: { attendedMs: undefined, unattendedMs: 7 * DAY },
    hasGateway: true,
    maxProcesses: 20,
    spareProcesses: 1,
    idleMs: 10 * MINUTE,
    startMs: MINUTE,
    silenceMs: 5 * MINUTE,
    queueBytes: 1024 * 1024,
    stallMs: MINUTE,
    handOverMs: 30_000,
    drainMs: 10_000,
    logLevel: undefined,
    maxPayloadBytes: 10 * 1024 * 1024,
    retention: { maxAgeMs: 90 * DAY, maxEvents: 1_000_000, deletedMs: 7 * DAY },
    budgets: { sessionUsd: undefined, dayUsd: undefined, warnAt: 0.8 },
  };
}

/** The home folder from the password database; `/` where the user has none, as in containers. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "/";
  }
}
