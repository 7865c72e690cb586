import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { HostError } from "../errors.ts";
import { type AgentProcess, startProcess } from "../process/process.ts";
import { stopProcess } from "../process/stop.ts";
import type { SpawnedProcess, SpawnOptions } from "../sdk/process.ts";
import { PooledSession } from "./pooled-session.ts";
import { END_MS, type ProcessLoad, SharedProcess, type SharedStart } from "./shared-process.ts";

/** What a pool of agents needs to run. */
export interface PoolSettings {
  /** The command line that runs our own agent, before any option. */
  readonly command: SharedStart["command"];
  /** How many sessions one process runs at most. */
  readonly sessionsPerProcess: () => number;
  /** A private folder for the sockets; one in the temporary folder by default, or if its path is too long for a socket. */
  readonly folder?: string;
  /** Called with the process group of each process as soon as it runs; the returned function is called when the process has gone. */
  readonly onGroup?: (group: number) => () => void;
  /** When a shared process is replaced or ended, if not by default. */
  readonly limits?: Partial<ProcessLimits>;
}

/** When a shared process is replaced or ended. */
export interface ProcessLimits {
  /** A process that is larger or older than this takes no new sessions. */
  readonly largeBytes: number;
  readonly oldMs: number;
  /** How long a process without sessions is kept, and how soon one that takes no new sessions is checked again. */
  readonly idleMs: number;
  readonly retiredMs: number;
  /** A process that has sent nothing for this long is killed. */
  readonly stuckMs: number;
}

const LIMITS: ProcessLimits = {
  largeBytes: 1024 ** 3,
  oldMs: 24 * 3600 * 1000,
  idleMs: 5 * 60_000,
  retiredMs: 5000,
  stuckMs: 30_000,
};

/** How to run a session of a pool. */
export interface PoolPlacement {
  /** In a process that no other session shares. */
  readonly isAlone?: boolean;
}

/** From this number of sessions in the least busy process, another one is started, up to one per core. */
const SPREAD_FROM = 8;
/** The longest socket path that every system accepts, minus the file name. */
const MAX_FOLDER_BYTES = 85;
/** How often to try a session again if its process ends while the session is being claimed. */
const MAX_TRIES = 3;

/** Runs sessions in a few shared processes, spread evenly; each session looks like a process of its own to its host. */
export class AgentPool {
  readonly #settings: PoolSettings;
  readonly #limits: ProcessLimits;
  readonly #processes = new Map<SharedProcess, { readonly kind: string; timer?: NodeJS.Timeout }>();
  /** The processes of sessions that do not share one. */
  readonly #alone = new Set<AgentProcess>();
  #folder: string | undefined;
  #count = 0;
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#limits = { ...LIMITS, ...settings.limits };
  }

  /** The current load of each process. */
  get load(): readonly ProcessLoad[] {
    return [...this.#processes.keys()].map(({ load }) => load);
  }

  /** Starts a session in the way `spawn` starts a program: `args` are those of the agent's command line. */
  spawn(options: SpawnOptions, { isAlone = false }: PoolPlacement = {}): SpawnedProcess {
    const session = new PooledSession();
    const wanted = { ...options, args: options.args.slice(this.#settings.command.length - 1) };
    if (isAlone) this.#runAlone(session, wanted);
    else this.#place(session, wanted).catch((error: Error) => session.fail(error));
    return session;
  }

  /** Ends all processes, with their sessions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      ...[...this.#processes.keys()].map((process) => process.end()),
      ...[...this.#alone].map((process) => stopProcess(process, END_MS, 2000)),
    ]);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #place(session: PooledSession, options: SpawnOptions): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !session.isOver; tries++) {
      const process = this.#processFor(options.env);
      const claimed = await process.claim(session, options);
      this.#settle(process);
      if (claimed === "taken") return;
      if (claimed === "gone") {
        // The system has not reported its end yet.
        process.isRetired = true;
        continue;
      }
      const { refusal } = claimed;
      if (refusal.startsWith("needs_own_process")) return this.#runAlone(session, options);
      // The code that the system uses for a missing folder.
      if (refusal.startsWith("cwd_not_found"))
        return session.fail(Object.assign(new Error(refusal), { code: "ENOENT" }));
      session.complain(`agentwire-agent: ${refusal}\n`);
      session.exit(1, null);
    }
    if (session.isOver) return;
    throw new HostError("spawn_failed", "The shared process of the agent ended before the session began.");
  }

  /** The least busy of the processes that take new sessions. */
  #processFor(env: SpawnOptions["env"]): SharedProcess {
    if (this.#isClosed) throw new HostError("closed", "The pool of agents is closed.");
    this.#retireWorn();
    const max = this.#settings.sessionsPerProcess();
    const started = processEnvironment(env);
    const kind = JSON.stringify(started);
    const open = [...this.#processes]
      .filter(([one, { kind: own }]) => own === kind && isOpen(one) && one.size < max)
      .map(([one]) => one);
    const [first, ...others] = open.filter(({ isListening }) => isListening);
    const least = first && others.reduce((best, one) => (one.size < best.size ? one : best), first);
    if (!least) return open[0] ?? this.#start(kind, started);
    // All running processes are busy: another one will be ready for the sessions that come later.
    const isSpread = open.length >= availableParallelism() || open.some(({ isListening }) => !isListening);
    if (least.size >= SPREAD_FROM && !isSpread) this.#start(kind, started);
    return least;
  }

  #start(kind: string, env: SharedStart["env"]): SharedProcess {
    this.#folder ??= socketFolder(this.#settings.folder);
    const path = join(this.#folder, `${++this.#count}.sock`);
    const { command, onGroup } = this.#settings;
    const { stuckMs } = this.#limits;
    let forget = () => {};
    const process = new SharedProcess({
      command,
      env,
      path,
      stuckMs,
      onGroup: (group) => {
        forget = onGroup?.(group) ?? forget;
      },
    });
    const entry: { readonly kind: string; timer?: NodeJS.Timeout } = { kind };
    this.#processes.set(process, entry);
    // A process that never gets a session must not stay forever either.
    this.#settle(process);
    void process.gone.then(() => {
      clearTimeout(entry.timer);
      this.#processes.delete(process);
      // A killed process leaves its socket behind.
      rmSync(path, { force: true });
      forget();
    });
    return process;
  }

  /** Ends a retired process with its last session, and one without sessions after a while. */
  #settle(process: SharedProcess): void {
    const entry = this.#processes.get(process);
    if (!entry) return;
    clearTimeout(entry.timer);
    const { idleMs, retiredMs } = this.#limits;
    const check = () => {
      if (process.size === 0) void process.end();
      else this.#settle(process);
    };
    entry.timer = setTimeout(check, process.isRetired ? retiredMs : idleMs).unref();
  }

  /** Retires processes that have become too large or too old. */
  #retireWorn(): void {
    const { largeBytes, oldMs } = this.#limits;
    for (const process of this.#processes.keys()) {
      const isWorn = process.load.rssBytes > largeBytes || performance.now() - process.startedAt > oldMs;
      if (!isWorn || process.isRetired) continue;
      process.isRetired = true;
      this.#settle(process);
    }
  }

  #runAlone(session: PooledSession, { args, cwd, env }: SpawnOptions): void {
    const { command: own, onGroup } = this.#settings;
    const [command, ...prefix] = own;
    let forget = () => {};
    const process = startProcess({
      command,
      args: [...prefix, ...args],
      env,
      ...(cwd !== undefined && { cwd }),
      onStderr: (text) => session.complain(text),
      onGroup: (group) => {
        forget = onGroup?.(group) ?? forget;
      },
    });
    this.#alone.add(process);
    const { stdin: input, stdout } = process;
    const output = copied(stdout);
    const kill = (signal: NodeJS.Signals) => (signal === "SIGKILL" ? process.kill() : process.terminate());
    session.carry({ input, output, kill });
    void process.exited.then(({ code, signal, failure }) => {
      if (failure) session.fail(failure);
      else session.exit(code ?? (signal ? null : 1), signal);
      this.#alone.delete(process);
      forget();
    });
  }
}

/** Copies the output: a chunk of a process is valid only until its listener returns. */
function copied(stdout: Readable): Readable {
  const output = new PassThrough();
  stdout.on("data", (chunk: Buffer) => {
    if (!output.write(Buffer.from(chunk))) stdout.pause();
  });
  output.on("drain", () => stdout.resume());
  stdout.on("error", () => {}).on("close", () => output.end());
  stdout.resume();
  return output;
}

const isOpen = (process: SharedProcess) => !process.isRetired && !process.isGone;

/** What Node itself reads at startup, and PATH for the shell. A shared process gets nothing else from the environment of a session. */
function processEnvironment(env: SpawnOptions["env"]): SharedStart["env"] {
  const read = /^(?:NODE_|UV_|SSL_CERT_|OPENSSL_|LC_)|^(?:LANG|PATH|TZ)$/;
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => read.test(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function socketFolder(wanted: string | undefined): string {
  const isShort = wanted !== undefined && Buffer.byteLength(wanted) <= MAX_FOLDER_BYTES;
  return mkdtempSync(join(isShort ? wanted : tmpdir(), "agents-"));
}
