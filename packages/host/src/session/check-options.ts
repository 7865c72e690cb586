import { dialectByName } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import { checkDeadlines } from "../link/deadlines.ts";
import type { SessionOptions } from "./session-options.ts";

const KNOWN: Readonly<Record<keyof SessionOptions, true>> = {
  agent: true,
  args: true,
  command: true,
  cwd: true,
  deadlines: true,
  dialect: true,
  env: true,
  handlers: true,
  initialize: true,
  log: true,
  maxLineBytes: true,
  onMalformed: true,
  onMessage: true,
  onStderr: true,
  permissions: true,
  record: true,
  signal: true,
  spawn: true,
};

/** Throws at once for what no agent could honour: a name that nobody knows, a dialect there is none of, a deadline that is no time. */
export function checkSessionOptions(options: SessionOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name))
      throw new HostError("unsupported_option", `${name} is not an option of a session`);
  }
  const { dialect, deadlines = {} } = options;
  if (dialect !== undefined && !dialectByName(dialect))
    throw new HostError("invalid_option", `there is no dialect ${JSON.stringify(dialect)}`);
  checkDeadlines(deadlines);
}
