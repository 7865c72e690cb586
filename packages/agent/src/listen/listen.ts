import { createServer, type Server } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { isJsonObject } from "@agentwire/protocol";
import { errorMessage, type SupervisedLine, within } from "@agentwire/protocol/support";
import type { RunAgent } from "../serve/surroundings.ts";
import { type SharedSession, serveConnection } from "./shared-session.ts";

/** How often it tells how it is. */
const LOAD_MS = 1000;
/** How long its sessions may take to end with it; what they leave then is ended by the guard. */
const GRACE_MS = 10_000;
/** What a supervisor that does not read may leave unread before complaints are dropped. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type EndSignal = keyof typeof CODES;

/** Runs every connection to a socket as a session of its own, until the process is told to end or its stdin ends; resolves to the exit code. */
export async function listen(path: string, run: RunAgent): Promise<number> {
  const sessions = new Map<string, SharedSession>();
  const tell = (line: SupervisedLine) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  // Nobody reads any more: the end of stdin says what that means.
  process.stdout.on("error", () => {});
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void serveConnection(socket, run, {
      begun(session) {
        const { name } = session;
        if (sessions.has(name)) throw new Error(`name_in_use: there is a session ${name} already`);
        sessions.set(name, session);
      },
      complained(name, text) {
        if (process.stdout.writableLength < MAX_UNREAD_BYTES) tell({ type: "session_stderr", name, text });
      },
      ended(name, code) {
        sessions.delete(name);
        tell({ type: "session_ended", name, code });
      },
    });
  });
  try {
    await opened(server, path);
  } catch (error) {
    process.stderr.write(`agentwire-agent: --listen ${path}: ${errorMessage(error)}\n`);
    return 1;
  }
  tell({ type: "listening", path });
  const stopLoad = tellLoad(() => sessions.size, tell);
  const signal = await toldToEnd((name, wanted) => sessions.get(name)?.signal(wanted));
  stopLoad();
  server.close();
  const all = [...sessions.values()];
  for (const session of all) session.signal(signal);
  await within(GRACE_MS, async () => {
    await Promise.all(all.map(({ ended }) => ended));
  });
  return signal === "SIGTERM" ? 0 : CODES[signal];
}

/** The socket is this user's alone from the moment it is there. */
async function opened(server: Server, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(before);
  }
}

/** Resolves when the process has to end: by a signal, or because nobody watches it any more. */
function toldToEnd(pass: (name: string, signal: NodeJS.Signals) => void): Promise<EndSignal> {
  return new Promise((resolve) => {
    for (const signal of Object.keys(CODES) as EndSignal[]) process.on(signal, () => resolve(signal));
    const lines = createInterface({ input: process.stdin });
    lines.on("close", () => resolve("SIGTERM"));
    lines.on("line", (line) => {
      const told = jsonIn(line);
      if (!isJsonObject(told) || told.type !== "signal" || typeof told.name !== "string") return;
      const signal = Object.keys(CODES).find((one) => one === told.signal);
      if (signal !== undefined) pass(told.name, signal as EndSignal);
    });
  });
}

function tellLoad(sessions: () => number, tell: (line: SupervisedLine) => void): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const timer = setInterval(() => {
    const worst = Math.max(0, Math.round(delay.max / 1e6) - 20);
    delay.reset();
    const rss_bytes = process.memoryUsage.rss();
    tell({ type: "load", sessions: sessions(), rss_bytes, loop_delay_ms: worst });
  }, LOAD_MS);
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
