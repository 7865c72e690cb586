import { statSync } from "node:fs";
import { basename } from "node:path";
import {
  type AgentVersion,
  COMPATIBILITY_MATRIX,
  type CompatibilityVerdict,
  checkCompatibility,
  type KnownAgent,
  OUR_PROGRAM,
  parseVersion,
  printVersion,
  type Version,
  type VersionProbe,
} from "@agentwire/protocol/compatibility";
import { type DialectName, dialectForVersion } from "@agentwire/protocol/dialect";
import { EXIT_CODES, within } from "@agentwire/protocol/support";
import { HostError } from "../errors.ts";
import { type Exit, startProcess } from "../process/process.ts";
import type { Confinement } from "../process/start.ts";
import { commandOf, findAgent, type ScriptRuntime } from "./find-agent.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Command = readonly [string, ...string[]];

/** Which agent is wanted. */
export interface WantedAgent {
  /** A path, or a name on PATH; else `claude` on PATH, else our own agent. */
  readonly agent?: string | undefined;
  /** Our own agent, whatever is on PATH. */
  readonly isOwn?: boolean;
  /** Where PATH is looked up, and what the agent is asked in. */
  readonly env: Environment;
  /** What a path counts from. */
  readonly cwd?: string | undefined;
  readonly runtime?: ScriptRuntime;
  /** Gives a sandbox for the command line that is asked for its version. */
  readonly confine?: (command: readonly string[]) => Confinement;
  /** What it is called in texts for people. */
  readonly known?: KnownAgent;
  /** The Agent Client Protocol, where it is known to speak that; its version is then its own business. */
  readonly dialect?: "acp" | undefined;
}

/** An agent: which program it is, and what is known of it before it is started. */
export interface Agent {
  /** Undefined where only a command line is known. */
  readonly path?: string;
  /** The command line that runs it, before any option. */
  readonly command: Command;
  /** Undefined where it could not be found out: such an agent is taken for the newest. */
  readonly version?: Version | AgentVersion | undefined;
  readonly dialect: DialectName;
  /** How well this host knows that version; absent where it was not asked. */
  readonly verdict?: CompatibilityVerdict;
}

/** An agent that was asked what it is. */
export type ExaminedAgent = Agent & Required<Pick<Agent, "path" | "verdict">>;

/** Finds an agent and asks for its version, once for as long as its file stays the same. */
export async function examineAgent(wanted: WantedAgent): Promise<ExaminedAgent> {
  const { env, known, confine, dialect } = wanted;
  const { path, command } = locateAgent(wanted);
  const ask = () => askVersion(command, env, confine?.(command));
  const asked = await probeVersion(path, command, ask);
  if (dialect === "acp" && !isOurs(asked))
    return { path, command, dialect, verdict: strangerVerdict(asked, path) };
  const probe = ofThisMatrix(asked, path);
  const version = probe.outcome === "found" ? probe.version : undefined;
  return { path, command, ...spokenBy(version), verdict: verdictOn(probe, known) };
}

/** Finds an agent that need not be asked: its version is given. */
export function assumeAgent(wanted: WantedAgent, version: string): Agent {
  return { ...locateAgent(wanted), ...spokenBy(parseVersion(version)) };
}

/** An agent that runs elsewhere: there is nothing here to be looked for or asked. */
export function agentElsewhere(path: string | undefined, runtime?: ScriptRuntime): Agent {
  const known = path ?? "claude";
  return { path: known, command: commandOf(known, runtime), ...spokenBy(undefined) };
}

/** Where the agent is, and the command line that runs it; throws a `HostError` if it is nowhere. */
export function locateAgent({
  agent,
  isOwn,
  env,
  cwd,
  runtime,
}: WantedAgent): Pick<ExaminedAgent, "path" | "command"> {
  // Without a PATH only our own is found.
  const { path } = findAgent(agent, isOwn ? {} : env, cwd);
  return { path, command: commandOf(path, runtime) };
}

const spokenBy = (version: Version | undefined) => ({
  version,
  dialect: dialectForVersion(version).dialect.name,
});

const PROBE_MS = 5000;
const MAX_OUTPUT_CHARS = 16_384;
const MAX_CACHED = 64;

/** Versions that were found, by the identity of the file; a failure is never kept. */
const known = new Map<string, Promise<VersionProbe>>();

/** What says whose version it is: `2.1.325 (Claude Code)`, `claude 1.0.22 (anthropic-2024-12-01)`, or the name of the program. */
const OURS_TO_JUDGE = /claude|anthropic|agentwire/i;

/** An agent that is not Claude's, nor ours, is not judged by Claude's numbers. */
function ofThisMatrix(probe: VersionProbe, path: string): VersionProbe {
  if (probe.outcome !== "found") return probe;
  const { text } = probe.version;
  return OURS_TO_JUDGE.test(text) || OURS_TO_JUDGE.test(basename(path))
    ? probe
    : { outcome: "foreign", text };
}

const isOurs = (probe: VersionProbe) =>
  probe.outcome === "found" && probe.version.text.includes("(agentwire");

/** An agent of another protocol is as good as it says: what it can do, it tells when it is started. */
function strangerVerdict(probe: VersionProbe, path: string): CompatibilityVerdict {
  const name = basename(path);
  if (probe.outcome === "not_found")
    return {
      level: "INCOMPATIBLE",
      exitCode: EXIT_CODES.agentNotFound,
      logLevel: "error",
      message: `${name} can't be run${probe.reason === undefined ? "" : `: ${probe.reason}`}`,
    };
  const version = probe.outcome === "found" ? ` v${printVersion(probe.version)}` : "";
  const message = `${name}${version} detected (Agent Client Protocol)`;
  return { level: "FULLY_COMPATIBLE", logLevel: "info", message };
}

/** Throws if an agent is one that this host can't drive. */
export function requireSupported({ verdict }: Agent): void {
  if (verdict?.exitCode === undefined) return;
  if (verdict.exitCode === EXIT_CODES.agentNotFound)
    throw new HostError(
      "agent_not_found",
      `${verdict.message}. Install it, or give the path of another agent.`,
    );
  throw new HostError(
    "unsupported_version",
    `${verdict.message}. Update the agent, or give the path of another; set agentwire.assumeVersion to treat it as another version.`,
  );
}

async function probeVersion(
  path: string,
  command: Command,
  ask: () => Promise<VersionProbe>,
): Promise<VersionProbe> {
  const key = identityOf(path, command);
  if (key === undefined) return { outcome: "not_found" };
  const cached = known.get(key);
  if (cached) return cached;
  const probing = ask();
  known.set(key, probing);
  const probe = await probing;
  if (probe.outcome !== "found") known.delete(key);
  const [oldest] = known.keys();
  if (known.size > MAX_CACHED && oldest !== undefined) known.delete(oldest);
  return probe;
}

function identityOf(path: string, command: readonly string[]): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && JSON.stringify([command, `${file.dev}:${file.ino}:${file.size}:${file.mtimeNs}`]);
}

async function askVersion(
  [program, ...args]: Command,
  env: Environment,
  confinement: Confinement | undefined,
): Promise<VersionProbe> {
  const asked = startProcess({
    command: program,
    args: [...args, "--version"],
    env,
    ...(confinement && { confinement }),
  });
  asked.stdin.on("error", () => {});
  asked.stdin.end();
  let output = "";
  asked.stdout.on("error", () => {});
  asked.stdout.on("data", (bytes: Buffer) => {
    if (output.length <= MAX_OUTPUT_CHARS) output += bytes.toString("utf8");
  });
  asked.stdout.resume();
  const inTime = await within(PROBE_MS, async () => {
    await asked.exited;
  });
  if (!inTime) asked.kill();
  const version = parseVersion(output);
  if (version) return { outcome: "found", version };
  if (!inTime) return { outcome: "failed", reason: `it did not answer --version within ${PROBE_MS} ms` };
  const exit = await asked.exited;
  return failureOf(exit, asked.stderr.toString()) ?? { outcome: "unreadable", output };
}

/** The exit codes with which a shell, or `env` in the first line of a script, says that there is nothing to run. */
const NOTHING_TO_RUN: ReadonlySet<number | null> = new Set([126, 127]);
/** How much of its stderr is told. */
const SHOWN_CHARS = 500;

/** What it means that an agent ended without telling its version; undefined if all that was wrong is what it said. */
function failureOf({ code, signal, failure }: Exit, stderr: string): VersionProbe | undefined {
  if (failure) {
    const { message: reason, cause } = failure;
    if (failure.code === "agent_not_found") return { outcome: "not_found" };
    const isNoProgram =
      failure.code === "not_executable" || (cause as NodeJS.ErrnoException).code === "ENOEXEC";
    return { outcome: isNoProgram ? "not_found" : "failed", reason };
  }
  if (code === 0) return undefined;
  const ended = code === null ? `it was killed by ${signal}` : `it exited with code ${code}`;
  const reason = stderr === "" ? ended : `${ended}: ${stderr.slice(-SHOWN_CHARS)}`;
  return { outcome: NOTHING_TO_RUN.has(code) ? "not_found" : "failed", reason };
}

function verdictOn(probe: VersionProbe, agent: KnownAgent | undefined): CompatibilityVerdict {
  const row = COMPATIBILITY_MATRIX.findLast(({ program }) => program === OUR_PROGRAM);
  if (!row) throw new Error("the matrix has no row for this program");
  return checkCompatibility(probe, row, agent);
}
