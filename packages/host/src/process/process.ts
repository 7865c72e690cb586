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
  /** Why it never ran, or was ended by its sandbox. */
  readonly failure?: HostError;
}

/** A started agent: its streams, and the way to end it. */
export interface AgentProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  /** Flows once it is resumed; a chunk holds only until its listener returns. */
  readonly stdout: Readable;
  readonly stderr: StderrTail;
  /** Resolves when the process is gone, what it left in its group too, and no more output can come. */
  readonly exited: Promise<Exit>;
  /** Resolves when the process itself is gone: its input takes nothing any more. */
  readonly gone: Promise<Exit>;
  /** Asks the process to end, its whole group if it has one. */
  terminate(): void;
  /** Ends the process, its whole group if it has one. */
  kill(): void;
}

/** Starts an agent. A program that can't be started is an exit like any other. */
export function startProcess(start: Start): AgentProcess {
  const stderr = new StderrTail();
  const abort = new AbortController();
  try {
    const child = start.spawn ? spawnElsewhere(start, abort.signal) : spawnHere(start);
    // Where the system has no descriptor left there are no streams, and why is told only later.
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
    /** Groups that the agent's tools have made for themselves: who is their child can only be told while it lives. */
    const strays = new Set<number>();
    const lookForStrays = () => {
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
        lookForStrays();
        if (group === undefined) child.kill("SIGTERM");
        // One that was stopped could not even hear it.
        else if (signalGroup(group, "SIGTERM")) signalGroup(group, "SIGCONT");
      },
      kill() {
        lookForStrays();
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

/** The caller may have given its stream an encoding: the wire is made of bytes. */
function inBytes(stream: Readable): Readable {
  if (!stream.readableEncoding && !stream.readableObjectMode) return stream;
  return pipeline(stream, new PassThrough(), () => {});
}

function exitOf(child: SpawnedProcess, start: Start): Promise<Exit> {
  // A process of the caller's own making may lack the one or the other.
  if (typeof child.exitCode === "number" || child.signalCode)
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode ?? null });
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal }));
    child.on("error", (cause) => {
      // A signal that can't be delivered is an error event too, and no reason to think that it has gone.
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
  // Another process at its other end must not make us wait until it is read.
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

/** A process that there never was. */
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

// One set, one guard and one exit handler for all the agents of this process, and none while there is no agent.
const live = new ProcessGroups();

/** Sees to it that a process group ends with this process, however this process ends. */
function endWithUs(group: number): void {
  if (live.size === 0) process.on("exit", endAll);
  live.add(group);
}

/** The group is gone: its number may soon be reused. */
function forgetGroup(group: number): void {
  if (!live.forget(group) || live.size > 0) return;
  process.off("exit", endAll);
  live.release();
}

function endAll(): void {
  // There is no time to wait here: the guard kills those that ignore it.
  live.signal("SIGTERM");
}

/** How much of stderr is kept for a report. */
const TAIL_CHARS = 4096;

const redact = redactor([]);

/** The last of what an agent writes to stderr. */
class StderrTail {
  #text = "";

  /** Follows a stream to its end; its errors do not affect the agent. */
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

  /** The tail, with everything that looks like a secret blotted out: reports end up in logs. */
  toString(): string {
    return redact(this.#text).trim();
  }
}
