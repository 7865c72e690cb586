import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { jsonLog, type Log } from "@agentwire/protocol";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Agents } from "./agents.ts";
import type { DaemonConfig } from "./config.ts";
import { DaemonError } from "./errors.ts";
import { Health } from "./health/health.ts";
import { type Handler, type Listener, listen } from "./http/front.ts";
import { guarded, loopbackHosts } from "./http/guard.ts";
import { tokenOf } from "./http/token.ts";
import { withMetrics } from "./metrics/endpoint.ts";
import { Metrics } from "./metrics/metrics.ts";
import { RuleBook } from "./permission/rule-book.ts";
import { type Reload, reload } from "./reload.ts";
import { contextValues } from "./rpc/cut-off.ts";
import { observed } from "./rpc/observed.ts";
import { failures, routes } from "./rpc/routes.ts";
import { withWatchStream } from "./rpc/watch-stream.ts";
import { Registry } from "./session/registry.ts";
import { Runner } from "./session/runner.ts";
import { Slots } from "./session/slots.ts";
import type { Database } from "./store/database.ts";
import { type EventLog, eventLog } from "./store/event-log.ts";
import { Housekeeping } from "./store/housekeeping.ts";
import { lockStore } from "./store/lock.ts";
import { type RawLog, rawLog } from "./store/raw-lines.ts";
import { Retention, type RetentionLimits } from "./store/retention.ts";
import { openStore, type Store } from "./store/store.ts";
import type { Writer } from "./store/writer.ts";
import { findTracing, type Tracing } from "./tracing/tracing.ts";
import { Budgets } from "./usage/budgets.ts";

/** A running daemon: many sessions for many clients. */
export class Daemon {
  #config: DaemonConfig;
  readonly health = new Health();
  readonly metrics = new Metrics();
  readonly writer: Writer;
  readonly db: Database;
  readonly log: EventLog;
  readonly rawLog: RawLog;
  readonly slots: Slots;
  readonly rules: RuleBook;
  readonly budgets: Budgets;
  readonly agents: Agents;
  readonly registry: Registry;

  constructor(config: DaemonConfig, { writer, db }: Store, log: Log, tracing: Tracing) {
    this.#config = config;
    this.writer = writer;
    this.db = db;
    this.log = eventLog(db);
    this.rawLog = rawLog(db);
    this.slots = new Slots(config.maxProcesses);
    this.rules = new RuleBook(db, writer, config.managedRules);
    this.budgets = new Budgets(db, writer, () => this.#config.budgets);
    this.agents = new Agents({
      ...config,
      silenceMs: () => this.#config.silenceMs,
      log,
      onChange: () => this.#judgeAgents(),
    });
    const runner = new Runner({
      slots: this.slots,
      metrics: this.metrics,
      maxPayloadBytes: config.maxPayloadBytes,
      spareProcesses: () => this.#config.spareProcesses,
      launch: (record, permissions) => this.agents.launch(record, permissions),
    });
    this.registry = new Registry({
      db,
      writer,
      log: this.log,
      rawLog: this.rawLog,
      limits: this.#live(({ queueBytes, stallMs }) => ({ queueBytes, stallMs })),
      rules: this.rules,
      budgets: this.budgets,
      metrics: this.metrics,
      tracing,
      runner,
      timeouts: this.#live(({ timeouts }) => timeouts),
      idleMs: () => this.#config.idleMs,
      home: config.home,
      maxPayloadBytes: config.maxPayloadBytes,
    });
    this.health.storeChanged(writer.failure);
    writer.onCommit = (ms) => this.metrics.commits.observe(ms / 1000);
    writer.onHealth = (error) => this.health.storeChanged(error);
  }

  get config(): DaemonConfig {
    return this.#config;
  }

  /** What is kept for how long. */
  get retention(): RetentionLimits {
    return this.#live(({ retention }) => retention);
  }

  /** Takes over what can be changed while it runs. */
  reload(wanted: DaemonConfig): Reload {
    const news = reload(this.#config, wanted);
    this.#config = news.config;
    this.slots.resize(news.config.maxProcesses);
    this.registry.afford();
    return news;
  }

  /** A part of the configuration that is looked up at each use. */
  #live<T extends object>(pick: (config: DaemonConfig) => T): T {
    return new Proxy(pick(this.#config), {
      get: (_, key) => Reflect.get(pick(this.#config), key),
    });
  }

  /** Throws while nothing could be stored: what is acknowledged is never lost. */
  mustBeStorable(): void {
    const { store } = this.health;
    if (store) throw new DaemonError("STORE_UNAVAILABLE", store.message, { cause: store });
  }

  #judgeAgents(): void {
    this.health.degraded(this.agents.health.some(({ level }) => level === "DEGRADED"));
  }

  countSessions(): number {
    const row = this.db.statement("SELECT count(*) AS n FROM sessions WHERE deleted_ms IS NULL").get();
    return (row as { readonly n: number }).n;
  }
}

/** A daemon that listens, and how to end it. */
export interface RunningDaemon {
  readonly daemon: Daemon;
  /** Where clients find it: the socket first. */
  readonly addresses: readonly string[];
  /** What clients of the port have to send. */
  readonly token: string;
  /** What people should know of the agent that sessions run with, in the layout of seed 003; mostly nothing. */
  readonly notice: string;
  /** Takes no more, lets running turns end for so long, ends the agents, writes what is left, and is gone; a signal hurries it. */
  stop(drainMs?: number, hurry?: AbortSignal): Promise<void>;
}

/** How often old things are cleared away. */
const HOUSEKEEPING_MS = 3_600_000;

/**
 * Starts a daemon; the order here is the order of ending, backwards. Rejects with an error that says what to do: `AgentUnusable`,
 * `StoreError`, or what the system says of the socket.
 */
export async function startDaemon(
  config: DaemonConfig,
  log: Log = jsonLog((line) => void process.stderr.write(line), "info"),
): Promise<RunningDaemon> {
  const path = join(config.folder, "agentwire.db");
  mkdirSync(config.folder, { recursive: true, mode: 0o700 });
  const unlock = lockStore(path);
  const store = await openStore(path, log).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const daemon = new Daemon(config, store, log, await findTracing());
  const retention = new Retention({ ...daemon, limits: daemon.retention });
  const housekeeping = new Housekeeping(retention, log, HOUSEKEEPING_MS);
  const listeners: Listener[] = [];
  const stop = async (drainMs = 0, hurry?: AbortSignal) => {
    daemon.health.stopping();
    if (drainMs > 0) await daemon.registry.drain(drainMs, hurry);
    await daemon.registry.close("the daemon is stopping");
    await Promise.all(listeners.map((listener) => listener.close()));
    await housekeeping.stop();
    await store.close();
    unlock();
  };
  try {
    const { notice } = await daemon.agents.mustBeUsable();
    // What can't be stored is not begun.
    if (!store.writer.failure) await daemon.registry.start();
    const token = tokenOf(config.folder);
    for await (const listener of listenAt(config, handlerOf(daemon, log), token)) listeners.push(listener);
    const addresses = listeners.map(({ address }) => address);
    log.info("the daemon listens", { addresses });
    return { daemon, addresses, token, notice, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function handlerOf(daemon: Daemon, log: Log): Handler {
  const general = connectNodeAdapter({
    routes: routes(daemon),
    interceptors: [
      observed(daemon.metrics, log),
      failures((error, request_id) => log.error("a request failed", { error, request_id })),
    ],
    // Compressing what never leaves the machine costs more than it saves.
    acceptCompression: [],
    readMaxBytes: daemon.config.maxPayloadBytes,
    contextValues,
  }) as Handler;
  return withMetrics(daemon, withWatchStream(daemon.registry, daemon.metrics, general));
}

/** The socket first; the port only where one is wanted, and for whoever has the token. */
async function* listenAt(config: DaemonConfig, handler: Handler, token: string): AsyncGenerator<Listener> {
  yield await listen({ path: config.socketPath }, handler);
  if (config.port === undefined) return;
  const place = { host: "127.0.0.1", port: config.port };
  yield await listen(
    place,
    guarded(handler, (port) => ({ token, hosts: loopbackHosts(port) })),
  );
}
