import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type AgentProcess, startProcess } from "../agent-driver/agent-process.ts";
import { agentEnvironment, type Environment } from "../agent-driver/environment.ts";
import { commandsStayingIn, endProcessesIn } from "../agent-driver/left-over.ts";
import { makeSandbox, type Sandbox } from "../agent-driver/sandbox.ts";
import { readTranscript } from "../transcript.ts";
import type { HostRun, HostScenario } from "./host-scenario.ts";

/** The settings of a run. */
export interface HostRunOptions {
  /** The host's program and its arguments; `{agent}` is replaced with the path of the agent, `{prompt}` with the first prompt. */
  readonly command: readonly string[];
  /** The environment of the runner; the host gets only a few of its variables. */
  readonly environment: Environment;
  /** How long a host may take. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

/** The parts of a scenario that a run needs. */
type Played = Pick<HostScenario<{ readonly prompts: readonly string[] }>, "task" | "script">;

const SCRIPTED_AGENT = fileURLToPath(new URL("../../bin/agentwire-scripted-agent", import.meta.url));
const NOWHERE = "http://127.0.0.1:9";
const MAX_STDERR = 4096;

/** Runs a host program with one scripted agent in temporary folders; nothing of either is left afterwards. */
export async function runHost(scenario: Played, options: HostRunOptions): Promise<HostRun> {
  const sandbox = await makeSandbox();
  try {
    return await perform(scenario, options, sandbox);
  } finally {
    endProcessesIn(sandbox.root);
    await sandbox.remove();
  }
}

async function perform(scenario: Played, options: HostRunOptions, sandbox: Sandbox): Promise<HostRun> {
  const log = join(sandbox.root, "log.jsonl");
  const agent = await writeAgent(scenario, sandbox, log);
  const started = performance.now();
  const printed: string[] = [];
  let stderr = "";
  const host = startProcess(
    {
      command: options.command.map((word) =>
        word.replaceAll("{agent}", agent).replaceAll("{prompt}", scenario.task.prompts[0] ?? ""),
      ),
      args: [],
      cwd: sandbox.cwd,
      env: agentEnvironment(
        options.environment,
        { ...sandbox, apiUrl: NOWHERE },
        { AGENTWIRE_AGENT: agent, AGENTWIRE_TASK: JSON.stringify(scenario.task) },
      ),
    },
    {
      line: (line) => void printed.push(String(line)),
      stderr: (text) => {
        stderr = (stderr + text).slice(0, MAX_STDERR);
      },
    },
  );
  host.endInput();
  await endOf(host, options);
  const timedOut = host.exit === undefined;
  const ms = Math.round(performance.now() - started);
  const leftOver = timedOut ? [] : await commandsStayingIn(sandbox.cwd);
  host.killGroup();
  const exit = await host.exited;
  endProcessesIn(sandbox.cwd);
  const transcript = existsSync(log) ? await readTranscript(log) : [];
  return { transcript, printed, exit, stderr, leftOver, timedOut, ms };
}

/** Waits for the end of the host, up to its time limit. */
async function endOf({ exited }: AgentProcess, { limitMs, signal }: HostRunOptions): Promise<void> {
  const over = new AbortController();
  const either = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  await Promise.race([exited, setTimeout(limitMs, undefined, { signal: either }).catch(() => {})]);
  over.abort();
}

/**
 * Hosts accept only the path of a program, and not all of them pass their environment on, so the program contains all that it
 * needs.
 */
async function writeAgent(scenario: Played, { root }: Sandbox, log: string): Promise<string> {
  const script = join(root, "script.jsonl");
  const agent = join(root, "agent");
  const variables = `AGENTWIRE_SCRIPT=${quoted(script)} AGENTWIRE_LOG=${quoted(log)} AGENTWIRE_FAULT=`;
  await writeFile(script, scenario.script.map((step) => `${JSON.stringify(step)}\n`).join(""));
  await writeFile(
    agent,
    `#!/bin/sh\n${variables} exec ${quoted(process.execPath)} ${quoted(SCRIPTED_AGENT)} "$@"\n`,
    { mode: 0o755 },
  );
  return agent;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
