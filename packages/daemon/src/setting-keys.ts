import { choice, type Limits, numberIn, type Schema } from "@agentwire/protocol/schema";
import type { LogLevel } from "@agentwire/protocol/support";
import type { DaemonConfig } from "./config.ts";

/** One key of the settings file: the single source for parsing, validating, reloading and documenting it. */
export interface SettingKey {
  /** Its path in the file, as in `daemon.port`. */
  readonly path: string;
  readonly expects: Range | Choice;
  /** Its description, in one sentence. */
  readonly about: string;
  /** Whether a reload applies it without a restart. */
  readonly isReloadable: boolean;
  /** Its value in a configuration, in the units of the file. */
  readonly get: (config: DaemonConfig) => number | string | undefined;
  /** Returns the configuration with a value that was validated or read from another configuration. */
  readonly set: (config: DaemonConfig, value: never) => DaemonConfig;
}

/** A number between two limits. */
export type Range = Required<Pick<Limits, "least" | "most" | "isWhole">>;

/** One of several words. */
export interface Choice {
  readonly words: readonly string[];
}

const SECOND = 1000;
const HOUR = 3600;
const DAY = 86_400_000;
const MAX_DAYS = 36_500;
const MAX_USD = 1_000_000;

const whole = (least: number, most: number): Range => ({ least, most, isWhole: true });
const amount = (least: number, most: number): Range => ({ least, most, isWhole: false });

type Numeric = {
  readonly [K in keyof DaemonConfig]: DaemonConfig[K] extends number | undefined ? K : never;
}[keyof DaemonConfig];

type Accessors = Pick<SettingKey, "get" | "set">;

const times = (value: number | undefined, unit: number) => (value === undefined ? undefined : value * unit);

/** Accesses a number at the top level of the configuration; `unit` converts from the unit of the file. */
const plain = (key: Numeric, unit = 1): Accessors => ({
  get: (config) => {
    const value = config[key] as number | undefined;
    return value === undefined ? undefined : value / unit;
  },
  set: (config, value: number | undefined) => ({ ...config, [key]: times(value, unit) }),
});

/** Like `plain`, for a number in a group of the configuration. */
const within = <G extends "timeouts" | "retention" | "budgets">(
  group: G,
  key: keyof DaemonConfig[G],
  unit = 1,
): Accessors => ({
  get: (config) => {
    const value = config[group][key] as number | undefined;
    return value === undefined ? undefined : value / unit;
  },
  set: (config, value: number | undefined) => ({
    ...config,
    [group]: { ...config[group], [key]: times(value, unit) },
  }),
});

const key = (
  path: string,
  expects: SettingKey["expects"],
  isReloadable: boolean,
  about: string,
  accessors: Accessors,
) => ({
  path,
  expects,
  isReloadable,
  about,
  ...accessors,
});

/** All keys of the settings file that hold a single number or word. */
export const SETTING_KEYS: readonly SettingKey[] = [
  key(
    "daemon.port",
    whole(0, 65_535),
    false,
    "port on 127.0.0.1 to listen on in addition to the socket; 0 picks a free one",
    plain("port"),
  ),
  key(
    "daemon.max_payload_bytes",
    // Lines of up to four times this length are read, and a string can't exceed half a gigabyte.
    whole(65_536, 134_217_728),
    false,
    "maximum number of bytes stored per message",
    plain("maxPayloadBytes"),
  ),
  key(
    "daemon.max_requests_per_second",
    whole(1, 1_000_000),
    false,
    "average number of requests per second allowed for one token or certificate",
    plain("requestsPerSecond"),
  ),
  key(
    "daemon.max_processes",
    whole(1, 10_000),
    true,
    "maximum number of agents that run at once; further ones wait",
    plain("maxProcesses"),
  ),
  key(
    "daemon.spare_processes",
    whole(0, 100),
    true,
    "number of spare agents to start in advance",
    plain("spareProcesses"),
  ),
  key(
    "daemon.gateway",
    { words: ["on", "off"] },
    true,
    "whether `provider/model` also works with agents that only support the Messages API, such as the official one",
    {
      get: ({ hasGateway }) => (hasGateway ? "on" : "off"),
      set: (config, word: "on" | "off") => ({ ...config, hasGateway: word === "on" }),
    },
  ),
  key(
    "daemon.idle_seconds",
    whole(1, 24 * HOUR),
    true,
    "how long an idle agent keeps running",
    plain("idleMs", SECOND),
  ),
  key(
    "daemon.start_seconds",
    whole(5, HOUR),
    true,
    "how long a starting agent may stay silent before it is stopped",
    plain("startMs", SECOND),
  ),
  key(
    "daemon.silence_seconds",
    whole(10, 24 * HOUR),
    true,
    "how long a working agent may stay silent before it is stopped",
    plain("silenceMs", SECOND),
  ),
  key(
    "daemon.question_seconds",
    whole(10, 30 * 24 * HOUR),
    true,
    "total time a question may stay open while a client is watching; no limit by default",
    within("timeouts", "attendedMs", SECOND),
  ),
  key(
    "daemon.unattended_question_seconds",
    whole(HOUR, 30 * 24 * HOUR),
    true,
    "how long a question may stay open while no client is watching",
    within("timeouts", "unattendedMs", SECOND),
  ),
  key(
    "daemon.queue_bytes",
    whole(16_384, 134_217_728),
    true,
    "maximum number of bytes queued for one client before it is served from the log",
    plain("queueBytes"),
  ),
  key(
    "daemon.stall_seconds",
    whole(1, HOUR),
    true,
    "how long a client that has fallen behind may stop reading before it is disconnected",
    plain("stallMs", SECOND),
  ),
  key(
    "daemon.drain_seconds",
    whole(0, HOUR),
    true,
    "how long stopping the daemon waits for running turns",
    plain("drainMs", SECOND),
  ),
  key(
    "daemon.keep_days",
    whole(1, MAX_DAYS),
    true,
    "how long events are kept",
    within("retention", "maxAgeMs", DAY),
  ),
  key(
    "daemon.keep_events",
    whole(1000, 1_000_000_000),
    true,
    "maximum number of events kept per session",
    within("retention", "maxEvents"),
  ),
  key(
    "daemon.keep_deleted_days",
    whole(0, MAX_DAYS),
    true,
    "how long a deleted session can be restored",
    within("retention", "deletedMs", DAY),
  ),
  key(
    "daemon.log_level",
    { words: ["debug", "info", "warn", "error"] },
    true,
    "lowest level of messages to log",
    {
      get: ({ logLevel }) => logLevel,
      set: (config, logLevel: LogLevel) => ({ ...config, logLevel }),
    },
  ),
  key(
    "budgets.session_usd",
    amount(0, MAX_USD),
    true,
    "maximum cost of one session; no limit by default",
    within("budgets", "sessionUsd"),
  ),
  key(
    "budgets.day_usd",
    amount(0, MAX_USD),
    true,
    "maximum cost of all sessions together per day (UTC)",
    within("budgets", "dayUsd"),
  ),
  key(
    "budgets.warn_at",
    amount(0, 1),
    true,
    "fraction of a budget at which clients are warned",
    within("budgets", "warnAt"),
  ),
];

/** The schema for the value of a key. */
export const schemaOf = (expects: SettingKey["expects"]): Schema<number | string> =>
  "words" in expects ? choice(...expects.words) : numberIn(expects);
