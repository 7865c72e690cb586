import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { startProcess } from "../process/process.ts";
import type { SpawnedProcess, SpawnOptions } from "../sdk/process.ts";
import { PooledSession } from "./pooled-session.ts";
import { type ProcessLoad, SharedProcess, type SharedStart } from "./shared-process.ts";

/** What a pool of agents is made of. */
export interface PoolSettings {
  /** The command line that runs our own agent, before any option. */
  readonly command: SharedStart["command"];
  /** How many sessions one process has at most. */
  readonly sessionsPerProcess: () => number;
  /** A private folder for the sockets; one in the temporary folder unless given, or where its path is too long for a socket. */
  readonly folder?: string;
  /** Told the number of the process group of each process as soon as it runs; the returned function is called when it has gone. */
  readonly onGroup?: (group: number) => () => void;
}

/** How a session of a pool is to run. */
export interface PoolPlacement {
  /** In a process of its own. */
  readonly isAlone?: boolean;
}

/** A process with so many sessions gets company, while there are cores for it. */
const SPREAD_FROM = 8;
/** A process that has become this large, or this old, takes no new sessions. */
const LARGE_BYTES = 1024 ** 3;
const OLD_MS = 24 * 3600 * 1000;
/** How long a process without sessions is kept, and how soon one that takes no more is looked at again. */
const IDLE_MS = 5 * 60_000;
const RETIRED_MS = 5000;
/** The longest path that every system takes for a socket, less the name of the file. */
const MAX_FOLDER_BYTES = 85;
/** How often a session is tried again if a process goes while it is claimed. */
const MAX_TRIES = 3;

/** Sessions in a few shared processes, evenly spread; to their hosts each is a process of its own. */
export class AgentPool {
  readonly #settings: PoolSettings;
  readonly #processes = new Map<SharedProcess, { readonly kind: string; timer?: NodeJS.Timeout }>();
  #folder: string | undefined;
  #count = 0;
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** How each of its processes is. */
  get load(): readonly ProcessLoad[] {
    return [...this.#processes.keys()].map(({ load }) => load);
  }

  /** Starts a session, as `spawn` starts a program: the arguments are those of the agent's command line. */
  spawn(options: SpawnOptions, { isAlone = false }: PoolPlacement = {}): SpawnedProcess {
    const session = new PooledSession();
    const wanted = { ...options, args: options.args.slice(this.#settings.command.length - 1) };
    if (isAlone) this.#runAlone(session, wanted);
    else
      this.#place(session, wanted).catch((error: Error) => {
        session.complain(`${error.message}\n`);
        session.exit(1, null);
      });
    return session;
  }

  /** Ends all processes, with their sessions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#processes.keys()].map((process) => process.end()));
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #place(session: PooledSession, options: SpawnOptions): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !session.isOver; tries++) {
      const process = this.#processFor(options.env);
      const claimed = await process.claim(session, options);
      this.#settle(process);
      if (claimed === "taken") return;
      if (claimed === "gone") {
        // Before the system has told of its end.
        process.isRetired = true;
        continue;
      }
      const { refusal } = claimed;
      if (refusal.startsWith("needs_own_process")) return this.#runAlone(session, options);
      session.complain(`agentwire-agent: ${refusal}\n`);
      session.exit(1, null);
    }
    if (!session.isOver) throw new Error("agentwire-agent: its process ended before the session began");
  }

  /** The process with the fewest sessions among those that take any. */
  #processFor(env: SpawnOptions["env"]): SharedProcess {
    if (this.#isClosed) throw new Error("the pool of agents is closed");
    const most = this.#settings.sessionsPerProcess();
    const started = processEnvironment(env);
    const kind = JSON.stringify(started);
    const open = [...this.#processes]
      .filter(([one, { kind: own }]) => own === kind && isOpen(one) && one.size < most)
      .map(([one]) => one);
    const [first, ...others] = open.filter(({ isListening }) => isListening);
    const least = first && others.reduce((best, one) => (one.size < best.size ? one : best), first);
    if (!least) return open[0] ?? this.#start(kind, started);
    // All that run have enough to do: the next one will be ready for those that come later.
    const isSpread = open.length >= availableParallelism() || open.some(({ isListening }) => !isListening);
    if (least.size >= SPREAD_FROM && !isSpread) this.#start(kind, started);
    return least;
  }

  #start(kind: string, env: SharedStart["env"]): SharedProcess {
    this.#folder ??= socketFolder(this.#settings.folder);
    const path = join(this.#folder, `${++this.#count}.sock`);
    const { command, onGroup } = this.#settings;
    let forget = () => {};
    const process = new SharedProcess({
      command,
      env,
      path,
      onGroup: (group) => {
        forget = onGroup?.(group) ?? forget;
      },
    });
    const entry: { readonly kind: string; timer?: NodeJS.Timeout } = { kind };
    this.#processes.set(process, entry);
    void process.gone.then(() => {
      clearTimeout(entry.timer);
      this.#processes.delete(process);
      forget();
    });
    return process;
  }

  /** A process that is too large or too old goes with its last session, one without sessions after a while. */
  #settle(process: SharedProcess): void {
    const entry = this.#processes.get(process);
    if (!entry) return;
    clearTimeout(entry.timer);
    const { rssBytes } = process.load;
    if (rssBytes > LARGE_BYTES || performance.now() - process.startedAt > OLD_MS) process.isRetired = true;
    const look = () => {
      if (process.size === 0) void process.end();
      else this.#settle(process);
    };
    entry.timer = setTimeout(look, process.isRetired ? RETIRED_MS : IDLE_MS).unref();
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
    const { stdin: input, stdout } = process;
    const output = copied(stdout);
    const kill = (signal: NodeJS.Signals) => (signal === "SIGKILL" ? process.kill() : process.terminate());
    session.carry({ input, output, kill });
    void process.exited.then(({ code, signal, failure }) => {
      if (failure) session.complain(`${failure.message}\n`);
      session.exit(code ?? (signal ? null : 1), signal);
      forget();
    });
  }
}

/** The same output in chunks that stay: those of a process hold only until their listener returns. */
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

/** What Node itself reads when it starts, and the way to the shell. Nothing else of a session's environment belongs to a process of many. */
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
