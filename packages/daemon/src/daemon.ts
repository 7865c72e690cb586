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
import { RuleBook } from "./permission/rule-book.ts";
import { failures, routes } from "./rpc/routes.ts";
import { withWatchStream } from "./rpc/watch-stream.ts";
import { Registry } from "./session/registry.ts";
import { Slots } from "./session/slots.ts";
import { type Database, openForReading } from "./store/database.ts";
import { type EventLog, eventLog } from "./store/event-log.ts";
import { lockStore } from "./store/lock.ts";
import { type RawLog, rawLog } from "./store/raw-lines.ts";
import { Writer } from "./store/writer.ts";

/** A running daemon: many sessions for many clients. */
export class Daemon {
  readonly config: DaemonConfig;
  readonly health = new Health();
  readonly writer: Writer;
  readonly db: Database;
  readonly log: EventLog;
  readonly rawLog: RawLog;
  readonly slots: Slots;
  readonly rules: RuleBook;
  readonly agents: Agents;
  readonly registry: Registry;

  constructor(config: DaemonConfig, writer: Writer, db: Database, log: Log) {
    this.config = config;
    this.writer = writer;
    this.db = db;
    this.log = eventLog(db);
    this.rawLog = rawLog(db);
    this.slots = new Slots(config.maxProcesses);
    this.rules = new RuleBook(db, writer, config.managedRules);
    this.agents = new Agents({ ...config, log, onChange: () => this.#judgeAgents() });
    this.registry = new Registry({
      db,
      writer,
      log: this.log,
      rawLog: this.rawLog,
      limits: { queueBytes: config.queueBytes, stallMs: config.stallMs },
      rules: this.rules,
      slots: this.slots,
      timeouts: config.timeouts,
      idleMs: config.idleMs,
      home: config.home,
      maxPayloadBytes: config.maxPayloadBytes,
      launch: (record, permissions) => this.agents.launch(record, permissions),
    });
    writer.onHealth = (error) => this.health.storeChanged(error);
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
  /** Takes no more, ends the agents, writes what is left, and is gone. */
  stop(): Promise<void>;
}

/** Starts a daemon; the order here is the order of ending, backwards. Rejects with an error that says what to do. */
export async function startDaemon(
  config: DaemonConfig,
  log: Log = jsonLog((line) => void process.stderr.write(line), "info"),
): Promise<RunningDaemon> {
  const path = join(config.folder, "agentwire.db");
  const writer = await Writer.open(path);
  const unlock = lockStore(path);
  const db = openForReading(path);
  const daemon = new Daemon(config, writer, db, log);
  const { notice } = await daemon.agents.mustBeUsable();
  await daemon.registry.start();
  const token = tokenOf(config.folder);
  const general = connectNodeAdapter({
    routes: routes(daemon),
    interceptors: [failures((error) => log.error("a request failed", { error }))],
    // Compressing what never leaves the machine costs more than it saves.
    acceptCompression: [],
    readMaxBytes: config.maxPayloadBytes,
  }) as Handler;
  const handler = withWatchStream(daemon.registry, general);
  const listeners: Listener[] = [await listen({ path: config.socketPath }, handler)];
  if (config.port !== undefined) {
    const place = { host: "127.0.0.1", port: config.port };
    listeners.push(
      await listen(
        place,
        guarded(handler, (port) => ({ token, hosts: loopbackHosts(port) })),
      ),
    );
  }
  const addresses = listeners.map(({ address }) => address);
  log.info("the daemon listens", { addresses });
  return {
    daemon,
    addresses,
    token,
    notice,
    async stop() {
      daemon.health.stopping();
      await daemon.registry.close("the daemon is stopping");
      await Promise.all(listeners.map((listener) => listener.close()));
      await writer.close();
      db.close();
      unlock();
    },
  };
}
