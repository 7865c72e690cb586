import { choice, type Limits, numberIn, type Schema } from "@agentwire/protocol/schema";
import type { LogLevel } from "@agentwire/protocol/support";
import type { DaemonConfig } from "./config.ts";

/** One thing that a settings file can say, from which it is read, checked, reloaded and documented. */
export interface SettingKey {
  /** Where it stands in the file, as in `daemon.port`. */
  readonly path: string;
  readonly expects: Range | Choice;
  /** What it is for, in one sentence. */
  readonly about: string;
  /** Whether a reload applies it without a restart. */
  readonly isReloadable: boolean;
  /** What a configuration has for it, as the file would say it. */
  readonly get: (config: DaemonConfig) => number | string | undefined;
  /** The configuration with this value in it, which was checked, or came from another configuration. */
  readonly set: (config: DaemonConfig, value: never) => DaemonConfig;
}

/** A number within limits. */
export type Range = Required<Pick<Limits, "least" | "most" | "isWhole">>;

/** One of some words. */
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

/** A number of the configuration, in another unit than the file's. */
const plain = (key: Numeric, unit = 1): Accessors => ({
  get: (config) => {
    const value = config[key] as number | undefined;
    return value === undefined ? undefined : value / unit;
  },
  set: (config, value: number | undefined) => ({ ...config, [key]: times(value, unit) }),
});

/** The same for one that stands in a group. */
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

/** Everything that a settings file can say beside the agents. */
export const SETTING_KEYS: readonly SettingKey[] = [
  key(
    "daemon.port",
    whole(0, 65_535),
    false,
    "also listens on this port of 127.0.0.1; 0 picks a free one",
    plain("port"),
  ),
  key(
    "daemon.max_payload_bytes",
    // A line is read up to four times as long, and no text can be longer than half a gigabyte.
    whole(65_536, 134_217_728),
    false,
    "how much of one message is stored at most",
    plain("maxPayloadBytes"),
  ),
  key(
    "daemon.max_requests_per_second",
    whole(1, 1_000_000),
    false,
    "how many requests one token or certificate may make, on average",
    plain("requestsPerSecond"),
  ),
  key(
    "daemon.max_processes",
    whole(1, 10_000),
    true,
    "how many agents run at once; more wait",
    plain("maxProcesses"),
  ),
  key(
    "daemon.spare_processes",
    whole(0, 100),
    true,
    "how many spare agents are started ahead",
    plain("spareProcesses"),
  ),
  key(
    "daemon.gateway",
    { words: ["on", "off"] },
    true,
    "whether `provider/model` works with agents that know only the Messages API, such as the official one",
    {
      get: ({ hasGateway }) => (hasGateway ? "on" : "off"),
      set: (config, word: "on" | "off") => ({ ...config, hasGateway: word === "on" }),
    },
  ),
  key(
    "daemon.idle_seconds",
    whole(1, 24 * HOUR),
    true,
    "how long an idle agent is kept",
    plain("idleMs", SECOND),
  ),
  key(
    "daemon.start_seconds",
    whole(5, HOUR),
    true,
    "how long a starting agent may be silent before it is ended",
    plain("startMs", SECOND),
  ),
  key(
    "daemon.silence_seconds",
    whole(10, 24 * HOUR),
    true,
    "how long a working agent may be silent before it is ended",
    plain("silenceMs", SECOND),
  ),
  key(
    "daemon.question_seconds",
    whole(10, 30 * 24 * HOUR),
    true,
    "how long a question waits in all while a client watches; no limit by default",
    within("timeouts", "attendedMs", SECOND),
  ),
  key(
    "daemon.unattended_question_seconds",
    whole(HOUR, 30 * 24 * HOUR),
    true,
    "how long a question waits while no client watches",
    within("timeouts", "unattendedMs", SECOND),
  ),
  key(
    "daemon.queue_bytes",
    whole(16_384, 134_217_728),
    true,
    "how much may queue up for one client before it is served from the log",
    plain("queueBytes"),
  ),
  key(
    "daemon.stall_seconds",
    whole(1, HOUR),
    true,
    "how long a client that is behind may stop reading",
    plain("stallMs", SECOND),
  ),
  key(
    "daemon.drain_seconds",
    whole(0, HOUR),
    true,
    "how long a stop waits for running turns",
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
    "how many events of a session are kept",
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
    "the lowest level that is logged",
    {
      get: ({ logLevel }) => logLevel,
      set: (config, logLevel: LogLevel) => ({ ...config, logLevel }),
    },
  ),
  key(
    "budgets.session_usd",
    amount(0, MAX_USD),
    true,
    "what one session may cost; no limit by default",
    within("budgets", "sessionUsd"),
  ),
  key(
    "budgets.day_usd",
    amount(0, MAX_USD),
    true,
    "what all sessions together may cost in a day (UTC)",
    within("budgets", "dayUsd"),
  ),
  key(
    "budgets.warn_at",
    amount(0, 1),
    true,
    "the share of a budget at which clients are warned",
    within("budgets", "warnAt"),
  ),
];

/** What the file may say for a key. */
export const schemaOf = (expects: SettingKey["expects"]): Schema<number | string> =>
  "words" in expects ? choice(...expects.words) : numberIn(expects);
