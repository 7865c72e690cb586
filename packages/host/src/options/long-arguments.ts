import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Argument, LongArgument } from "./argv.ts";

/** Well under what Linux takes as one argument, and most of what Windows takes as a whole command line. */
const MAX_INLINE_BYTES = 24_576;

/** Arguments that a system can take, and what to do when the agent has ended. */
export interface PlacedArguments {
  readonly args: readonly string[];
  readonly remove: () => Promise<void>;
}

/** Puts what is too long for a command line where else it can stand; files are for this user's eyes only. */
export async function placeLongArguments(args: readonly Argument[]): Promise<PlacedArguments> {
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
