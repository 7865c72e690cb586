import { setTimeout } from "node:timers/promises";
import type { JsonObject, Line } from "@agentwire/protocol";
import { at } from "../json-path.ts";
import type { Transcript } from "../transcript.ts";
import { type AgentProcess, type Exit, startProcess } from "./agent-process.ts";
import { commandsStayingIn, endProcessesIn, processesIn } from "./left-over.ts";
import { OutputWatch, type WaitOptions } from "./output-watch.ts";
import type { Pattern } from "./pattern.ts";
import { type Reaction, Reactions } from "./reactions.ts";
import { Recorder } from "./recorder.ts";

/** The settings of a driver. */
export interface DriverOptions {
  /** The agent's program and its arguments. */
  readonly command: readonly string[];
  /** Further arguments. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long to wait for an answer before continuing without it; by default, the scenario does not continue. */
  readonly goOnAfterMs?: number;
  /** How to start the agent; as a process by default. */
  readonly start?: typeof startProcess;
  /** Ends every wait and the agent. */
  readonly signal: AbortSignal;
}

const MAX_LINES = 20_000;
const MAX_STDERR = 65_536;
const CLOSE_MS = 10_000;

/** Plays the host of one agent: starts it, writes lines, waits for lines, and records all of them. */
export class AgentDriver {
  readonly #options: DriverOptions;
  readonly #watch = new OutputWatch();
  readonly #recorder = new Recorder();
  readonly #reactions = new Reactions((reason) => {
    this.#problem ??= `a reaction failed: ${reason}`;
  });
  readonly #processes: AgentProcess[] = [];
  #stderr = "";
  #requests = 0;
  #problem: string | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => {
      this.#watch.end(String(options.signal.reason));
      for (const agent of this.#processes) agent.killGroup();
    });
  }

  /** All lines so far, in both directions. */
  get transcript(): Transcript {
    return this.#recorder.lines;
  }

  /** Every JSON object that the agent has written so far. */
  get lines(): readonly JsonObject[] {
    return this.#watch.lines;
  }

  /** The agent's stderr, as far as it is kept. */
  get stderr(): string {
    return this.#stderr;
  }

  /** How each process ended, in start order. */
  get exits(): readonly (Exit | undefined)[] {
    return this.#processes.map(({ exit }) => exit);
  }

  /** Whether the agent is running. */
  get alive(): boolean {
    const agent = this.#processes.at(-1);
    return agent !== undefined && agent.exit === undefined;
  }

  /** A problem that the driver itself noticed, such as an agent that would not end. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Starts the agent, or starts it again after it has ended, with additional flags. */
  start(moreArgs: readonly string[] = []): void {
    const { command, args, cwd, env, start = startProcess } = this.#options;
    const number = this.#processes.length + 1;
    this.#watch.reopen();
    const agent = start(
      { command, args: [...args, ...moreArgs], cwd, env },
      { line: (line) => this.#receive(line, number), stderr: (text) => this.#keepStderr(text) },
    );
    this.#processes.push(agent);
    void agent.exited.then((how) => {
      if (typeof how === "string") this.#keepStderr(`${how}\n`);
      this.#watch.end(`the agent ended (${how})`);
    });
  }

  /** Milliseconds since the driver was created. */
  now(): number {
    return this.#recorder.now();
  }

  /** Writes a line unchanged. */
  write(text: string): void {
    this.#recorder.sent(text, this.#processes.length);
    if (this.alive) this.#processes.at(-1)?.write(`${text}\n`);
  }

  /** Writes a message. */
  send(message: JsonObject): void {
    this.write(JSON.stringify(message));
  }

  /** Sends a prompt; `more` are additional fields of its line. */
  prompt(content: unknown, more: JsonObject = {}): void {
    const message = { role: "user", content };
    this.send({ type: "user", message, parent_tool_use_id: null, session_id: "", ...more });
  }

  /** Sends a prompt and waits for the result of its turn. */
  async turn(content: unknown, more?: JsonObject): Promise<JsonObject> {
    this.prompt(content, more);
    return this.result();
  }

  /** Sends a control request and waits for its answer. */
  async ask(request: JsonObject): Promise<unknown> {
    const request_id = `req_host_${++this.#requests}`;
    const { goOnAfterMs } = this.#options;
    this.send({ type: "control_request", request_id, request });
    const pattern = { type: "control_response", response: { request_id } };
    const what = `the answer to ${request.subtype}`;
    const answer = this.until(pattern, {
      fromStart: true,
      what,
      ...(goOnAfterMs && { withinMs: goOnAfterMs }),
    });
    if (goOnAfterMs === undefined) return at(await answer, "response", "response");
    return answer.catch((error: unknown) => {
      if (!this.alive) throw error;
    });
  }

  /** Answers a request of the agent. */
  answer(request: JsonObject, response: JsonObject): void {
    this.#respond({ subtype: "success", request_id: request.request_id, response });
  }

  /** Answers a request of the agent with an error. */
  refuse(request: JsonObject, error: string): void {
    this.#respond({ subtype: "error", request_id: request.request_id, error });
  }

  /** Waits for a line. */
  until(pattern: Pattern, options?: WaitOptions): Promise<JsonObject> {
    return this.#watch.until(pattern, options);
  }

  /** Waits for a result. */
  result(options?: WaitOptions): Promise<JsonObject> {
    return this.until({ type: "result" }, { what: "a result", ...options });
  }

  /** Whether a result arrives in this time. */
  async resultWithin(ms: number): Promise<boolean> {
    return this.result({ withinMs: ms }).then(
      () => true,
      () => false,
    );
  }

  /** Reacts to every matching line from now on. */
  on(pattern: Pattern, react: (line: JsonObject) => unknown): Reaction {
    return this.#reactions.add(pattern, react);
  }

  /** Lets time pass, for scenarios about time or silence. */
  async pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#options.signal });
  }

  /** Waits until the agent has exited, for at most this long; returns whether it has. */
  async gone(withinMs: number): Promise<boolean> {
    const waited = new AbortController();
    const signal = AbortSignal.any([waited.signal, this.#options.signal]);
    const timeout = setTimeout(withinMs, undefined, { signal }).catch(() => {});
    await Promise.race([this.#processes.at(-1)?.exited, timeout]);
    waited.abort();
    return !this.alive;
  }

  /** Sends the agent a signal. */
  signal(name: NodeJS.Signals): void {
    this.#processes.at(-1)?.signal(name);
  }

  /** How many processes in the agent's project have this text in their command line. */
  commandsRunning(text: string): number {
    return processesIn(this.#options.cwd).filter(({ command }) => command.includes(text)).length;
  }

  /** Closes stdin and waits for the agent to end; ends it if it does not. */
  async close(withinMs = CLOSE_MS): Promise<void> {
    const agent = this.#processes.at(-1);
    if (agent === undefined || !this.alive) return;
    this.#recorder.closed(this.#processes.length);
    agent.endInput();
    if (await this.gone(withinMs)) return;
    this.#problem ??= `the agent was still running ${withinMs / 1000} s after its stdin was closed`;
    agent.killGroup();
    await agent.exited;
  }

  /** Ends everything that was started; returns the commands that outlived their agent. */
  async dispose(): Promise<readonly string[]> {
    const outlived = this.alive ? [] : await commandsStayingIn(this.#options.cwd);
    for (const agent of this.#processes) agent.killGroup();
    await Promise.all(this.#processes.map(({ exited }) => exited));
    endProcessesIn(this.#options.cwd);
    return outlived;
  }

  #respond(response: JsonObject): void {
    this.send({ type: "control_response", response });
  }

  #receive(line: Line, process: number): void {
    if (this.#recorder.lines.length >= MAX_LINES) {
      this.#stopFlood();
      return;
    }
    const message = this.#recorder.received(line, process);
    if (message === undefined) return;
    this.#watch.push(message);
    this.#reactions.run(message);
  }

  #stopFlood(): void {
    this.#problem = `the agent wrote more than ${MAX_LINES} lines`;
    this.#watch.end(this.#problem);
    this.#processes.at(-1)?.killGroup();
  }

  #keepStderr(text: string): void {
    if (this.#stderr.length < MAX_STDERR) this.#stderr += text;
  }
}
