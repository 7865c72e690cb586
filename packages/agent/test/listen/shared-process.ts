import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JsonObject } from "@agentwire/protocol";
import type { SupervisedLine, SupervisorLine } from "@agentwire/protocol/support";
import { onTestFinished } from "vitest";
import {
  type AgentOptions,
  type AgentTalk,
  type Exit,
  listen,
  STREAMING,
  startProgram,
} from "../agent-process.ts";
import type { Place } from "../place.ts";
import { request } from "../wire.ts";

/** A process with many sessions, as seen by the program that started it. */
export interface SharedProcess {
  readonly child: ReturnType<typeof startProgram>;
  readonly path: string;
  /** Opens a named session in a place; its first line answers the claim. */
  open(name: string, place: Place, options?: AgentOptions): AgentTalk;
  /** Opens a connection and sends these lines. */
  say(...lines: readonly JsonObject[]): AgentTalk;
  signal(name: string, signal: SupervisorLine["signal"]): void;
  /** Resolves with the next report of this kind. */
  told<T extends SupervisedLine["type"]>(type: T): Promise<Extract<SupervisedLine, { type: T }>>;
}

/** Starts a process that listens in its own place; it does not outlive the test. */
export async function startShared(home: Place): Promise<SharedProcess> {
  const path = join(home.cwd, "agents.sock");
  const child = startProgram(home, { args: ["--listen", path] });
  const errors = new Map<string, PassThrough>();
  const ends = new Map<string, (exit: Exit) => void>();
  const waiting = new Set<(line: SupervisedLine) => void>();
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line: SupervisedLine = JSON.parse(text);
    if (line.type === "session_stderr") errors.get(line.name)?.write(line.text);
    if (line.type === "session_ended") ends.get(line.name)?.({ code: line.code, signal: null });
    for (const look of waiting) look(line);
  });
  const told: SharedProcess["told"] = (type) =>
    new Promise((resolve) => {
      const look = (line: SupervisedLine) => {
        if (line.type !== type) return;
        waiting.delete(look);
        resolve(line as Extract<SupervisedLine, { type: typeof type }>);
      };
      waiting.add(look);
    });
  const begin = (name: string, lines: readonly JsonObject[]): AgentTalk => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    const complaints = new PassThrough();
    errors.set(name, complaints);
    const exit = new Promise<Exit>((resolve) => {
      ends.set(name, resolve);
      // A claim that was refused ends without a report.
      if (name === "") socket.once("end", () => resolve({ code: null, signal: null }));
    });
    const talk = listen({ input: socket, output: socket, errors: complaints, exit });
    talk.send(...lines);
    return talk;
  };
  const closed = once(child, "close");
  await Promise.race([told("listening"), closed.then(() => Promise.reject(new Error("it does not listen")))]);
  return {
    child,
    path,
    told,
    open: (name, place, { args = [], env = {} } = {}) =>
      begin(name, [
        request("claim", "claim_session", {
          name,
          cwd: place.cwd,
          args: [...STREAMING, ...args],
          env: { ...place.env, ...env },
        }),
      ]),
    say: (...lines) => begin("", lines),
    signal(name, signal) {
      const line: SupervisorLine = { type: "signal", name, signal };
      child.stdin.write(`${JSON.stringify(line)}\n`);
    },
  };
}
