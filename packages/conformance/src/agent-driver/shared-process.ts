import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject, LineSplitter } from "@agentwire/protocol";
import type { SupervisedLine, SupervisorLine } from "@agentwire/protocol/support";
import {
  type AgentProcess,
  type Exit,
  type ProcessEvents,
  type SpawnPlan,
  startProcess,
} from "./agent-process.ts";

/** One process of an agent that runs many sessions (`--listen`), and a function that starts a scenario's agent in it. */
export interface SharedProcess {
  readonly start: typeof startProcess;
  close(): Promise<void>;
}

/** The operations on a running agent. */
type Controls = Pick<AgentProcess, "write" | "endInput" | "signal" | "killGroup">;

/** A session that has not ended. */
interface Running {
  stderr(text: string): void;
  ended(code: number): void;
}

/** Starts an agent that listens; rejects with its stderr if it does not. */
export async function openShared(
  command: readonly string[],
  path: string | undefined,
): Promise<SharedProcess> {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-conformance-"));
  const socket = join(folder, "agents.sock");
  const [program = "", ...words] = command;
  const child = spawn(program, [...words, "--listen", socket], { cwd: folder, env: { PATH: path } });
  const sessions = new Map<string, Running>();
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const gone = new Promise<void>((resolve) => {
    child.once("error", () => resolve()).once("close", () => resolve());
  });
  void gone.then(() => {
    for (const session of sessions.values()) session.ended(1);
  });
  const close = async () => {
    child.stdin.end();
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const listening = new Promise<true>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line: SupervisedLine = JSON.parse(text);
      if (line.type === "listening") resolve(true);
      if (line.type === "session_stderr") sessions.get(line.name)?.stderr(line.text);
      if (line.type === "session_ended") sessions.get(line.name)?.ended(line.code);
    });
  });
  if (!(await Promise.race([listening, gone]))) {
    await close();
    throw new Error(`the agent does not support many sessions (--listen): ${complaints.trim()}`);
  }
  let count = 0;
  return {
    close,
    start: (plan, events) => new SharedSession(String(++count), { plan, events, socket, child, sessions }),
  };
}

/** What a session needs to run. */
interface SessionParts {
  readonly plan: SpawnPlan;
  readonly events: ProcessEvents;
  /** The socket on which the process listens. */
  readonly socket: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly sessions: Map<string, Running>;
}

/** One session of the process, which looks like a process to a scenario; one that can't share gets its own process. */
class SharedSession implements AgentProcess {
  readonly exited: Promise<Exit>;
  exit: Exit | undefined;
  readonly #name: string;
  readonly #parts: SessionParts;
  readonly #socket: Socket;
  /** Operations that were requested before the session ran. */
  readonly #waiting: ((agent: Controls) => void)[] = [];
  #agent: Controls | undefined;
  #isKilled = false;
  #resolve = (_: Exit | Promise<Exit>) => {};

  constructor(name: string, parts: SessionParts) {
    this.#name = name;
    this.#parts = parts;
    this.exited = new Promise<Exit>((resolve) => {
      this.#resolve = resolve;
    }).then((how) => {
      this.exit = how;
      return how;
    });
    this.#socket = connect({ path: parts.socket, allowHalfOpen: true });
    this.#claim();
  }

  write(text: string): void {
    this.#do((agent) => agent.write(text));
  }

  endInput(): void {
    this.#do((agent) => agent.endInput());
  }

  signal(name: NodeJS.Signals): void {
    this.#do((agent) => agent.signal(name));
  }

  killGroup(): void {
    this.#do((agent) => agent.killGroup());
  }

  #do(act: (agent: Controls) => void): void {
    if (this.#agent) act(this.#agent);
    else this.#waiting.push(act);
  }

  #claim(): void {
    const { plan, events, sessions } = this.#parts;
    const { cwd, args, env } = plan;
    const closed = new Promise<void>((resolve) =>
      this.#socket.once("end", resolve).once("close", () => resolve()),
    );
    this.#socket.on("error", () => {});
    sessions.set(this.#name, {
      stderr: events.stderr,
      ended: (code) => {
        sessions.delete(this.#name);
        const how = this.#isKilled ? 128 + constants.signals.SIGKILL : code;
        this.#resolve(closed.then(() => how));
      },
    });
    const splitter = new LineSplitter();
    let isAnswered = false;
    const take = (line: Parameters<ProcessEvents["line"]>[0]) => {
      if (isAnswered) return events.line(line);
      isAnswered = true;
      this.#answered(String(line));
    };
    this.#socket.on("data", (bytes: Buffer) => splitter.push(bytes).forEach(take));
    this.#socket.on("end", () => splitter.end().forEach(take));
    const request = { subtype: "claim_session", name: this.#name, cwd, args, env };
    this.#socket.write(`${JSON.stringify({ type: "control_request", request_id: "claim", request })}\n`);
  }

  #answered(line: string): void {
    const { response } = JSON.parse(line) as { response?: unknown };
    const error = isJsonObject(response) && response.subtype === "error" ? String(response.error) : undefined;
    if (error === undefined) this.#run(this.#shared());
    else if (error.startsWith("needs_own_process")) {
      const own = startProcess(this.#parts.plan, this.#parts.events);
      this.#leave();
      this.#resolve(own.exited);
      this.#run(own);
    } else {
      this.#leave();
      this.#parts.events.stderr(`agentwire-agent: ${error}\n`);
      this.#resolve(1);
    }
  }

  #leave(): void {
    this.#parts.sessions.delete(this.#name);
    this.#socket.destroy();
  }

  #run(agent: Controls): void {
    this.#agent = agent;
    for (const act of this.#waiting.splice(0)) act(agent);
  }

  #shared(): Controls {
    const kill = () => {
      this.#isKilled = true;
      this.#socket.destroy();
    };
    return {
      write: (text) => void this.#socket.write(text),
      endInput: () => void this.#socket.end(),
      killGroup: kill,
      signal: (signal) => {
        if (signal === "SIGKILL") return kill();
        const line = { type: "signal", name: this.#name, signal } as SupervisorLine;
        this.#parts.child.stdin.write(`${JSON.stringify(line)}\n`);
      },
    };
  }
}
