import { EventEmitter } from "node:events";
import { stat } from "node:fs/promises";
import type { Socket } from "node:net";
import { type AgentMessage, encodeLine } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { type Config, readConfig } from "../config/config.ts";
import { type Flags, parseFlags } from "../config/flags.ts";
import { deferred } from "../deferred.ts";
import { cloudIn } from "../model/clouds.ts";
import { sandboxSettings } from "../sandbox/sandbox-settings.ts";
import type { RunAgent, WatchedSession } from "../serve/surroundings.ts";
import { withSettingsEnv, withSettingsRead } from "../session/session-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { BadClaim, type ClaimLine, readClaim } from "./claim-line.ts";

/** One session of a process that runs many. */
export interface SharedSession {
  readonly name: string;
  /** Asks it to end, as a signal would do to a separate process. */
  signal(signal: NodeJS.Signals): void;
  /** Approximately how much memory it uses, including output that its host has not read. */
  heldBytes(): number;
  /** Ends the session if it uses more memory than allowed. */
  checkHeld(): void;
  /** Resolves when the session and everything it started have ended. */
  readonly ended: Promise<void>;
}

/** Receives the events of sessions, to report them to the supervisor. */
export interface SessionWatch {
  /** Throws if a session of this name is already running. */
  begun(session: SharedSession): void;
  complained(name: string, text: string): void;
  ended(name: string, code: number): void;
}

/** Turns a connection into a session: reads its claim, answers it, and runs an agent on the connection. Never rejects. */
export async function serveConnection(socket: Socket, run: RunAgent, watch: SessionWatch): Promise<void> {
  // The host may disconnect at any time; the agent handles the close event.
  socket.on("error", () => {});
  let requestId: string | undefined;
  try {
    const claimed = await readClaim(socket);
    requestId = claimed.requestId;
    const { flags, config } = await configOf(claimed.claim);
    await runSession(socket, claimed, { flags, config, run, watch });
  } catch (error) {
    const id = error instanceof BadClaim ? error.requestId : requestId;
    if (id !== undefined)
      socket.write(answer({ subtype: "error", request_id: id, error: errorMessage(error) }));
    leave(socket);
  }
}

/** How long a host may keep a connection open after its session has ended. */
const LEAVE_MS = 5000;

function leave(socket: Socket): void {
  socket.end();
  socket.resume();
  socket.setTimeout(LEAVE_MS, () => socket.destroy());
}

/** What a session needs to run. */
interface SessionRun {
  readonly flags: Flags;
  readonly config: Config;
  readonly run: RunAgent;
  readonly watch: SessionWatch;
}

async function runSession(
  socket: Socket,
  { requestId, claim }: ClaimLine,
  { flags, config, run, watch }: SessionRun,
): Promise<void> {
  const { name = requestId } = claim;
  const signals = new EventEmitter();
  const complain = (text: string) => watch.complained(name, text);
  const running = deferred<void>();
  let session: WatchedSession | undefined;
  const heldBytes = () => (session?.heldBytes() ?? 0) + socket.writableLength;
  watch.begun({
    name,
    signal: (signal) => void signals.emit(signal),
    heldBytes,
    checkHeld() {
      const held = heldBytes();
      if (held > config.sessionMemoryBytes) session?.end(tooLarge(held, config.sessionMemoryBytes));
    },
    ended: running.promise,
  });
  const { cwd } = config;
  socket.write(answer({ subtype: "success", request_id: requestId, response: { cwd } }));
  let code = 1;
  try {
    code = await run(flags, {
      configure: async () => config,
      input: socket,
      output: socket,
      complain,
      signals,
      onSession: (begun) => {
        session = begun;
      },
    });
  } catch (error) {
    // In a separate process, this error would have ended it with the same text.
    complain(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  watch.ended(name, code);
  running.resolve();
  leave(socket);
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

const tooLarge = (held: number, limit: number) =>
  `The session used about ${megabytes(held)} MB of memory; in a shared process, ${megabytes(limit)} MB are allowed, so it was ended. Other sessions are not affected. ` +
  "Read the agent's output, send less at once, or continue in a new session; to raise the limit, set AGENTWIRE_SESSION_MEMORY_MB in the session's environment (session_memory_mb in the daemon's settings).";

async function configOf({ cwd, env = {}, args = [] }: ClaimLine["claim"]) {
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) throw new Error(`cwd_not_found: the folder ${cwd} does not exist`);
  const flags = parseFlags(args);
  const wanted = { ...readConfig(flags, env, cwd), sharesProcess: true };
  if (!wanted.talks || wanted.database !== undefined || wanted.dialect === "acp" || wanted.awaitsClaim)
    throw needsOwn("only a session that speaks the wire protocol and is stored in files can share a process");
  const config = await withSettingsRead(wanted);
  const reason = reasonForOwn(config, config.settingsRead.settings);
  if (reason !== undefined) throw needsOwn(reason);
  return { flags, config };
}

const needsOwn = (reason: string) => new Error(`needs_own_process: ${reason}`);

/** Why the settings of a session prevent it from sharing a process; undefined if they don't. */
function reasonForOwn(config: Config, settings: Settings): string | undefined {
  if (sandboxSettings(settings, config.home).enabled)
    return "the sandbox for commands supports only one set of proxies per process";
  if (cloudIn(withSettingsEnv(config, settings).env))
    return "cloud clients read their credentials from the environment of the process";
  return undefined;
}

type Answer = (AgentMessage & { readonly type: "control_response" })["response"];

const answer = (response: Answer) => encodeLine({ type: "control_response", response });
