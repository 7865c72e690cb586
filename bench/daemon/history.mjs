import { join } from "node:path";
import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { openForWriting } from "../../packages/daemon/dist/store/sqlite/database.js";
import { statementsOf } from "../../packages/daemon/dist/store/sqlite/statements.js";

const OTHERS = 100;

/**
 * Puts so many events into the store of a daemon that does not run, in one transaction: half of them into one session, the rest into a
 * hundred others.
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

/** When a daemon begins to bring what it finds in its store into the index of words. */
const INDEXING_MS = 3500;

/** A large store is checked for damage, and brought into the index of words, beside whatever else goes on. */
async function settled(trial) {
  await new Promise((resolve) => setTimeout(resolve, INDEXING_MS));
  for (let before = await trial.cpuSeconds(), busy = true; busy; ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = await trial.cpuSeconds();
    busy = now - before > 0.06;
    before = now;
  }
}
