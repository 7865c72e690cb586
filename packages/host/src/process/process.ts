import { type ChildProcess, spawn } from "node:child_process";
import { PassThrough, pipeline, type Readable, type Writable } from "node:stream";
import { endGroup, groupsBelow, ProcessGroups, signalGroup } from "@agentwire/local/process";
import { redactor } from "@agentwire/protocol/support";
import { HostError } from "../errors.ts";
import type { SpawnedProcess } from "../sdk/process.ts";
import { endOfOutput } from "./end-of-output.ts";
import { withOneBuffer } from "./one-buffer.ts";
import type { Start } from "./start.ts";
import { startFailure } from "./start-failure.ts";

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it never ran, or why its sandbox ended it. */
  readonly failure?: HostError;
}

/** A started agent: its streams and how to end it. */
export interface AgentProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  /** Flows once it is resumed; a chunk is valid only until its listener returns. */
  readonly stdout: Readable;
  readonly stderr: StderrTail;
  /** Resolves when the process and everything left in its group are gone, and no more output can come. */
  readonly exited: Promise<Exit>;
  /** Resolves when the process itself is gone: its input accepts nothing any more. */
  readonly gone: Promise<Exit>;
  /** Asks the process to end, with its whole group if it has one. */
  terminate(): void;
  /** Kills the process, with its whole group if it has one. */
  kill(): void;
}

/** Starts an agent. A program that can't be started is reported as an exit. */
export function startProcess(start: Start): AgentProcess {
  const stderr = new StderrTail();
  const abort = new AbortController();
  try {
    const child = start.spawn ? spawnElsewhere(start, abort.signal) : spawnHere(start);
    // If the system has no file descriptor left, there are no streams, and the error is reported only later.
    if (!child.stdout) return withoutStreams(exitOf(child, start).then((exit) => leftSandbox(exit, start)));
    const errors = "stderr" in child ? (child.stderr as Readable | null) : null;
    if (errors) stderr.follow(errors, start.onStderr);
    const stdout = start.spawn ? inBytes(child.stdout) : withOneBuffer(child.stdout);
    const group = start.spawn ? undefined : (child as ChildProcess).pid;
    if (group !== undefined) {
      endWithUs(group);
      start.onGroup?.(group);
      start.confinement?.entered(group);
    }
    const gone = exitOf(child, start).then((exit) => leftSandbox(exit, start));
    /** Process groups that the agent's tools created: whose children they are can only be determined while the agent lives. */
    const strays = new Set<number>();
    const findStrays = () => {
      if (group !== undefined) for (const stray of groupsBelow(group)) strays.add(stray);
    };
    return {
      pid: "pid" in child ? (child.pid as number | undefined) : undefined,
      stdin: child.stdin,
      stdout,
      stderr,
      gone,
      exited: gone.then((exit) =>
        cleared(
          exit,
          { stdin: child.stdin, stdout, stderr: errors },
          group === undefined ? [] : [group, ...strays],
        ),
      ),
      terminate() {
        abort.abort();
        findStrays();
        if (group === undefined) child.kill("SIGTERM");
        // A stopped process receives the signal only when it is continued.
        else if (signalGroup(group, "SIGTERM")) signalGroup(group, "SIGCONT");
      },
      kill() {
        findStrays();
        if (group === undefined) child.kill("SIGKILL");
        else signalGroup(group, "SIGKILL");
      },
    };
  } catch (cause) {
    start.confinement?.left();
    return neverStarted(startFailure(start, cause));
  }
}

function spawnHere(start: Start): ChildProcess & SpawnedProcess {
  const { cwd, confinement } = start;
  const { command, args, env } = confinement?.enter(start) ?? start;
  return spawn(command, [...args], {
    cwd,
    env: { ...env },
    stdio: "pipe",
    detached: true,
    windowsHide: true,
  });
}

function spawnElsewhere(start: Start, signal: AbortSignal): SpawnedProcess {
  const { command, args, cwd, env, spawn: spawnIt } = start;
  const options = { command, args: [...args], env: { ...env }, signal, ...(cwd !== undefined && { cwd }) };
  const child = spawnIt?.(options);
  if (!child?.stdin || !child.stdout)
    throw new Error("the spawn function did not return a process with stdin and stdout");
  return child;
}

/** The caller may have set an encoding on its stream, but the wire consists of bytes. */
function inBytes(stream: Readable): Readable {
  if (!stream.readableEncoding && !stream.readableObjectMode) return stream;
  return pipeline(stream, new PassThrough(), () => {});
}

function exitOf(child: SpawnedProcess, start: Start): Promise<Exit> {
  // A process object of the caller may lack either of these.
  if (typeof child.exitCode === "number" || child.signalCode)
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode ?? null });
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal }));
    child.on("error", (cause) => {
      // A signal that can't be delivered also causes an error event, which does not mean that the process is gone.
      const runs = "pid" in child && child.pid !== undefined;
      if (!runs) resolve({ code: null, signal: null, failure: startFailure(start, cause) });
    });
  });
}

async function cleared(
  exit: Exit,
  { stdin, stdout, stderr }: { stdin: Writable; stdout: Readable; stderr: Readable | null },
  groups: readonly number[],
): Promise<Exit> {
  // Another process at the other end must not make the host wait until the stream is read.
  stdin.destroy();
  await Promise.all(groups.map((group) => endGroup(group)));
  for (const group of groups) forgetGroup(group);
  const isLocal = groups.length > 0;
  await Promise.all([endOfOutput(stdout, isLocal), stderr && endOfOutput(stderr, isLocal)]);
  return exit;
}

function leftSandbox(exit: Exit, { confinement }: Start): Exit {
  const reason = confinement?.left();
  if (reason === undefined || exit.failure) return exit;
  return { ...exit, failure: new HostError("limit_exceeded", reason) };
}

/** An agent whose process was never started. */
export function neverStarted(failure: HostError): AgentProcess {
  return withoutStreams(Promise.resolve({ code: null, signal: null, failure }));
}

function withoutStreams(exited: Promise<Exit>): AgentProcess {
  const stdin = new PassThrough();
  stdin.destroy();
  const nothing = () => {};
  const stdout = new PassThrough().end();
  const stderr = new StderrTail();
  return { pid: undefined, stdin, stdout, stderr, exited, gone: exited, terminate: nothing, kill: nothing };
}

// One set, one guard and one exit handler for all agents of this process, and none while there is no agent.
const live = new ProcessGroups();

/** Ensures that a process group ends with this process, however this process ends. */
function endWithUs(group: number): void {
  if (live.size === 0) process.on("exit", endAll);
  live.add(group);
}

/** The group is gone, and the system may soon reuse its number. */
function forgetGroup(group: number): void {
  if (!live.forget(group) || live.size > 0) return;
  process.off("exit", endAll);
  live.release();
}

function endAll(): void {
  // An exit handler can't wait: the guard kills the groups that ignore it.
  live.signal("SIGTERM");
}

/** How much of stderr is kept for reports. */
const TAIL_CHARS = 4096;

const redact = redactor([]);

/** The last of what an agent writes to stderr. */
class StderrTail {
  #text = "";

  /** Follows a stream to its end; errors of the stream do not affect the agent. */
  follow(stream: Readable, onText: ((text: string) => void) | undefined): void {
    stream.setEncoding("utf8");
    stream.on("error", () => {});
    stream.on("data", (text: string) => {
      this.#text = `${this.#text}${text}`.slice(-TAIL_CHARS);
      try {
        onText?.(text);
      } catch {
        // A listener of stderr must not end the agent.
      }
    });
  }

  /** The tail with everything that looks like a secret masked: reports end up in logs. */
  toString(): string {
    return redact(this.#text).trim();
  }
}
