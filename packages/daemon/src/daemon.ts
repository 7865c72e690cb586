import { join } from "node:path";
import { jsonLog, type Log, type Redact, redactor, secretsIn } from "@agentwire/protocol/support";
import { Admission, admitOwner } from "./access/admission.ts";
import { secureFiles, secureFolder } from "./access/folder.ts";
import { type Identity, OWNER } from "./access/identity.ts";
import { LoginLog } from "./access/login-log.ts";
import { TokenBook } from "./access/token-book.ts";
import { Agents } from "./agents.ts";
import { boundary, type Report, reporter } from "./boundary.ts";
import type { DaemonConfig } from "./config.ts";
import { DaemonError } from "./errors.ts";
import { type InspectedFolder, inspectFolder, isTrustedBySettings } from "./folder-trust.ts";
import type { AgentHealth } from "./health/agent-health.ts";
import { Health } from "./health/health.ts";
import { followStore } from "./health/store-health.ts";
import { type Handler, type Listener, listen } from "./http/front.ts";
import { guardedSocket } from "./http/guard.ts";
import { knownAtSocket } from "./http/names.ts";
import { type OpenPort, openPort, portsOf } from "./http/ports.ts";
import { SignIn } from "./http/sign-in.ts";
import { tokenOf } from "./http/token.ts";
import { withMetrics } from "./metrics/endpoint.ts";
import { Metrics } from "./metrics/metrics.ts";
import { readManagedRules } from "./permission/managed-rules.ts";
import { RuleBook } from "./permission/rule-book.ts";
import { passedRules } from "./permission/rule-flags.ts";
import { redactingLog } from "./redacting-log.ts";
import { type Reload, reload } from "./reload.ts";
import { connectHandler } from "./rpc/adapter.ts";
import { deadlines } from "./rpc/deadline.ts";
import { observed } from "./rpc/observed.ts";
import { failures, routes } from "./rpc/routes.ts";
import { storeGuard } from "./rpc/store-guard.ts";
import { textLimits } from "./rpc/text-limits.ts";
import { ProcessRecords } from "./session/process-records.ts";
import type { SessionRecord } from "./session/record.ts";
import { Registry } from "./session/registry.ts";
import { Runner } from "./session/runner.ts";
import { Slots } from "./session/slots.ts";
import { SettingsError } from "./settings-error.ts";
import { type Audit, auditWith } from "./store/audit-log.ts";
import type { Database } from "./store/database.ts";
import { type EventLog, eventLog } from "./store/event-log.ts";
import { Housekeeping } from "./store/housekeeping.ts";
import { lockStore } from "./store/lock.ts";
import { type RawLog, rawLog } from "./store/raw-lines.ts";
import { Retention } from "./store/retention.ts";
import { openStore, type Store } from "./store/store.ts";
import type { Writer } from "./store/writer.ts";
import { findTracing, type Tracing } from "./tracing/tracing.ts";
import { Budgets } from "./usage/budgets.ts";

/** A running daemon: many sessions for many clients. */
export class Daemon {
  #config: DaemonConfig;
  readonly health = new Health();
  readonly metrics = new Metrics();
  /** Tells of failures of our own. */
  readonly report: Report;
  readonly writer: Writer;
  readonly db: Database;
  readonly log: EventLog;
  readonly rawLog: RawLog;
  readonly slots: Slots;
  readonly redact: Redact;
  readonly audit: Audit;
  readonly tokens: TokenBook;
  readonly rules: RuleBook;
  readonly budgets: Budgets;
  readonly agents: Agents;
  readonly processRecords: ProcessRecords;
  readonly runner: Runner;
  readonly registry: Registry;
  /** A link that signs one browser in to the console, made by one whom the audit log calls so; undefined while no port is open. */
  consoleLink: (caller: string, maker?: Identity) => string | undefined = () => undefined;

  constructor(config: DaemonConfig, { writer, db }: Store, log: Log, redact: Redact, tracing: Tracing) {
    this.#config = config;
    this.redact = redact;
    this.report = reporter(log, this.metrics);
    const guard = boundary((error) => this.report("daemon", error));
    this.audit = auditWith(redact, () => Date.now());
    this.tokens = new TokenBook(db, writer, this.audit, () => Date.now());
    this.writer = writer;
    this.db = db;
    this.log = eventLog(db);
    this.rawLog = rawLog(db);
    this.slots = new Slots(config.maxProcesses);
    this.rules = new RuleBook(db, writer, this.audit);
    this.budgets = new Budgets(db, writer, () => this.#config.budgets);
    const rulesOf = ({ id, cwd }: SessionRecord) => this.rules.covering(id, cwd);
    this.agents = new Agents({
      ...config,
      startMs: () => this.#config.startMs,
      silenceMs: () => this.#config.silenceMs,
      rulesOf,
      trustedFolders: () => this.#config.trustedFolders,
      log,
      guard,
      onChange: () => this.#judgeAgents(),
    });
    this.processRecords = new ProcessRecords(config.folder, log);
    this.runner = new Runner({
      slots: this.slots,
      metrics: this.metrics,
      guard,
      spareProcesses: () => this.#config.spareProcesses,
      rulesOf: (record) => passedRules(rulesOf(record)),
      launch: (record, deciders) => this.agents.launch(record, deciders),
      onGroup: (group) => this.processRecords.note(group),
    });
    this.registry = new Registry({
      daemonLog: log,
      db,
      writer,
      log: this.log,
      rawLog: this.rawLog,
      limits: () => this.#config,
      rules: this.rules,
      redact,
      audit: this.audit,
      budgets: this.budgets,
      metrics: this.metrics,
      report: this.report,
      tracing,
      runner: this.runner,
      timeouts: () => this.#config.timeouts,
      idleMs: () => this.#config.idleMs,
      handOverMs: config.handOverMs,
      home: config.home,
      maxPayloadBytes: config.maxPayloadBytes,
    });
    writer.onCommit = guard((ms) => this.metrics.commits.observe(ms / 1000));
    followStore(this.health, { writer, db });
  }

  get config(): DaemonConfig {
    return this.#config;
  }

  /** Takes over what can be changed while it runs. */
  reload(wanted: DaemonConfig): Reload {
    const managed = readManagedRules(this.#config.managedRulesPath);
    const news = reload(this.#config, wanted);
    this.rules.manage(managed);
    this.registry.reconsider().catch((error: unknown) => this.report("daemon", error));
    this.#config = news.config;
    this.slots.resize(news.config.maxProcesses);
    this.registry.afford();
    return news;
  }

  /** Whether a folder is trusted, and what its files would be allowed then. */
  async inspectFolder(cwd: string): Promise<InspectedFolder> {
    const found = await inspectFolder(cwd, this.#config.env);
    return isTrustedBySettings(cwd, this.#config.trustedFolders)
      ? { ...found, trusted: true, withheld: [] }
      : found;
  }

  /** Somebody trusts a folder: this is written down, and counts for sessions that are there as well. */
  async trustFolder(cwd: string, by: string): Promise<void> {
    const { trusted } = await this.inspectFolder(cwd);
    if (trusted) return;
    await this.writer.write([
      this.audit({ kind: "trust", actor: by, action: "given", subject: cwd, detail: "" }),
    ]);
    await inspectFolder(cwd, this.#config.env, { trust: true });
    await this.runner.forgetSpares();
    await this.registry.renew(cwd);
  }

  /** Throws while nothing could be stored: what is acknowledged is never lost. */
  mustBeStorable(): void {
    const { store } = this.health;
    if (store) throw new DaemonError("STORE_UNAVAILABLE", store.message, { cause: store });
  }

  #judgeAgents(): void {
    const [first, ...others] = this.agents.health;
    const isDegraded = (agent: AgentHealth | undefined) => agent?.level === "DEGRADED";
    this.health.degraded(isDegraded(first) || first?.isUsable === false || others.some(isDegraded));
  }
}

/** A daemon that listens, and how to end it. */
export interface RunningDaemon {
  readonly daemon: Daemon;
  /** Where clients find it: the socket first. */
  readonly addresses: readonly string[];
  /** What clients of the port have to send. */
  readonly token: string;
  /** What people should know of the agent that sessions run with, as a startup notice; mostly nothing. */
  readonly notice: string;
  /** Reads the certificates of its ports again, for connections from now on; what is wrong with one is logged, and it stays. */
  renew(): void;
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
  openLog: Log = jsonLog((line) => void process.stderr.write(line), "info"),
): Promise<RunningDaemon> {
  const ports = portsOf(config);
  const managed = readManagedRules(config.managedRulesPath);
  secureFolder(config.folder);
  secureFiles(config.folder, openLog);
  const token = tokenOf(config.folder);
  const redact = redactor([
    token,
    ...[config.env, ...config.agents.map(({ env }) => env ?? {})].flatMap(secretsIn),
  ]);
  const log = redactingLog(openLog, redact);
  const path = join(config.folder, "agentwire.db");
  const unlock = lockStore(path);
  const store = await openStore(path, log).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const daemon = new Daemon(config, store, log, redact, await findTracing());
  daemon.rules.manage(managed);
  const retention = new Retention({ ...daemon, limits: () => daemon.config.retention });
  const housekeeping = new Housekeeping(
    retention,
    log,
    boundary((error) => daemon.report("daemon", error)),
    HOUSEKEEPING_MS,
  );
  const listeners: Listener[] = [];
  const end = async (drainMs: number, hurry?: AbortSignal) => {
    daemon.health.stopping();
    if (drainMs > 0) await daemon.registry.drain(drainMs, hurry);
    await daemon.registry.close("the daemon is stopping");
    await Promise.all(listeners.map((listener) => listener.close()));
    await housekeeping.stop();
    await store.close();
    unlock();
  };
  let stopping: Promise<void> | undefined;
  const stop = (drainMs = 0, hurry?: AbortSignal) => {
    stopping ??= end(drainMs, hurry);
    return stopping;
  };
  try {
    const { notice } = await daemon.agents.mustBeUsable();
    await daemon.processRecords.waitForLeftovers();
    // What can't be stored is not begun.
    if (!store.writer.failure) await daemon.registry.start();
    const handler = handlerOf(daemon, log);
    const now = () => Date.now();
    const logins = new LoginLog({ ...daemon, now });
    const admission = new Admission({ ...daemon, ...config, token, logins, now });
    const signIn = new SignIn({ ...daemon, token, logins, now });
    listeners.push(
      await listen(
        { path: config.socketPath },
        guardedSocket(handler, knownAtSocket, admitOwner),
        daemon.report,
      ),
    );
    const opened: OpenPort[] = [];
    for (const wanted of ports) {
      const port = await openPort(wanted, handler, admission, signIn, daemon.report);
      listeners.push(port);
      opened.push(port);
    }
    const addresses = listeners.map(({ address }) => address);
    const [, port] = addresses;
    daemon.consoleLink = (caller, maker = OWNER) =>
      port === undefined ? undefined : signIn.link(port, maker, caller);
    const renew = () => {
      for (const port of opened) renewed(port, log);
    };
    log.info("the daemon listens", { addresses });
    daemon.agents.look();
    return { daemon, addresses, token, notice, renew, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function handlerOf(daemon: Daemon, log: Log): Handler {
  const failed = (error: unknown, request_id?: string) =>
    daemon.report("request", error, request_id ? { request_id } : {});
  const general = connectHandler(
    routes(daemon),
    {
      interceptors: [
        ...[observed(daemon.metrics, log), failures(daemon.redact, failed)],
        ...[deadlines, textLimits, storeGuard(daemon)],
      ],
      // Compressing what never leaves the machine costs more than it saves.
      acceptCompression: [],
      readMaxBytes: daemon.config.maxPayloadBytes,
    },
    failed,
  );
  return withMetrics(daemon, general);
}

function renewed({ address, renew }: OpenPort, log: Log): void {
  try {
    const until = renew();
    if (until !== undefined) log.info("a certificate was reloaded", { address, until });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    log.error("a certificate could not be used; the old one stays in use", { address, error });
  }
}
