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

/** How the caller wants an agent to run. */
export interface LaunchRequest {
  /** The options that become flags. */
  readonly options: Options;
  /** The parameters of the handshake; undefined keys are omitted on the wire. */
  readonly initialize: Initialize;
  /** Arguments at the end of the command line. */
  readonly args?: readonly string[];
}

/** An agent that can be started, and its handshake. */
export interface Prepared {
  readonly launch: Pick<Launch, "command" | "args" | "env" | "dialect" | "version">;
  /** Undefined for an agent that accepts nothing but prompts. */
  readonly initialize: Initialize | undefined;
  /** Removes the files that were written for the agent. */
  readonly remove: () => Promise<void>;
}

/** The only way from options to a command line: throws for the first option that an agent of this version can't honor. */
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

/** Well below the limit of Linux for one argument, and most of the limit of Windows for a whole command line. */
const MAX_INLINE_BYTES = 24_576;

interface PlacedArguments {
  readonly args: readonly string[];
  readonly remove: () => Promise<void>;
}

/** Moves values that are too long for a command line elsewhere; only this user can read the files. */
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
