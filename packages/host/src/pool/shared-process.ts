import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { isJsonObject } from "@agentwire/protocol";
import type { SupervisedLine, SupervisorLine } from "@agentwire/protocol/support";
import { type AgentProcess, type Exit, startProcess } from "../process/process.ts";
import { stopProcess } from "../process/stop.ts";
import type { SpawnOptions } from "../sdk/process.ts";
import type { PooledSession } from "./pooled-session.ts";

/** What a process of many sessions is started with. */
export interface SharedStart {
  /** The command line that runs the agent, before any option. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where it is to listen. */
  readonly path: string;
  /** It says how it is every second; one that does not for so long can't continue by itself. */
  readonly stuckMs: number;
  readonly onGroup?: ((group: number) => void) | undefined;
}

/** How a process of many sessions is. */
export interface ProcessLoad {
  readonly pid: number | undefined;
  readonly sessions: number;
  readonly rssBytes: number;
  /** How late its timers were in the last second, at worst. */
  readonly loopDelayMs: number;
  /** What the largest of its sessions holds in memory, about. */
  readonly largestSessionBytes: number;
}

/** What became of a claim: the session runs, the process has gone before it answered, or it says why not. */
export type Claimed = "taken" | "gone" | { readonly refusal: string };

/** How long after its time it may still be heard: it may have been us who could not listen. */
const LAST_LOOK_MS = 2000;
/** How long a process may take to end with its sessions. */
export const END_MS = 12_000;

/** One process with many sessions: each on a connection of its own, all of them watched by what the process says on its stdout. */
export class SharedProcess {
  readonly startedAt = performance.now();
  /** Resolves when it takes sessions, or never will. */
  readonly listening: Promise<void>;
  /** Resolves when it has gone, with everything in it; its sessions have been told by then. */
  readonly gone: Promise<Exit>;
  /** It takes no new sessions, and goes with the last. */
  isRetired = false;
  readonly #start: SharedStart;
  readonly #process: AgentProcess;
  readonly #sessions = new Map<string, PooledSession>();
  readonly #watchdog: NodeJS.Timeout;
  #load = { rssBytes: 0, loopDelayMs: 0, largestSessionBytes: 0 };
  #isListening = false;
  #isGone = false;
  #count = 0;
  #heard = () => {};

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
      this.#heard = resolve;
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

  /** Lets a session run in it. */
  async claim(session: PooledSession, { args, cwd, env }: SpawnOptions): Promise<Claimed> {
    const name = String(++this.#count);
    // Counted from here on, so that sessions that come together are spread.
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

  /** Ends it, with all its sessions. */
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
      for (const line of lines) this.#told(line);
    });
    this.#process.stdout.resume();
  }

  #told(line: string): void {
    const told = supervised(line);
    if (!told) return;
    this.#watchdog.refresh();
    switch (told.type) {
      case "listening":
        this.#isListening = true;
        this.#heard();
        return;
      case "session_stderr":
        this.#sessions.get(told.name)?.complain(told.text);
        return;
      case "session_ended":
        this.#sessions.get(told.name)?.exit(told.code, null);
        this.#sessions.delete(told.name);
        return;
      case "load":
        this.#load = {
          rssBytes: told.rss_bytes,
          loopDelayMs: told.loop_delay_ms,
          largestSessionBytes: told.largest_session_bytes,
        };
    }
  }

  #stuck(): void {
    let isHeard = false;
    const hear = () => {
      isHeard = true;
    };
    this.#process.stdout.once("data", hear);
    setTimeout(() => {
      this.#process.stdout.off("data", hear);
      if (!isHeard) this.#process.kill();
    }, LAST_LOOK_MS).unref();
  }

  #ended(exit: Exit): Exit {
    clearTimeout(this.#watchdog);
    this.#isGone = true;
    this.#heard();
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

/** The first line that comes, the rest left unread; undefined where none does. */
function firstLine(socket: Socket): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const settle = (line: string | undefined) => {
      socket.off("readable", look).off("end", none).off("error", none).off("close", none);
      if (line === undefined) socket.on("error", () => {});
      resolve(line);
    };
    const none = () => settle(undefined);
    const look = () => {
      for (let chunk: unknown = socket.read(); chunk instanceof Buffer; chunk = socket.read()) {
        const end = chunk.indexOf(10);
        chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
        if (end < 0) continue;
        settle(Buffer.concat(chunks).toString("utf8"));
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
        return;
      }
    };
    socket.on("readable", look).on("end", none).on("error", none).on("close", none);
  });
}

/** Why a claim was refused; undefined where it was not. */
function refusalIn(line: string): string | undefined {
  const { response } = parsed(line) ?? {};
  if (!isJsonObject(response)) return `the agent answered a claim with ${line.slice(0, 200)}`;
  return response.subtype === "success" ? undefined : String(response.error);
}

function supervised(line: string): SupervisedLine | undefined {
  return parsed(line) as SupervisedLine | undefined;
}

function parsed(line: string) {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
