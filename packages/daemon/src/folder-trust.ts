import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { commandOf, findAgent } from "@agentwire/host";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { DaemonError } from "./errors.ts";

const run = promisify(execFile);
const MAX_MS = 20_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** What is known of a folder before anything in it counts. */
export interface InspectedFolder {
  readonly folder: string;
  readonly trusted: boolean;
  readonly withheld: { readonly path: string; readonly what: string }[];
}

/** Asks our own agent, which knows what such files can say, whether the user trusts a folder; with `trust` the answer is noted. */
export async function inspectFolder(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  { trust = false } = {},
): Promise<InspectedFolder> {
  const [program, ...args] = commandOf(findAgent(undefined, {}, "/").path);
  const words = [...args, "trust", "--json", ...(trust ? ["--yes"] : []), "--", cwd];
  try {
    const limits = { timeout: MAX_MS, maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout } = await run(program, words, { cwd: "/", env: { ...env }, ...limits });
    return read(JSON.parse(stdout));
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new DaemonError("AGENT_FAILED", `${cwd} could not be inspected: ${said || cause}`, { cause });
  }
}

function read(answer: unknown): InspectedFolder {
  if (!isJsonObject(answer)) throw new Error("the agent did not return an object");
  const { folder, trusted, allows } = answer;
  const rows = (Array.isArray(allows) ? allows : []).filter(isJsonObject);
  return {
    folder: String(folder),
    trusted: trusted === true,
    withheld: rows.map(({ path, what }: JsonObject) => ({ path: String(path), what: String(what) })),
  };
}
