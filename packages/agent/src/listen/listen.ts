import { lstat, stat } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { dirname } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { isJsonObject } from "@agentwire/protocol";
import { errorMessage, parseJson, type SupervisedLine, within } from "@agentwire/protocol/support";
import { endSharedConnections } from "../mcp/transport/sharing.ts";
import type { RunAgent } from "../serve/surroundings.ts";
import { type SharedSession, serveConnection } from "./shared-session.ts";

/** How often the load is reported. */
const LOAD_MS = 1000;
/** How long the sessions may take to end; after that, the guard kills the processes they have left. */
const GRACE_MS = 10_000;
/** How much output the supervisor may leave unread before complaints are dropped. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type EndSignal = keyof typeof CODES;

/** Runs a separate session for each connection to a socket, until a signal or the end of stdin; resolves to the exit code. */
export async function listen(path: string, run: RunAgent): Promise<number> {
  const sessions = new Map<string, SharedSession>();
  const tell = (line: SupervisedLine) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  // If the supervisor stops reading, the end of stdin decides what happens.
  process.stdout.on("error", () => {});
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void serveConnection(socket, run, {
      begun(session) {
        const { name } = session;
        if (sessions.has(name)) throw new Error(`name_in_use: a session named ${name} already exists`);
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
    await checkPath(path);
    await opened(server, path);
  } catch (error) {
    process.stderr.write(`agentwire-agent: --listen ${path}: ${errorMessage(error)}\n`);
    return 1;
  }
  tell({ type: "listening", path });
  const stopLoad = reportLoad(sessions, tell);
  const signal = await endRequested((name, wanted) => sessions.get(name)?.signal(wanted));
  stopLoad();
  server.close();
  const all = [...sessions.values()];
  for (const session of all) session.signal(signal);
  await within(GRACE_MS, async () => {
    await Promise.all(all.map(({ ended }) => ended));
    await endSharedConnections();
  });
  return signal === "SIGTERM" ? 0 : CODES[signal];
}

/** Creates the socket so that only this user ever has access to it. */
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

/** The longest socket path that all systems support; longer ones would be truncated silently. */
const MAX_PATH_BYTES = 103;

const WRITABLE_BY_ALL = 0o002;
/** In a folder with this bit, such as /tmp, users may remove only their own files. */
const STICKY = 0o1000;

/** Checks the path first, because the system's errors mislead: it reports "permission denied" for a missing folder. */
async function checkPath(path: string): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (!found)
    throw new Error(
      `the folder ${folder} does not exist; create it so that only you can access it: mkdir -m 700 ${folder}`,
    );
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  if ((found.mode & WRITABLE_BY_ALL) !== 0 && (found.mode & STICKY) === 0)
    throw new Error(
      `everyone can write to ${folder} and could replace the socket; use a folder that only you can access: mkdir -m 700 FOLDER`,
    );
  const length = Buffer.byteLength(path);
  if (length > MAX_PATH_BYTES)
    throw new Error(
      `the path is ${length} bytes long; the limit is ${MAX_PATH_BYTES}; choose a shorter path`,
    );
  if (await lstat(path).catch(() => undefined))
    throw new Error(
      "the file already exists: either another process is listening there, or a killed process left it behind; remove it or choose another path",
    );
}

/** Resolves when the process has to end: on a signal, or because its supervisor is gone. */
function endRequested(pass: (name: string, signal: NodeJS.Signals) => void): Promise<EndSignal> {
  return new Promise((resolve) => {
    for (const signal of Object.keys(CODES) as EndSignal[]) process.on(signal, () => resolve(signal));
    const lines = createInterface({ input: process.stdin });
    lines.on("close", () => resolve("SIGTERM"));
    lines.on("line", (line) => {
      const message = parseJson(line);
      if (!isJsonObject(message) || message.type !== "signal" || typeof message.name !== "string") return;
      const signal = Object.keys(CODES).find((one) => one === message.signal);
      if (signal !== undefined) pass(message.name, signal as EndSignal);
    });
  });
}

/** Reports the load of the process, and ends sessions that have become too large. */
function reportLoad(
  sessions: ReadonlyMap<string, SharedSession>,
  tell: (line: SupervisedLine) => void,
): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const timer = setInterval(() => {
    const worst = Math.max(0, Math.round(delay.max / 1e6) - 20);
    delay.reset();
    const rss_bytes = process.memoryUsage.rss();
    let largest_session_bytes = 0;
    for (const session of sessions.values()) {
      largest_session_bytes = Math.max(largest_session_bytes, session.heldBytes());
      session.checkHeld();
    }
    tell({ type: "load", sessions: sessions.size, rss_bytes, loop_delay_ms: worst, largest_session_bytes });
  }, LOAD_MS);
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}
