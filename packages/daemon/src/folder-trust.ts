import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { locateAgent } from "@agentwire/host/agent";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { DaemonError } from "./errors.ts";
import { folderName, isWithin } from "./permission/folder-name.ts";

const run = promisify(execFile);
const MAX_MS = 20_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** An inspection is a process that takes longer to start than many agents; more of them at once would leave no CPU time for sessions. */
const MAX_AT_ONCE = 2;

/** How many are listed; the rest are only counted. */
const MAX_NAMED = 40;

/** What is known about a folder before any of its files take effect. */
export interface InspectedFolder {
  readonly folder: string;
  readonly trusted: boolean;
  readonly withheld: { readonly path: string; readonly what: string }[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** Asks our own agent, which can interpret such files; `trust` records that the user trusts the folder. */
async function askAgent(cwd: string, env: Env, trust: boolean): Promise<InspectedFolder> {
  const [program, ...args] = locateAgent({ isOwn: true, cwd: "/", env }).command;
  const words = [...args, "trust", "--json", ...(trust ? ["--yes"] : []), "--", cwd];
  await turn();
  try {
    const limits = { timeout: MAX_MS, maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout } = await run(program, words, { cwd: "/", env: { ...env }, ...limits });
    return read(JSON.parse(stdout));
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new DaemonError("AGENT_FAILED", `${cwd} could not be inspected: ${said || cause}`, { cause });
  } finally {
    ended();
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/** Resolves when another inspection may start; `ended` has to follow. */
async function turn(): Promise<void> {
  if (running < MAX_AT_ONCE) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function ended(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
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

/** An inspection in progress, and the next one if it was requested in the meantime. */
interface Inspection {
  readonly now: Promise<InspectedFolder>;
  next?: Promise<InspectedFolder>;
}

const underWay = new Map<string, Inspection>();

/**
 * Whether the user trusts a folder, and what its files ask for; `trust` records that they do. Concurrent callers share inspections: each
 * gets the result of one that began after its call, and all calls made while one is in progress share the next.
 */
export function inspectFolder(cwd: string, env: Env, { trust = false } = {}): Promise<InspectedFolder> {
  const key = JSON.stringify([cwd, env, trust]);
  const begin = () => {
    const own: Inspection = { now: askAgent(cwd, env, trust) };
    underWay.set(key, own);
    const over = () => {
      if (!own.next) underWay.delete(key);
    };
    own.now.then(over, over);
    return own.now;
  };
  const current = underWay.get(key);
  if (!current) return begin();
  current.next ??= current.now.then(begin, begin);
  return current.next;
}

/** Whether the settings of the daemon trust a folder, or one above it. */
export const isTrustedBySettings = (folder: string, trusted: readonly string[]): boolean =>
  trusted.some((outer) => isWithin(folder, folderName(outer)));

/** The facts that determine how an agent is started in a possibly untrusted folder. */
export interface TrustQuery {
  /** Its program (undefined for our own agent) and arguments. */
  readonly agent: { readonly path?: string; readonly args?: readonly string[] };
  readonly cwd: string;
  readonly env: Env;
  readonly trustedFolders: readonly string[];
  /** Whether the agent can be told which settings to load. */
  readonly choosesSettings: boolean;
}

/** The arguments that an agent's folder calls for, and the notice about them for clients. */
export interface TrustFlags {
  readonly args: readonly string[];
  readonly notice?: string;
}

/**
 * Our own agent checks trust itself. Any other agent treats a folder as trusted when it is started over stdio, so if the folder's
 * files ask for something, it is started without the project's settings, or not at all.
 */
export async function trustFlags({
  agent,
  cwd,
  env,
  trustedFolders,
  choosesSettings,
}: TrustQuery): Promise<TrustFlags> {
  const isOwn = agent.path === undefined;
  if (isTrustedBySettings(cwd, trustedFolders)) return { args: isOwn ? ["--trust"] : [] };
  const isChosen = agent.args?.some((word) => /^--setting-sources(=|$)/.test(word));
  if (isOwn || isChosen) return { args: [] };
  const { folder, trusted, withheld } = await inspectFolder(cwd, env);
  if (trusted || withheld.length === 0) return { args: [] };
  if (!choosesSettings)
    throw new DaemonError(
      "AGENT_FAILED",
      `${folder} is not trusted, and this version of the agent can't be told to ignore its files: trust it (agentwire-agent trust ${folder}), or use a newer agent`,
    );
  const named = withheld.slice(0, MAX_NAMED).map(({ path, what }) => `  ${path}: ${what}`);
  const more = withheld.length > MAX_NAMED ? [`  and ${withheld.length - MAX_NAMED} more`] : [];
  const notice = [
    `${folder} is not trusted, so the agent was started without its settings, servers, agents, commands and notes (CLAUDE.md). Its files ask for:`,
    ...named,
    ...more,
    `If you trust it, run: agentwire-agent trust ${folder} (or agentwire run --trust)`,
  ].join("\n");
  return { args: ["--setting-sources", "user"], notice };
}
