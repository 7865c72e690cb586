import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { supports } from "@agentwire/protocol/compatibility";
import type { Agent } from "../agent/agent.ts";
import type { Launch } from "../link/link.ts";
import type { Options } from "../sdk/options.ts";
import { type Argument, argvOf, type LongArgument } from "./argv.ts";
import type { Environment } from "./environment.ts";
import { deliverPrompts, type Initialize } from "./initialize.ts";
import { requireFlags, requireInitialize, requireOptions } from "./version-gates.ts";

/** What is wanted of an agent. */
export interface LaunchRequest {
  /** The options that become flags. */
  readonly options: Options;
  /** What the handshake is to say; undefined is left out on the wire. */
  readonly initialize: Initialize;
  /** What the command line ends with. */
  readonly args?: readonly string[];
}

/** An agent that can be started, and what to say to it first. */
export interface Prepared {
  readonly launch: Pick<Launch, "command" | "args" | "env" | "dialect" | "version">;
  /** Undefined for an agent that takes nothing but prompts. */
  readonly initialize: Initialize | undefined;
  /** Removes what was put on disk for the agent. */
  readonly remove: () => Promise<void>;
}

/** The one way from options to a command line: for an agent of this version, or an error for the first option that it can't honour. */
export async function prepareLaunch(
  { command: [command, ...prefix], version, dialect }: Agent,
  env: Environment,
  { options, initialize: wanted, args = [] }: LaunchRequest,
): Promise<Prepared> {
  requireInitialize(wanted, version);
  requireOptions(options, version);
  const { initialize, flags } = deliverPrompts(wanted, version);
  const argv = argvOf(options, flags);
  requireFlags(
    argv.map((arg) => (typeof arg === "string" ? arg : arg.flag)),
    version,
  );
  const placed = await placeLongArguments(argv);
  return {
    launch: {
      command,
      args: [...prefix, ...placed.args, ...args],
      env,
      dialect,
      ...(version && { version }),
    },
    initialize: supports(version, undefined, "control_requests") ? initialize : undefined,
    remove: placed.remove,
  };
}

/** Well under what Linux takes as one argument, and most of what Windows takes as a whole command line. */
const MAX_INLINE_BYTES = 24_576;

interface PlacedArguments {
  readonly args: readonly string[];
  readonly remove: () => Promise<void>;
}

/** Puts what is too long for a command line where else it can stand; files are for this user's eyes only. */
async function placeLongArguments(args: readonly Argument[]): Promise<PlacedArguments> {
  const inFiles = args.filter((arg) => typeof arg !== "string" && isLong(arg) && arg.elsewhere === "file");
  if (inFiles.length === 0) return { args: args.flatMap((arg) => inline(arg)), remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "agentwire-arguments-"));
  const placed = await Promise.all(args.map((arg) => place(arg, folder)));
  return { args: placed.flat(), remove: () => rm(folder, { recursive: true, force: true }) };
}

async function place(arg: Argument, folder: string): Promise<string[]> {
  if (typeof arg === "string" || arg.elsewhere !== "file" || !isLong(arg)) return inline(arg);
  const path = join(folder, `${arg.flag.replace(/^-+/, "")}.json`);
  await writeFile(path, arg.value, { mode: 0o600 });
  return [arg.flag, path];
}

function inline(arg: Argument): string[] {
  if (typeof arg === "string") return [arg];
  if (arg.elsewhere === "initialize") return isLong(arg) ? [] : [`${arg.flag}=${arg.value}`];
  return [arg.flag, arg.value];
}

function isLong({ value }: LongArgument): boolean {
  return value.length > MAX_INLINE_BYTES || Buffer.byteLength(value) > MAX_INLINE_BYTES;
}
