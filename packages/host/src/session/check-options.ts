import { dialectByName } from "@agentwire/protocol/dialect";
import { HostError } from "../errors.ts";
import { checkDeadlines } from "../link/deadlines.ts";
import {
  CALLBACK,
  either,
  givenOptions,
  type Kind,
  listOf,
  OBJECT,
  oneOf,
  recordOf,
  TEXT,
} from "../options/kinds.ts";
import { SIGNAL } from "../options/option-kinds.ts";
import { LENGTH } from "../options/own-options.ts";
import type { SessionOptions } from "./session-options.ts";

const KINDS: Readonly<Record<keyof SessionOptions, Kind>> = {
  agent: TEXT,
  args: listOf(TEXT),
  command: {
    name: "a list with a program and its arguments",
    holds: (value) => listOf(TEXT).holds(value) && (value as readonly string[]).length > 0,
  },
  cwd: TEXT,
  deadlines: OBJECT,
  dialect: TEXT,
  env: OBJECT,
  handlers: recordOf(CALLBACK),
  initialize: OBJECT,
  log: OBJECT,
  maxLineBytes: LENGTH,
  onGroup: CALLBACK,
  onMalformed: CALLBACK,
  onMessage: CALLBACK,
  onStderr: CALLBACK,
  permissions: either(CALLBACK, oneOf("stream")),
  record: TEXT,
  signal: SIGNAL,
  spawn: CALLBACK,
  take: CALLBACK,
};

/** The options that were given; throws at once for what no agent could honour: an unknown name, a wrong type, an unknown dialect, a deadline that is not a time. */
export function checkedSessionOptions(all: SessionOptions): SessionOptions {
  const options = givenOptions(all, KINDS, "a session");
  const { dialect, deadlines = {} } = options;
  if (dialect !== undefined && !dialectByName(dialect))
    throw new HostError("invalid_option", `unknown dialect ${JSON.stringify(dialect)}`);
  checkDeadlines(deadlines);
  return options;
}
