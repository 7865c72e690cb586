import { join } from "node:path";
import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { openForWriting } from "../../packages/daemon/dist/store/sqlite/database.js";
import { statementsOf } from "../../packages/daemon/dist/store/sqlite/statements.js";

const OTHERS = 100;

/**
 * Stores this many events in the store of a stopped daemon, in one transaction: half of them in one session, the rest in a hundred
 * others.
 */
export async function fill(trial, events) {
  const ids = await Promise.all(Array.from({ length: OTHERS + 1 }, () => trial.create()));
  const [id, ...others] = ids;
  const { lastSeq } = (await trial.sessions.getSession({ sessionId: id })).session;
  await trial.kill();
  const db = openForWriting(join(trial.folder, "agentwire.db"));
  const add = (sessionId, count) => {
    for (let seq = Number(lastSeq) + 1; seq <= Number(lastSeq) + count; seq++) {
      const write = { type: "appendEvent", sessionId, seq, body: bodyOf(sessionId, seq) };
      for (const { sql, values } of statementsOf([write])) db.statement(sql).run(...values);
    }
  };
  db.exec("BEGIN");
  add(id, events / 2);
  for (const other of others) add(other, events / 2 / OTHERS);
  db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  await trial.start();
  await settled(trial);
  return id;
}

function bodyOf(sessionId, seq) {
  const text = `what was said as number ${seq} of this session`;
  return toBinary(
    EventSchema,
    create(EventSchema, {
      sessionId,
      seq: BigInt(seq),
      time: { seconds: 1_700_000_000n, nanos: 0 },
      body: { case: "textDelta", value: { text } },
    }),
  );
}

/** The delay after which a daemon starts to index the events that it finds in its store. */
const INDEXING_MS = 3500;

/** The time during which a large store is checked for damage and indexed, in parallel with other work. */
async function settled(trial) {
  await new Promise((resolve) => setTimeout(resolve, INDEXING_MS));
  for (let before = await trial.cpuSeconds(), busy = true; busy; ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = await trial.cpuSeconds();
    busy = now - before > 0.06;
    before = now;
  }
}
