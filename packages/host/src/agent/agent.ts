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

/** Which agent to find. */
export interface WantedAgent {
  /** A path, or a name on PATH; by default `claude` on PATH, else our own agent. */
  readonly agent?: string | undefined;
  /** Use our own agent, whatever is on PATH. */
  readonly isOwn?: boolean;
  /** Provides PATH, and is the environment in which the agent is asked for its version. */
  readonly env: Environment;
  /** The folder that a relative path starts from. */
  readonly cwd?: string | undefined;
  readonly runtime?: ScriptRuntime;
  /** Creates a sandbox for the command that asks for the version. */
  readonly confine?: (command: readonly string[]) => Confinement;
  /** The name of the agent in messages for people. */
  readonly known?: KnownAgent;
  /** Set if the agent is known to speak the Agent Client Protocol; its version is then not judged. */
  readonly dialect?: "acp" | undefined;
}

/** An agent: which program it is, and what is known about it before it is started. */
export interface Agent {
  /** Undefined if only a command line is known. */
  readonly path?: string;
  /** The command line that runs it, before any option. */
  readonly command: Command;
  /** Undefined if it could not be determined: such an agent counts as the newest. */
  readonly version?: Version | AgentVersion | undefined;
  readonly dialect: DialectName;
  /** How well this host knows that version; absent if the agent was not asked. */
  readonly verdict?: CompatibilityVerdict;
}

/** An agent that was asked for its version. */
export type ExaminedAgent = Agent & Required<Pick<Agent, "path" | "verdict">>;

/** Finds an agent and asks for its version; the answer is cached until the agent's file changes. */
export async function examineAgent(wanted: WantedAgent): Promise<ExaminedAgent> {
  const { env, known, confine, dialect } = wanted;
  const { path, command } = locateAgent(wanted);
  const ask = () => askVersion(command, env, confine?.(command));
  const asked = await probeVersion(path, command, ask);
  if (dialect === "acp" && !isOurs(asked))
    return { path, command, dialect, verdict: acpVerdict(asked, path) };
  const probe = coveredByMatrix(asked, path);
  const version = probe.outcome === "found" ? probe.version : undefined;
  return { path, command, ...spokenBy(version), verdict: verdictOn(probe, known) };
}

/** Finds an agent whose version is given, so that it need not be asked. */
export function assumeAgent(wanted: WantedAgent, version: string): Agent {
  return { ...locateAgent(wanted), ...spokenBy(parseVersion(version)) };
}

/** An agent that runs elsewhere: it can neither be found nor asked from here. */
export function agentElsewhere(path: string | undefined, runtime?: ScriptRuntime): Agent {
  const known = path ?? "claude";
  return { path: known, command: commandOf(known, runtime), ...spokenBy(undefined) };
}

/** Returns the path of the agent and the command line that runs it; throws a `HostError` if there is none. */
export function locateAgent({
  agent,
  isOwn,
  env,
  cwd,
  runtime,
}: WantedAgent): Pick<ExaminedAgent, "path" | "command"> {
  // Without a PATH, only our own agent is found.
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

/** Versions already determined, by the identity of the file; failures are not cached. */
const known = new Map<string, Promise<VersionProbe>>();

/** Marks a version that the matrix covers: `2.1.325 (Claude Code)`, `claude 1.0.22 (anthropic-2024-12-01)`, or the name of the program. */
const CLAUDE_COMPATIBLE = /claude|anthropic|agentwire/i;

/** The version numbers of other agents must not be compared with those of Claude Code. */
function coveredByMatrix(probe: VersionProbe, path: string): VersionProbe {
  if (probe.outcome !== "found") return probe;
  const { text } = probe.version;
  return CLAUDE_COMPATIBLE.test(text) || CLAUDE_COMPATIBLE.test(basename(path))
    ? probe
    : { outcome: "foreign", text };
}

const isOurs = (probe: VersionProbe) =>
  probe.outcome === "found" && probe.version.text.includes("(agentwire");

/** A version says nothing about an agent of another protocol: it reports its abilities when it is started. */
function acpVerdict(probe: VersionProbe, path: string): CompatibilityVerdict {
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

/** Throws if this host can't drive the agent. */
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

/** The exit codes with which a shell, or `env` in the first line of a script, reports that there is nothing to run. */
const NOTHING_TO_RUN: ReadonlySet<number | null> = new Set([126, 127]);
/** How much of its stderr the reason quotes. */
const SHOWN_CHARS = 500;

/** Why an agent ended without printing its version; undefined if it exited normally with unreadable output. */
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
