import { lstat, stat } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { dirname } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { isJsonObject } from "@agentwire/protocol";
import { errorMessage, type SupervisedLine, within } from "@agentwire/protocol/support";
import { endSharedConnections } from "../mcp/transport/sharing.ts";
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
    await checkPath(path);
    await opened(server, path);
  } catch (error) {
    process.stderr.write(`agentwire-agent: --listen ${path}: ${errorMessage(error)}\n`);
    return 1;
  }
  tell({ type: "listening", path });
  const stopLoad = tellLoad(sessions, tell);
  const signal = await toldToEnd((name, wanted) => sessions.get(name)?.signal(wanted));
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

/** The longest path that every system takes for a socket; a longer one would be cut without a word. */
const MAX_PATH_BYTES = 103;

const WRITABLE_BY_ALL = 0o002;
/** In a folder with this bit, as /tmp, people may remove only what is theirs. */
const STICKY = 0o1000;

/** Refuses a path in other words than the system's, which says "permission denied" of a folder that is missing. */
async function checkPath(path: string): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (!found)
    throw new Error(`there is no folder ${folder}; make it first, for you alone: mkdir -m 700 ${folder}`);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  if ((found.mode & WRITABLE_BY_ALL) !== 0 && (found.mode & STICKY) === 0)
    throw new Error(
      `everyone may write to ${folder}, and so could put another socket in the place of this one; choose a folder of your own: mkdir -m 700 FOLDER`,
    );
  const length = Buffer.byteLength(path);
  if (length > MAX_PATH_BYTES)
    throw new Error(`the path has ${length} bytes, and may have ${MAX_PATH_BYTES}; choose a shorter one`);
  if (await lstat(path).catch(() => undefined))
    throw new Error(
      "there is a file already: another process listens there, or one that was killed has left it; remove it or choose another path",
    );
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

/** Says how the process is, and ends sessions that have become too large. */
function tellLoad(
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

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
