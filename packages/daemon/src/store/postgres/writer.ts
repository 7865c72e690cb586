import type { Log } from "@agentwire/protocol/support";
import type { Client } from "pg";
import { StoreError } from "../store-error.ts";
import { connect, type PgStatement, prepared, type Readers } from "./connection.ts";
import { type AuditEnd, type Encoded, encode, inSql } from "./encoded-write.ts";
import type { Node } from "./node.ts";
import { isReadOnly, toStoreError } from "./postgres-error.ts";
import type { AnyWrite } from "./statements.ts";

interface Batch {
  readonly writes: readonly Encoded[];
  /** Whether it waits for the server to return, instead of being rejected. */
  readonly patient: boolean;
  readonly chain: string | undefined;
  resolve(): void;
  reject(error: StoreError): void;
}

/** The dependencies of a writer. */
interface WriterOptions {
  readonly url: string;
  readonly place: string;
  readonly node: Node;
  /** Whether sessions in a folder can continue on other nodes. */
  readonly isShared: (cwd: string) => boolean;
  readonly client: Client;
  readonly readers: Readers;
  readonly log: Log;
}

/** How long to wait before trying an unreachable server again. */
const RETRY_MS = 500;
/** How often a returning node checks whether everything in progress has ended. */
const LOOK_MS = 20;
/** How long a commit may take before the store is reported as failing. */
const STALL_MS = 10_000;
/** The maximum number of batches per commit: when one fails, each is retried alone. */
const MAX_BATCHES = 1000;
/** Errors that pass by themselves or after a repair: writes that must not be lost wait for that. */
const PASSING: ReadonlySet<string> = new Set(["unreachable", "full"]);

const LAST_OF_AUDIT = "SELECT seq, hash FROM audit WHERE node = $1 ORDER BY seq DESC LIMIT 1";
/** Waits for a commit in progress. */
const LAST_COMMIT = "SELECT epoch, number FROM commits WHERE node = $1 FOR UPDATE";

/** The writer of one node, which preserves order: everything that arrives during a commit goes into the next one. */
export class PgWriter {
  onHealth: (error: StoreError | undefined) => void = () => {};
  onCommit: (ms: number) => void = () => {};
  /** Whether all nodes can read rows with several events. */
  packs = false;
  readonly #url: string;
  readonly #place: string;
  /** For queries that must not be part of a transaction. */
  readonly #readers: Readers;
  #node: Node;
  readonly #isShared: (cwd: string) => boolean;
  readonly #log: Log;
  #client: Client | undefined;
  #audit: AuditEnd;
  /** The number of the last attempted commit. */
  #commits = 0;
  #waiting: Batch[] = [];
  #writing: Batch[] = [];
  #isBusy = false;
  /** Why each broken chain can't be continued. */
  readonly #broken = new Map<string, StoreError>();
  #ended: StoreError | undefined;
  #ill: StoreError | undefined;
  #closing: (() => void) | undefined;
  #committingSince: number | undefined;

  private constructor(options: WriterOptions, audit: AuditEnd) {
    this.#url = options.url;
    this.#place = options.place;
    this.#readers = options.readers;
    this.#node = options.node;
    this.#isShared = options.isShared;
    this.#client = options.client;
    this.#log = options.log;
    this.#audit = audit;
    this.#watch(options.client);
  }

  /** Continues writing as a node that has joined. */
  static async begin(options: WriterOptions): Promise<PgWriter> {
    return new PgWriter(options, await auditEnd(options.client, options.node));
  }

  get illness(): StoreError | undefined {
    return this.#ended ?? this.#ill;
  }

  get failure(): StoreError | undefined {
    return this.#ended;
  }

  get depth(): number {
    return this.#waiting.length + this.#writing.length;
  }

  write(writes: readonly AnyWrite[]): Promise<void> {
    return this.#send(writes, false, undefined);
  }

  keep(writes: readonly AnyWrite[], chain?: string): Promise<void> {
    return this.#send(writes, true, chain);
  }

  /** Finishes pending writes, then ends. */
  async close(): Promise<void> {
    if (this.#isBusy && !this.#ill)
      await new Promise<void>((resolve) => {
        this.#closing = resolve;
      });
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
    this.#end(new StoreError("closed", `${this.#place} is closed`));
  }

  #send(writes: readonly AnyWrite[], patient: boolean, chain: string | undefined): Promise<void> {
    const failure = this.#ended ?? (chain === undefined ? undefined : this.#broken.get(chain));
    if (failure) return Promise.reject(failure);
    if (!patient && this.#ill) return Promise.reject(this.#ill);
    const encoded = writes.flatMap((write) => encode(write, this.#node.id, this.#isShared));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ writes: encoded, patient, chain, resolve, reject });
      if (this.#isBusy) return;
      this.#isBusy = true;
      setImmediate(() => void this.#run());
    });
  }

  /** Commits while anything is queued; never throws. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#ended) {
      this.#writing = this.#waiting.splice(0, MAX_BATCHES).filter((batch) => !this.#isRefused(batch));
      if (this.#writing.length === 0) continue;
      const failure = await this.#commit(this.#writing);
      if (failure) await this.#each(this.#writing, failure);
      this.#writing = [];
    }
    this.#isBusy = false;
    this.#closing?.();
  }

  /** Rejects a batch whose chain was broken after it was queued: without the one before, there would be a gap. */
  #isRefused({ chain, reject }: Batch): boolean {
    const error = chain === undefined ? undefined : this.#broken.get(chain);
    if (error) reject(error);
    return error !== undefined;
  }

  /** Either one batch is at fault, or the server is: each is tried alone. */
  async #each(batches: readonly Batch[], failure: StoreError): Promise<void> {
    if (PASSING.has(failure.code)) return this.#holdOn(batches, failure);
    for (const [at, batch] of batches.entries()) {
      const broken = batch.chain === undefined ? undefined : this.#broken.get(batch.chain);
      const error = this.#ended ?? broken ?? (batches.length === 1 ? failure : await this.#commit([batch]));
      if (!error) continue;
      if (PASSING.has(error.code)) return this.#holdOn(batches.slice(at), error);
      if (error.code === "fenced") this.fence(error);
      if (batch.chain !== undefined) this.#broken.set(batch.chain, error);
      batch.reject(error);
    }
  }

  /** Keeps writes that must not be lost, in order, until the server is back; rejects the others. */
  async #holdOn(batches: readonly Batch[], failure: StoreError): Promise<void> {
    this.#fallIll(failure);
    const kept = batches.filter(({ patient }) => patient);
    this.#waiting.unshift(...kept);
    for (const batch of batches) if (!batch.patient) batch.reject(failure);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }

  /** Writes batches in one transaction and resolves them; returns the reason if that fails, in which case nothing was written. */
  async #commit(batches: readonly Batch[]): Promise<StoreError | undefined> {
    const began = performance.now();
    this.#committingSince = began;
    try {
      const client = await this.#connected();
      const writes = batches.flatMap((batch) => batch.writes);
      const { statements, audit } = inSql(writes, this.#node.id, this.#audit, this.packs);
      await this.#transact(client, statements);
      this.#audit = audit;
    } catch (cause) {
      // A primary that has become a standby stays reachable, but accepts no writes.
      if (isReadOnly(cause)) void this.#client?.end().catch(() => {});
      return toStoreError(cause, this.#place);
    } finally {
      this.#committingSince = undefined;
    }
    if (this.#ill) this.#fallIll(undefined);
    this.onCommit(performance.now() - began);
    for (const batch of batches) batch.resolve();
    return undefined;
  }

  /** Sends statements together; the commit is sent after all have succeeded, so that a lost answer leaves only one question open. */
  async #transact(client: Client, statements: readonly PgStatement[]): Promise<void> {
    const { id, epoch } = this.#node;
    const number = ++this.#commits;
    const begun = client.query("BEGIN");
    const proved = client.query(
      prepared({ text: "SELECT prove_commit($1, $2, $3)", values: [id, epoch, number] }),
    );
    const written = statements.map((statement) => client.query(prepared(statement)));
    const results = await Promise.allSettled([begun, proved, ...written]);
    const failed = results.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") {
      // On a lost connection there is nothing to roll back.
      await client.query("ROLLBACK").catch(() => {});
      throw failed.reason;
    }
    try {
      await client.query("COMMIT");
    } catch (cause) {
      if (!(await this.#wasCommitted(number))) throw cause;
    }
  }

  /** The answer to a commit was lost: asks until it is known whether it happened. */
  async #wasCommitted(number: number): Promise<boolean> {
    const { id, epoch } = this.#node;
    for (;;) {
      if (this.#ended) throw this.#ended;
      try {
        const asked = prepared({ text: LAST_COMMIT, values: [id] });
        const { rows } = await this.#readers.query<{ epoch: number; number: number }>(asked);
        return rows[0]?.epoch === epoch && rows[0].number === number;
      } catch (cause) {
        this.#fallIll(toStoreError(cause, this.#place));
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const client = await connect(this.#url);
    this.#audit = await auditEnd(client, this.#node);
    this.#client = client;
    this.#watch(client);
    this.#log.info("the connection to the server is back", { server: this.#place });
    return client;
  }

  #watch(client: Client): void {
    client.once("end", () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      if (!this.#ended)
        this.#fallIll(new StoreError("unreachable", `${this.#place} has closed the connection`));
    });
  }

  /** Other connections show whether the server answers, which commits alone would show later, or never. */
  answered(failure: StoreError | undefined): void {
    const since = this.#committingSince;
    if (failure) this.#fallIll(failure);
    else if (since !== undefined && performance.now() - since > STALL_MS)
      this.#fallIll(
        new StoreError("unreachable", `${this.#place} has not answered for ${STALL_MS / 1000} s`),
      );
    else if (this.#ill && since === undefined) this.#fallIll(undefined);
  }

  /** Another daemon has taken over: nothing more is written. */
  fence(error: StoreError): void {
    if (this.#ended) return;
    this.#end(error);
    this.onHealth(error);
    // A hanging commit ends with its connection.
    const client = this.#client;
    this.#client = undefined;
    void client?.end().catch(() => {});
  }

  /** The node is back, with a new epoch. */
  async resume(node: Node): Promise<void> {
    // Writes that were in progress under the old epoch must not be written under the new one.
    while (this.#isBusy) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    this.#waiting = [];
    this.#node = node;
    this.#audit = await auditEnd(this.#readers, node);
    this.#ended = undefined;
    this.#ill = undefined;
    this.onHealth(undefined);
  }

  #fallIll(error: StoreError | undefined): void {
    if (this.#ended || this.#ill?.message === error?.message) return;
    this.#ill = error;
    this.onHealth(error);
  }

  #end(error: StoreError): void {
    this.#ended ??= error;
    for (const { reject } of [...this.#writing, ...this.#waiting]) reject(this.#ended);
    this.#waiting = [];
  }
}

async function auditEnd(client: Pick<Readers, "query">, { id }: Node): Promise<AuditEnd> {
  const asked = prepared({ text: LAST_OF_AUDIT, values: [id] });
  const { rows } = await client.query<AuditEnd>(asked);
  return rows[0] ?? { seq: 0, hash: "" };
}
