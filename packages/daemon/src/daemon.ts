import { setTimeout as pause } from "node:timers/promises";
import type { Log, Redact } from "@agentwire/protocol/support";
import type { Identity } from "./access/identity.ts";
import { TokenBook } from "./access/token-book.ts";
import { Agents } from "./agents.ts";
import { boundary, type Report, reporter } from "./boundary.ts";
import { Cluster } from "./cluster/cluster.ts";
import type { DaemonConfig } from "./config.ts";
import { DaemonError } from "./errors.ts";
import { type InspectedFolder, inspectFolder, isTrustedBySettings } from "./folder-trust.ts";
import type { AgentHealth } from "./health/agent-health.ts";
import { Health } from "./health/health.ts";
import { Presence } from "./health/presence.ts";
import { Metrics } from "./metrics/metrics.ts";
import { ModelCatalog } from "./models/model-catalog.ts";
import { readManagedRules } from "./permission/managed-rules.ts";
import { RuleBook } from "./permission/rule-book.ts";
import { passedRules } from "./permission/rule-flags.ts";
import type { ConsoleLink } from "./ports/sign-in.ts";
import { Push } from "./push/push.ts";
import { type Reload, type ReloadOptions, reload, type SettingsNews } from "./reload.ts";
import { Indexer } from "./search/indexer.ts";
import { HandedServers } from "./session/handed-servers.ts";
import { ProcessRecords } from "./session/process-records.ts";
import { Registry } from "./session/registry.ts";
import { Runner } from "./session/runner.ts";
import { Slots } from "./session/slots.ts";
import type { Subscriber } from "./session/subscriber.ts";
import { SettingsError } from "./settings-error.ts";
import { type Audit, auditWith } from "./store/audit-log.ts";
import type { SharedBook } from "./store/nodes.ts";
import type { SessionRecord } from "./store/session-record.ts";
import type { Store } from "./store/store.ts";
import { StoreError } from "./store/store-error.ts";
import type { RuleRow, TokenRow } from "./store/write.ts";
import { passOn, type Tracing } from "./tracing/tracing.ts";
import { Budgets, readSpending, type Spending } from "./usage/budgets.ts";

/** Where a daemon reports to. */
interface Surroundings {
  readonly log: Log;
  readonly redact: Redact;
  readonly tracing: Tracing;
}

/** State from the store that stays in memory while a daemon runs. */
interface Kept {
  readonly tokens: readonly TokenRow[];
  readonly rules: readonly RuleRow[];
  readonly spending: Spending;
}

/** How long to wait before rereading what other nodes have spent. */
const SPENDING_MS = 1000;
const GONE = { deletedMs: 0 };

/** A running daemon: many sessions for many clients. */
export class Daemon {
  #config: DaemonConfig;
  #isSpendingOutdated = false;
  readonly health = new Health();
  readonly metrics = new Metrics();
  readonly presence = new Presence(() => performance.now());
  /** Reports unexpected failures in the daemon itself. */
  readonly report: Report;
  readonly store: Store;
  readonly slots: Slots;
  readonly redact: Redact;
  readonly audit: Audit;
  readonly tokens: TokenBook;
  readonly rules: RuleBook;
  readonly budgets: Budgets;
  readonly agents: Agents;
  readonly catalog: ModelCatalog;
  readonly push: Push;
  readonly processRecords: ProcessRecords;
  readonly runner: Runner;
  readonly registry: Registry;
  /** The other daemons that share its store; undefined if it has its own store. */
  readonly cluster: Cluster | undefined;
  readonly indexer: Indexer;
  /** Creates a link that signs one browser in to the console. `caller` is the name for the audit log. Undefined while no port is open. */
  consoleLink: (caller: string, maker?: Identity, address?: string) => ConsoleLink | undefined = () =>
    undefined;
  /** Opens a port on the loopback interface unless it is already open, and returns its address; 0 picks a free one. */
  openPort: (port: number) => Promise<string> = () => Promise.reject(new DaemonError("SHUTTING_DOWN"));

  /** Reloads the settings file, if the program that runs the daemon has one. Throws a `SettingsError`. */
  reloadSettings: (options: ReloadOptions) => SettingsNews = () => {
    throw new SettingsError("this daemon was started without a settings file");
  };

  /** Creates a daemon, loading the state that it keeps in memory from its store. */
  static async open(config: DaemonConfig, store: Store, around: Surroundings): Promise<Daemon> {
    const [tokens, rules] = [await store.tokens(), await store.rules()];
    return new Daemon(config, store, around, { tokens, rules, spending: await readSpending(store) });
  }

  private constructor(config: DaemonConfig, store: Store, around: Surroundings, kept: Kept) {
    const { log, redact, tracing } = around;
    this.#config = config;
    this.redact = redact;
    this.report = reporter(log, this.metrics.bugs);
    const guard = boundary((error) => this.report("daemon", error));
    this.audit = auditWith(redact, () => Date.now());
    this.tokens = new TokenBook(store, kept.tokens, this.audit, () => Date.now());
    this.store = store;
    this.slots = new Slots(config.maxProcesses);
    this.rules = new RuleBook(store, kept.rules, this.audit);
    this.budgets = new Budgets(store, kept.spending, () => this.#config.budgets);
    const rulesOf = ({ id, cwd }: SessionRecord) => this.rules.covering(id, cwd);
    const servers = new HandedServers();
    this.agents = new Agents({
      ...config,
      serversOf: ({ id }) => servers.of(id),
      startMs: () => this.#config.startMs,
      silenceMs: () => this.#config.silenceMs,
      rulesOf,
      trustedFolders: () => this.#config.trustedFolders,
      hasGateway: () => this.#config.hasGateway,
      log,
      guard,
      transcripts: store.nodes?.transcripts,
      onChange: () => this.#judgeAgents(),
      onGroup: (group) => this.processRecords.note(group),
    });
    this.catalog = new ModelCatalog(config.home);
    this.push = new Push({ ...config, redact, log });
    this.processRecords = new ProcessRecords(config.folder, log);
    this.runner = new Runner({
      slots: this.slots,
      metrics: this.metrics,
      guard,
      spareProcesses: () => this.#config.spareProcesses,
      rulesOf: (record) => passedRules(rulesOf(record)),
      isSpecial: ({ id }) => tracing !== passOn || servers.of(id) !== undefined,
      launch: (record, deciders) => this.agents.launch(record, deciders),
      onGroup: (group) => this.processRecords.note(group),
    });
    this.indexer = new Indexer(store, guard);
    this.registry = new Registry({
      daemonLog: log,
      store,
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
      servers,
      maxPayloadBytes: config.maxPayloadBytes,
      onStored: (id) => this.indexer.note(id),
      prepare: async (id) => (await this.cluster?.workspaces.takeUp(id)) ?? [],
      onTurnEnd: guard((record) => this.#keepFiles(record)),
      onNews: guard((news) => this.push.tell(news)),
    });
    const { nodes } = store;
    this.cluster =
      nodes &&
      new Cluster({
        config: config.cluster,
        store,
        nodes,
        registry: this.registry,
        slots: this.slots,
        limits: () => this.#config,
        guard,
        log,
        folder: config.folder,
        env: config.env,
      });
    if (nodes) nodes.onBook = guard((book) => this.#outdated(book));
    store.onCommit = guard((ms) => this.metrics.commits.observe(ms / 1000));
    this.health.follow(store);
  }

  get config(): DaemonConfig {
    return this.#config;
  }

  /** Applies the settings that can change while it runs. */
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

  /** Whether a folder is trusted, and what trusting it would allow its files. */
  async inspectFolder(cwd: string): Promise<InspectedFolder> {
    const found = await inspectFolder(cwd, this.#config.env);
    return isTrustedBySettings(cwd, this.#config.trustedFolders)
      ? { ...found, trusted: true, withheld: [] }
      : found;
  }

  /** Trusts a folder permanently, for existing sessions too. */
  async trustFolder(cwd: string, by: string): Promise<void> {
    const { trusted } = await this.inspectFolder(cwd);
    if (trusted) return;
    await this.store.write([
      this.audit({ kind: "trust", actor: by, action: "given", subject: cwd, detail: "" }),
    ]);
    await inspectFolder(cwd, this.#config.env, { trust: true });
    await this.runner.forgetSpares();
    await this.registry.renew(cwd);
  }

  /** Throws while nothing can be stored, so that no acknowledged command is ever lost. */
  mustBeStorable(): void {
    const { store } = this.health;
    if (store) throw new DaemonError("STORE_UNAVAILABLE", store.message, { cause: store });
  }

  /** Rereads a book that another node has changed. Every turn changes the budgets, so those reads are throttled. */
  async #outdated(book: SharedBook): Promise<void> {
    if (book === "budgets") {
      if (this.#isSpendingOutdated) return;
      this.#isSpendingOutdated = true;
      await pause(SPENDING_MS, undefined, { ref: false });
      this.#isSpendingOutdated = false;
    }
    // While the server can't be reached, nothing changes; after reconnecting, everything is reread.
    await this.#reread(book).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
    });
  }

  async #reread(book: SharedBook): Promise<void> {
    if (book === "tokens") this.tokens.replace(await this.store.tokens());
    if (book === "budgets") {
      this.budgets.replace(await readSpending(this.store));
      this.registry.afford();
    }
    if (book === "rules") {
      this.rules.replace(await this.store.rules());
      await this.registry.reconsider();
    }
  }

  /** Watches the events of a session after `afterSeq`, whichever node runs it. */
  async watch(sessionId: string, client: string, afterSeq: number): Promise<Subscriber> {
    if (this.cluster) return this.cluster.watch(sessionId, client, afterSeq);
    return (await this.registry.get(sessionId)).watch(client, afterSeq);
  }

  /** Rejects unless the session exists, on any node. */
  async mustExist(sessionId: string): Promise<void> {
    if (!this.cluster || this.registry.find(sessionId)) await this.registry.get(sessionId);
    else if (((await this.store.sessions.find(sessionId)) ?? GONE).deletedMs !== null)
      throw new DaemonError("SESSION_NOT_FOUND");
  }

  /** Stores the files of a session for other nodes after a turn. */
  async #keepFiles(record: SessionRecord): Promise<void> {
    const notes = (await this.cluster?.workspaces.keepTurn(record)) ?? [];
    if (notes.length > 0) await this.registry.find(record.id)?.journal.say(notes, []);
  }

  #judgeAgents(): void {
    const [first, ...others] = this.agents.health;
    const isDegraded = (agent: AgentHealth | undefined) => agent?.level === "DEGRADED";
    this.health.degraded(isDegraded(first) || first?.isUsable === false || others.some(isDegraded));
  }
}
