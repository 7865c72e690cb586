import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { QuestionService, SessionService, SessionStatus } from "@agentwire/api";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { bundled } from "../../../../test/bundled.ts";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import type { AgentConfig } from "../../src/agents.ts";
import type { DaemonConfig } from "../../src/config.ts";

const DAEMON = fileURLToPath(new URL("./daemon-process.mjs", import.meta.url));

export const TINY_AGENT: AgentConfig = {
  name: "tiny",
  path: fileURLToPath(new URL("./tiny-agent.mjs", import.meta.url)),
};

/** Longer than any call may take, even while daemons are killed. */
const CALL_MS = 120_000;

/** A daemon in its own process, which can be killed and restarted on the same folder. */
export class Lab {
  readonly folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-chaos-"));
  readonly socketPath = join(this.folder, "daemon.sock");
  readonly sessions = createClient(SessionService, this.#transport());
  readonly questions = createClient(QuestionService, this.#transport());
  readonly #changes: Partial<DaemonConfig>;
  readonly #env: NodeJS.ProcessEnv;
  /** Where its agents store their conversations. */
  readonly #home: string;
  #daemon: ChildProcess | undefined;
  #up: Promise<void> = Promise.resolve();
  /** Its exit code if it exited by itself. */
  #died: number | undefined;

  /** Daemons with the same `home` have agents that can read each other's conversations. */
  constructor(changes: Partial<DaemonConfig>, home?: string, env: NodeJS.ProcessEnv = {}) {
    this.#changes = changes;
    this.#env = env;
    this.#home = home ?? this.folder;
  }

  /** The daemon's process id. */
  get pid(): number | undefined {
    return this.#daemon?.pid;
  }

  /** Resolves when the most recently started daemon is listening. */
  get up(): Promise<void> {
    return this.#up;
  }

  async start(): Promise<void> {
    const args = [
      await bundled(DAEMON),
      this.folder,
      JSON.stringify({ trustedFolders: [this.folder], ...this.#changes }),
    ];
    const env = { PATH: process.env.PATH, HOME: this.folder, TINY_HOME: this.#home, ...this.#env };
    const daemon = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"], env });
    this.#daemon = daemon;
    const gone = once(daemon, "exit").then(() => Promise.reject(new Error("the daemon did not start")));
    this.#up = Promise.race([once(daemon.stdout as NodeJS.ReadableStream, "data").then(() => {}), gone]);
    gone.catch(() => {});
    await this.#up;
  }

  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const daemon = this.#daemon;
    if (!daemon) return null;
    if (daemon.exitCode !== null || daemon.signalCode !== null) this.#died ??= daemon.exitCode ?? 1;
    else {
      const exited = once(daemon, "exit");
      daemon.kill(signal);
      await exited;
    }
    return this.#died ?? daemon.exitCode;
  }

  /** A client process and the lines it has printed. */
  client(sessionId: string, name: string): { readonly process: ChildProcess; readonly lines: string[] } {
    const args = [
      fileURLToPath(new URL("./client-process.mjs", import.meta.url)),
      this.socketPath,
      sessionId,
      name,
    ];
    const client = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
    let text = "";
    const lines: string[] = [];
    client.stdout.on("data", (chunk: Buffer) => {
      const parts = (text + chunk).split("\n");
      text = parts.pop() ?? "";
      lines.push(...parts);
    });
    return { process: client, lines };
  }

  /** The running agents: every process of this folder except the daemon itself. */
  agents(): readonly number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== this.#daemon?.pid)
      .filter((pid) => isAgent(pid, this.#home))
      .map(Number);
  }

  /** The processes that end the daemon's agents when it is killed. */
  guards(): readonly number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === this.#daemon?.pid)
      .map(Number)
      .filter((pid) => !this.agents().includes(pid));
  }

  /** Waits until no agent is left, for as long as the guard of a killed daemon may take. */
  async noAgents(): Promise<readonly number[]> {
    for (let i = 0; i < 100 && this.agents().length > 0; i++) await delay(100);
    return this.agents();
  }

  /** Waits until a session has answered everything, so that all its events are stored. `onFailed`: it needs another prompt. */
  async idle(sessionId: string, onFailed: () => Promise<void> = async () => {}): Promise<void> {
    let last = "";
    for (let i = 0; i < 2400; i++) {
      const { session } = await this.sessions.getSession({ sessionId });
      if (session?.status === SessionStatus.IDLE && session.queuedPrompts === 0) return;
      if (session?.status === SessionStatus.FAILED) await onFailed();
      last = `${session && SessionStatus[session.status]}, ${session?.queuedPrompts} prompts queued`;
      await delay(50);
    }
    throw new Error(`the session does not come to rest: ${last}`);
  }

  async end(): Promise<void> {
    await this.kill("SIGKILL");
    await this.noAgents();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #transport() {
    const nodeOptions = { socketPath: this.socketPath };
    const interceptors = [limited];
    return createConnectTransport({
      baseUrl: "http://localhost",
      httpVersion: "1.1",
      nodeOptions,
      interceptors,
    });
  }
}

/** Makes a call that never ends fail with its name. */
const limited: Interceptor = (next) => async (request) => {
  if (request.stream) return next(request);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const text = `${request.method.name} was not answered within ${CALL_MS / 1000} s`;
      reject(new ConnectError(text, Code.DeadlineExceeded));
    }, CALL_MS);
  });
  try {
    return await Promise.race([next(request), late]);
  } finally {
    clearTimeout(timer);
  }
};

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

/** A zombie counts as dead; the guard of a daemon is a shell, not an agent. */
function isAgent(pid: string, folder: string): boolean {
  try {
    const [, name, state = "Z"] = /^\d+ \((.*)\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return (
      !"ZX".includes(state) &&
      name !== "sh" &&
      name !== "sleep" &&
      readFileSync(`/proc/${pid}/environ`, "utf8").includes(`TINY_HOME=${folder}\0`)
    );
  } catch {
    return false;
  }
}

/** Reproducible random numbers: a failure reports its seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
