import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { signalGroup } from "@agentwire/local/process";
import { type Line, LineSplitter } from "@agentwire/protocol";

/** A program and where to run it. */
export interface SpawnPlan {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Callbacks for what a process writes while it runs. */
export interface ProcessEvents {
  line(line: Line): void;
  stderr(text: string): void;
}

/** One process of an agent, the leader of its own process group. */
export interface AgentProcess {
  readonly exited: Promise<Exit>;
  /** How it ended; undefined while it runs. */
  readonly exit: Exit | undefined;
  write(text: string): void;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Kills the whole process group at once. */
  killGroup(): void;
}

/** How a process ended: its exit code, 128 + the number of the signal, or why it never started. */
export type Exit = number | string;

/** A child may keep a pipe open after its process has ended: how long to wait for the rest of the output. */
const DRAIN_MS = 250;

/** Starts an agent. A program that can't be started is reported as an exit. */
export function startProcess(plan: SpawnPlan, events: ProcessEvents): AgentProcess {
  const [program = "", ...words] = plan.command;
  const child = spawn(program, [...words, ...plan.args], {
    cwd: plan.cwd,
    env: plan.env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  readOutput(child, events);
  // Some scenarios write to an agent that has gone.
  child.stdin.on("error", () => {});

  let exit: Exit | undefined;
  const exited = exitOf(child).then((how) => {
    exit = how;
    return how;
  });
  return {
    exited,
    get exit() {
      return exit;
    },
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    killGroup: () => void signalGroup(child.pid, "SIGKILL"),
  };
}

function readOutput(child: ChildProcess, events: ProcessEvents): void {
  const splitter = new LineSplitter();
  child.stdout?.on("data", (bytes: Buffer) => splitter.push(bytes).forEach(events.line));
  child.stdout?.on("end", () => splitter.end().forEach(events.line));
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", events.stderr);
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`cannot start: ${error.message}`));
    child.once("exit", (code, signal) => {
      const how = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      const timer = setTimeout(() => resolve(how), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
}
