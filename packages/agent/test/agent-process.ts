import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough, Readable, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { onTestFinished } from "vitest";
import { readConfig } from "../src/config/config.ts";
import { runProgram } from "../src/main.ts";
import type { Place } from "./place.ts";

const PROGRAM = fileURLToPath(new URL("../bin/agentwire-agent", import.meta.url));

/** How long a single step may take before the test treats it as a hang. */
const DEADLINE_MS = 25_000;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running agent with everything it has sent. */
export interface AgentTalk {
  /** The stream for the host's lines. */
  readonly input: Writable;
  /** Every line of stdout so far. */
  readonly lines: readonly JsonObject[];
  /** Lines of stdout that are not JSON objects: there should never be any. */
  readonly garbage: readonly string[];
  readonly complaints: () => string;
  /** Settles when the process has ended and all of its output has arrived. */
  readonly exit: Promise<Exit>;
  /** Called with each line as it arrives. */
  onLine: (line: JsonObject) => void;
  send(...messages: readonly JsonObject[]): void;
  /** Resolves with the first line, from an index on, that matches; rejects if the process ends without it, or takes too long. */
  line(matches: (line: JsonObject) => boolean, from?: number): Promise<JsonObject>;
  /** The exit, or a failure if it takes too long. */
  ended(withinMs?: number): Promise<Exit>;
}

/** The same for the real program. */
export interface AgentProcess extends AgentTalk {
  readonly child: ChildProcessWithoutNullStreams;
}

/** How a test runs the program. */
export interface AgentOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How a test runs the program to its end; `input` is all of its stdin. */
export interface FinishOptions extends AgentOptions {
  readonly input?: string;
}

/** What a program has written, and how it ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const STREAMING = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

/**
 * Runs an agent inside the test process, the way a host would start the program: for tests of the agent rather than its process, which
 * takes ten times as long to start. It does not outlive the test.
 */
export function openAgent(place: Place, { args = [], env = {} }: AgentOptions = {}): AgentTalk {
  return openProgram(place, { args: [...STREAMING, ...args], env });
}

/** The same, with exactly these arguments. */
export function openProgram(place: Place, options: AgentOptions): AgentTalk {
  const input = new PassThrough();
  return listen({ input, ...runInside(place, options, input) });
}

/** The same to its end, for programs that do not write lines of JSON. */
export function finishProgram(place: Place, options: FinishOptions): Promise<Outcome> {
  // As with a pipe, the agent notices the end only when it reads.
  const input = Readable.from(options.input ? [Buffer.from(options.input)] : []);
  return outcomeOf(runInside(place, options, input));
}

function runInside(place: Place, { args = [], env = {} }: AgentOptions, input: Readable): Results {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const running = runProgram(args, {
    configure: async (flags) => readConfig(flags, { ...place.env, ...env }, place.cwd),
    input,
    output,
    complain: (text) => void errors.write(text),
  });
  const exit = running
    .catch((error: Error) => {
      errors.write(`${error.stack}\n`);
      return 1;
    })
    .then(async (code) => {
      errors.end();
      if (!output.destroyed) await Promise.all([once(output, "end"), output.end()]);
      return { code, signal: null };
    });
  onTestFinished(async () => {
    // With no reader left, everything that is still running ends.
    output.destroy();
    input.destroy();
    await exit;
  });
  return { output, errors, exit };
}

/** Starts the program the way a host does. */
export function startAgent(place: Place, { args = [], env = {} }: AgentOptions = {}): AgentProcess {
  return follow(startProgram(place, { args: [...STREAMING, ...args], env }));
}

/** Starts the program with exactly these arguments; it does not outlive the test. */
export function startProgram(
  place: Place,
  { args = [], env = {} }: AgentOptions,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: place.cwd,
    env: { ...place.env, ...env },
  });
  child.stdin.on("error", () => {});
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
    await closed;
  });
  return child;
}

/** Runs the program as a process, to its end. */
export function finishProcess(place: Place, options: FinishOptions): Promise<Outcome> {
  const child = startProgram(place, options);
  child.stdin.end(options.input);
  return outcomeOf(resultsOf(child));
}

/** Collects the output of a running program. */
export function follow(child: ChildProcessWithoutNullStreams): AgentProcess {
  return Object.assign(listen({ input: child.stdin, ...resultsOf(child) }), { child });
}

function resultsOf(child: ChildProcessWithoutNullStreams): Results {
  const exit = new Promise<Exit>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { output: child.stdout, errors: child.stderr, exit };
}

/** What an agent writes, and its end. */
interface Results {
  readonly output: Readable;
  readonly errors: Readable;
  readonly exit: Promise<Exit>;
}

/** The same with the stream for the host's lines. */
interface Ends extends Results {
  readonly input: Writable;
}

async function outcomeOf({ output, errors, exit }: Results): Promise<Outcome> {
  const [stdout, stderr, { code }] = await Promise.all([text(output), text(errors), exit]);
  return { code, stdout, stderr };
}

/** Collects the output from an agent's streams. */
export function listen({ input, output, errors, exit }: Ends): AgentTalk {
  const lines: JsonObject[] = [];
  const garbage: string[] = [];
  const waiting = new Set<() => void>();
  let complaints = "";
  let isOver = false;
  const wake = () => {
    for (const look of waiting) look();
  };
  void exit.then(() => {
    isOver = true;
    wake();
  });
  const agent: AgentTalk = {
    input,
    lines,
    garbage,
    complaints: () => complaints,
    exit,
    onLine: () => {},
    send(...messages) {
      input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    },
    line: (matches, from = 0) =>
      inTime(
        describe,
        DEADLINE_MS,
        new Promise((resolve, reject) => {
          let next = from;
          const look = () => {
            while (next < lines.length) {
              const line = lines[next++];
              if (line && matches(line)) {
                waiting.delete(look);
                return resolve(line);
              }
            }
            if (isOver) reject(new Error(`the agent ended before the line came\n${describe()}`));
          };
          waiting.add(look);
          look();
        }),
      ),
    ended: (withinMs = DEADLINE_MS) => inTime(describe, withinMs, exit),
  };
  const describe = () =>
    [
      "the last lines were",
      ...lines.slice(-12).map((line) => `  ${JSON.stringify(line).slice(0, 240)}`),
      `stderr: ${complaints.slice(-1000)}`,
    ].join("\n");
  errors.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (text) => {
    const value = parsed(text);
    if (!isJsonObject(value)) return void garbage.push(text);
    lines.push(value);
    agent.onLine(value);
    wake();
  });
  return agent;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function inTime<T>(describe: () => string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came of it within ${ms} ms\n${describe()}`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
