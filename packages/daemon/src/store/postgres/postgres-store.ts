import { EventSchema, PromptState } from "@agentwire/api";
import type { Log } from "@agentwire/protocol/support";
import { create, toBinary } from "@bufbuild/protobuf";
import type { QueryResultRow } from "pg";
import type { Nodes } from "../nodes.ts";
import type { Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { auditLog, budgetsIn, rulesIn, storedPrompts, storedQuestions, tokensIn } from "./books.ts";
import { connect, openReaders, prepared, type Read } from "./connection.ts";
import { eventLog, oldLines } from "./logs.ts";
import { Membership } from "./membership.ts";
import { migrate } from "./migrate.ts";
import { snapshotsIn, transcriptsIn } from "./moved-sessions.ts";
import { type NodeName, nodesIn, ownershipOf } from "./node.ts";
import { NodeLines } from "./node-lines.ts";
import { toStoreError } from "./postgres-error.ts";
import { searchIndex } from "./search-index.ts";
import { placeOf } from "./server-list.ts";
import { storedSessions } from "./sessions.ts";
import { storedUsage } from "./usage.ts";
import { PgWriter } from "./writer.ts";

/** How many events are copied in one transaction, which other writers have to wait for. */
const SLICE = 500;

/** A database on a server, and the folder for local data. */
interface PostgresPlace {
  readonly url: string;
  readonly folder: string;
}

/** Opens a database as one of its nodes; throws a `StoreError` for anything that is wrong. */
export async function openPostgresStore(
  { url, folder }: PostgresPlace,
  name: NodeName,
  log: Log,
): Promise<Store> {
  const place = placeOf(url);
  const client = await connect(url);
  const readers = await openReaders(url);
  let joined: Membership | undefined;
  const begin = async () => {
    await migrate(client, place);
    const { rows } = await client.query<{ key: Buffer }>("SELECT key FROM cluster");
    joined = await Membership.begin({ url, place, name, log });
    const { isShared } = name;
    const writer = await PgWriter.begin({ url, place, node: joined.node, isShared, client, readers, log });
    writer.packs = joined.areAllNew;
    return { writer, membership: joined, key: rows[0]?.key ?? Buffer.of() };
  };
  const { writer, membership, key } = await begin().catch(async (cause: unknown) => {
    await joined?.close();
    await client.end().catch(() => {});
    await readers.end();
    throw toStoreError(cause, place);
  });
  let told: Store["onRead"] = () => {};
  const read: Read = async <R extends QueryResultRow>(text: string, ...values: readonly unknown[]) => {
    try {
      const { rows } = await readers.query<R>(prepared({ text, values }));
      told(undefined);
      return rows;
    } catch (cause) {
      const error = toStoreError(cause, place);
      told(error);
      throw error;
    }
  };
  const events = eventLog(read);
  const lines = new NodeLines(folder, (error) => log.warn("a line of an agent could not be kept", { error }));
  const nodes = nodesOf(name.id, key, read, writer, membership);
  let closing: Promise<void> | undefined;
  return {
    place,
    nodes,
    events,
    sessions: storedSessions(read, name.id),
    lines: lines.log(oldLines(read)),
    prompts: storedPrompts(read),
    questions: storedQuestions(read),
    usage: storedUsage(read),
    audit: auditLog(read),
    search: searchIndex(read),
    rules: () => rulesIn(read),
    tokens: () => tokensIn(read),
    budgets: () => budgetsIn(read),
    write(writes) {
      lines.take(writes);
      return writer.write(writes);
    },
    keep(writes, chain) {
      lines.take(writes);
      return writer.keep(writes, chain);
    },
    // One commit takes everything that has arrived in the meantime.
    atTurnEnd: (act) => void setImmediate(act),
    async copyHistory(from, to, before = Number.MAX_SAFE_INTEGER) {
      const name = toBinary(EventSchema, create(EventSchema, { sessionId: to }));
      const [end] = await read<{ seq: number }>(END_OF_HISTORY, from);
      for (let after = 0; ; ) {
        const page = (await events.after(from, after, SLICE, 512 * 1024)).filter(
          ({ seq }) => seq < Math.min(end?.seq ?? 0, before),
        );
        const last = page.at(-1)?.seq;
        if (last === undefined) return;
        // If a field occurs twice the last one counts: the new session id is appended to each event, and none has to be decoded.
        await writer.write(
          page.map(({ seq, body }) => ({
            type: "appendEvent",
            sessionId: to,
            seq,
            body: Buffer.concat([body, name]),
          })),
        );
        after = last;
      }
    },
    backUp: () =>
      Promise.reject(
        new StoreError(
          "failed",
          `${place} is backed up with its server's own tools: pg_dump or pg_basebackup`,
        ),
      ),
    get illness() {
      return writer.illness;
    },
    get failure() {
      return writer.failure;
    },
    get depth() {
      return writer.depth;
    },
    sizeBytes: 0,
    set onHealth(listener: Store["onHealth"]) {
      writer.onHealth = listener;
    },
    set onCommit(listener: Store["onCommit"]) {
      writer.onCommit = listener;
    },
    set onRead(listener: Store["onRead"]) {
      told = listener;
    },
    close() {
      closing ??= writer
        .close()
        .then(() => membership.close())
        .then(() => readers.end())
        .finally(() => lines.close());
      return closing;
    },
  };
}

/** The nodes of a database, as seen by the daemon of one of them. */
function nodesOf(id: string, key: Uint8Array, read: Read, writer: PgWriter, membership: Membership): Nodes {
  const nodes: Nodes = {
    id,
    key,
    transcripts: transcriptsIn(read, writer),
    snapshots: snapshotsIn(read, writer),
    list: () => nodesIn(read),
    ownership: (sessionId) => ownershipOf(read, sessionId),
    announce: (address, state) => membership.announce(address, state),
    giveAway: (sessionId, to) => membership.giveAway(sessionId, to),
    seize: (sessionId) => membership.seize(sessionId),
    onTaken: () => {},
    onLost: async () => {},
    onBack: () => {},
    onBook: () => {},
  };
  membership.onTaken = (sessionIds) => nodes.onTaken(sessionIds);
  membership.onBook = (book) => nodes.onBook(book);
  membership.onUnsure = () => nodes.onBack();
  membership.onAllNew = () => {
    writer.packs = true;
  };
  membership.onAnswer = (error) => writer.answered(error);
  membership.onLost = (error) => {
    writer.fence(error);
    return nodes.onLost();
  };
  membership.onBack = async (node) => {
    await writer.resume(node);
    nodes.onBack();
  };
  return nodes;
}

/** The number before which a copy ends: later events belong to the original only. */
const END_OF_HISTORY = `
SELECT coalesce((SELECT min(seq) FROM prompts WHERE session_id = $1 AND state IN (${PromptState.QUEUED}, ${PromptState.STARTED})),
  (SELECT max(seq) + 1 FROM events WHERE session_id = $1), 0) AS seq`;
