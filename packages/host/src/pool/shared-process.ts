import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { isJsonObject } from "@agentwire/protocol";
import type { SupervisedLine, SupervisorLine } from "@agentwire/protocol/support";
import { parseJsonObject } from "@agentwire/protocol/support";
import { type AgentProcess, type Exit, startProcess } from "../process/process.ts";
import { stopProcess } from "../process/stop.ts";
import type { SpawnOptions } from "../sdk/process.ts";
import type { PooledSession } from "./pooled-session.ts";

/** What a shared process is started with. */
export interface SharedStart {
  /** The command line that runs the agent, before any option. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The socket to listen on. */
  readonly path: string;
  /** The process reports every second; one that stays silent for this long can't recover by itself. */
  readonly stuckMs: number;
  readonly onGroup?: ((group: number) => void) | undefined;
}

/** The current load of a shared process. */
export interface ProcessLoad {
  readonly pid: number | undefined;
  readonly sessions: number;
  readonly rssBytes: number;
  /** The worst delay of its timers during the last second. */
  readonly loopDelayMs: number;
  /** The approximate memory of its largest session. */
  readonly largestSessionBytes: number;
}

/** The result of a claim: the session runs, the process ended before it answered, or the claim was refused. */
export type Claimed = "taken" | "gone" | { readonly refusal: string };

/** How long a silent process still has to report: the host itself may have been too busy to read. */
const GRACE_MS = 2000;
/** How long a process may take to end together with its sessions. */
export const END_MS = 12_000;

/** A process that runs many sessions, each on a connection of its own; its stdout reports on all of them. */
export class SharedProcess {
  readonly startedAt = performance.now();
  /** Resolves when it takes sessions, or never will. */
  readonly listening: Promise<void>;
  /** Resolves when it has gone with everything in it; its sessions have been notified by then. */
  readonly gone: Promise<Exit>;
  /** It takes no new sessions, and ends with its last one. */
  isRetired = false;
  readonly #start: SharedStart;
  readonly #process: AgentProcess;
  readonly #sessions = new Map<string, PooledSession>();
  readonly #watchdog: NodeJS.Timeout;
  #load = { rssBytes: 0, loopDelayMs: 0, largestSessionBytes: 0 };
  #isListening = false;
  #isGone = false;
  #count = 0;
  #resolveListening = () => {};

  constructor(start: SharedStart) {
    this.#start = start;
    const [command, ...args] = start.command;
    this.#process = startProcess({
      command,
      args: [...args, "--listen", start.path],
      env: start.env,
      ...(start.onGroup && { onGroup: start.onGroup }),
    });
    this.listening = new Promise((resolve) => {
      this.#resolveListening = resolve;
    });
    this.#process.stdin.on("error", () => {});
    this.#read();
    this.#watchdog = setTimeout(() => this.#stuck(), start.stuckMs).unref();
    this.gone = this.#process.exited.then((exit) => this.#ended(exit));
  }

  get isListening(): boolean {
    return this.#isListening && !this.#isGone;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get load(): ProcessLoad {
    return { pid: this.#process.pid, sessions: this.size, ...this.#load };
  }

  /** Asks the process to run a session. */
  async claim(session: PooledSession, { args, cwd, env }: SpawnOptions): Promise<Claimed> {
    const name = String(++this.#count);
    // Counted from here on, so that sessions that start together are spread.
    this.#sessions.set(name, session);
    await this.listening;
    const socket = connect({ path: this.#start.path, allowHalfOpen: true });
    const claim = { subtype: "claim_session", name, cwd: resolve(cwd ?? ""), args, env: given(env) };
    socket.write(`${JSON.stringify({ type: "control_request", request_id: "claim", request: claim })}\n`);
    const answer = await firstLine(socket);
    const refusal = answer === undefined ? undefined : refusalIn(answer);
    if (answer === undefined || refusal !== undefined) {
      socket.destroy();
      this.#sessions.delete(name);
      return refusal === undefined ? "gone" : { refusal };
    }
    session.carry({ input: socket, output: socket, kill: (signal) => this.#kill(name, socket, signal) });
    return "taken";
  }

  /** Ends the process with all its sessions. */
  async end(): Promise<void> {
    this.isRetired = true;
    this.#process.stdin.end();
    await stopProcess(this.#process, END_MS, 2000);
    await this.gone;
  }

  #kill(name: string, socket: Socket, signal: NodeJS.Signals): void {
    if (signal === "SIGINT" || signal === "SIGTERM" || signal === "SIGHUP") {
      const line: SupervisorLine = { type: "signal", name, signal };
      this.#process.stdin.write(`${JSON.stringify(line)}\n`);
    } else socket.destroy();
  }

  #read(): void {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    this.#process.stdout.on("error", () => {});
    this.#process.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(line);
    });
    this.#process.stdout.resume();
  }

  #receive(line: string): void {
    const report = supervised(line);
    if (!report) return;
    this.#watchdog.refresh();
    switch (report.type) {
      case "listening":
        this.#isListening = true;
        this.#resolveListening();
        return;
      case "session_stderr":
        this.#sessions.get(report.name)?.complain(report.text);
        return;
      case "session_ended":
        this.#sessions.get(report.name)?.exit(report.code, null);
        this.#sessions.delete(report.name);
        return;
      case "load":
        this.#load = {
          rssBytes: report.rss_bytes,
          loopDelayMs: report.loop_delay_ms,
          largestSessionBytes: report.largest_session_bytes,
        };
    }
  }

  #stuck(): void {
    let hasReceived = false;
    const onData = () => {
      hasReceived = true;
    };
    this.#process.stdout.once("data", onData);
    setTimeout(() => {
      this.#process.stdout.off("data", onData);
      if (!hasReceived) this.#process.kill();
    }, GRACE_MS).unref();
  }

  #ended(exit: Exit): Exit {
    clearTimeout(this.#watchdog);
    this.#isGone = true;
    this.#resolveListening();
    const last = this.#process.stderr.toString();
    for (const session of this.#sessions.values()) {
      if (last !== "") session.complain(`${last}\n`);
      if (exit.failure) session.fail(exit.failure);
      else session.exit(exit.code ?? (exit.signal ? null : 1), exit.signal);
    }
    this.#sessions.clear();
    return exit;
  }
}

const given = (env: SpawnOptions["env"]) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));

/** The first line that arrives, leaving the rest unread; undefined if there is none. */
function firstLine(socket: Socket): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const settle = (line: string | undefined) => {
      socket.off("readable", read).off("end", none).off("error", none).off("close", none);
      if (line === undefined) socket.on("error", () => {});
      resolve(line);
    };
    const none = () => settle(undefined);
    const read = () => {
      for (let chunk: unknown = socket.read(); chunk instanceof Buffer; chunk = socket.read()) {
        const end = chunk.indexOf(10);
        chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
        if (end < 0) continue;
        settle(Buffer.concat(chunks).toString("utf8"));
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
        return;
      }
    };
    socket.on("readable", read).on("end", none).on("error", none).on("close", none);
  });
}

/** Why a claim was refused; undefined if it was accepted. */
function refusalIn(line: string): string | undefined {
  const { response } = parseJsonObject(line) ?? {};
  if (!isJsonObject(response)) return `the agent answered a claim with ${line.slice(0, 200)}`;
  return response.subtype === "success" ? undefined : String(response.error);
}

function supervised(line: string): SupervisedLine | undefined {
  return parseJsonObject(line) as SupervisedLine | undefined;
}
