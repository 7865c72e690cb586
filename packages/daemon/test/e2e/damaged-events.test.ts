import { execFile } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Disposition, HealthStatus } from "@agentwire/api";
import { Code } from "@connectrpc/connect";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { openBench, ownAgent, type Talk } from "./daemon-bench.ts";

const CLI = fileURLToPath(new URL("../../../cli/bin/agentwire", import.meta.url));

/** Flips one bit in the middle of a stored event's body, as a failing disk may. */
function flip(path: string, sessionId: string, seq: number): void {
  const db = new DatabaseSync(path);
  const where = "WHERE session_id = ? AND seq = ?";
  const { body } = db.prepare(`SELECT body FROM events ${where}`).get(sessionId, seq) as { body: Uint8Array };
  const at = Math.floor(body.length / 2);
  body[at] = (body[at] ?? 0) ^ 0x04;
  db.prepare(`UPDATE events SET body = ? ${where}`).run(body, sessionId, seq);
  db.close();
}

const numbers = ({ events }: { readonly events: readonly { readonly seq: bigint }[] }) =>
  events.map(({ seq }) => Number(seq));
const damagedIn = ({
  events,
}: {
  readonly events: readonly { readonly seq: bigint; body: { case?: unknown; value?: unknown } }[];
}) =>
  events.flatMap(({ seq, body }) =>
    body.case === "error" && (body.value as { code: string }).code === "event_damaged" ? [Number(seq)] : [],
  );

/** Everything that is stored, as a watcher receives it. */
async function watched({ sessions }: Talk, sessionId: string) {
  const events = [];
  for await (const page of sessions.watch({ sessionId })) {
    events.push(...page.events);
    if (page.caughtUp) break;
  }
  return { events };
}

test("a damaged event is marked as such in pages, streams, exports and copies; other events are unaffected", async () => {
  const bench = openBench();
  const agents = [ownAgent(bench, [{ text: "Remember the milk." }])];
  const first = await bench.open({ agents });
  const id = await first.create();
  await first.turn(id, "hello");
  const before = numbers(await first.sessions.listEvents({ sessionId: id }));
  await first.running.stop();
  const [one = 0, two = 0] = before;
  const path = join(bench.folder, "state", "agentwire.db");
  flip(path, id, one);
  // An event from a daemon that stored no checksums, which cannot be decoded.
  const db = new DatabaseSync(path);
  db.prepare("UPDATE events SET body = x'ff', sum = NULL WHERE session_id = ? AND seq = ?").run(id, two);
  // An open question is ended at the next start, even if its content is damaged.
  db.prepare("INSERT INTO questions VALUES ('asked', ?, 1, 'r', 1, x'ff')").run(id);
  db.close();

  const second = await bench.open({ agents });
  expect((await second.health.healthDetails({})).status).not.toBe(HealthStatus.NOT_SERVING);
  const { questions } = await second.questions.listQuestions({ sessionId: id, includeDecided: true });
  expect(questions).toMatchObject([{ id: "asked", disposition: Disposition.ORPHANED }]);
  const page = await second.sessions.listEvents({ sessionId: id });
  expect(numbers(page).slice(0, before.length)).toEqual(before);
  expect(damagedIn(page)).toEqual([one, two]);
  expect(page.events[0]?.body.value).toMatchObject({
    message: expect.stringContaining(`event ${one} is damaged`),
  });
  expect(damagedIn(await second.sessions.listEvents({ sessionId: id, backwards: true }))).toEqual([one, two]);
  expect(damagedIn(await watched(second, id))).toEqual([one, two]);
  const { session: copy } = await second.sessions.forkSession({ sessionId: id });
  expect(damagedIn(await second.sessions.listEvents({ sessionId: copy?.id ?? "" }))).toEqual([one, two]);
  const env = { PATH: process.env.PATH, HOME: bench.folder, AGENTWIRE_HOME: join(bench.folder, "state") };
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, "sessions", "export", id, "--json"], {
    env,
  });
  const exported = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { error?: { code: string } });
  expect(exported.filter(({ error }) => error?.code === "event_damaged")).toHaveLength(2);
  expect(exported.length).toBeGreaterThanOrEqual(before.length);
  await second.turn(id, "again");
}, 60_000);

test("a truncated store is reported as corrupt, not treated as empty", async () => {
  const bench = openBench();
  const first = await bench.open();
  const sessionId = await first.create();
  await first.running.stop();
  for (const size of [0, 4096]) {
    truncateSync(join(bench.folder, "state", "agentwire.db"), size);
    const talk = await bench.open();
    const { status, store } = await talk.health.healthDetails({});
    expect(status).toBe(HealthStatus.NOT_SERVING);
    expect(store?.state).toBe("corrupt");
    for (const call of [
      talk.sessions.getSession({ sessionId }),
      talk.sessions.listEvents({ sessionId }),
      talk.sessions.sendPrompt({ sessionId, text: "hello" }),
      talk.questions.decide({ questionId: "q", decision: { case: "deny", value: {} } }),
    ])
      await expect(call).rejects.toMatchObject({
        code: Code.Unavailable,
        rawMessage: expect.stringMatching(/^STORE_UNAVAILABLE: .*restore a backup/),
      });
    await talk.running.stop();
    truncateSync(join(bench.folder, "state", "agentwire.db"), 8192);
  }
}, 60_000);

test("a lock file with content is accepted", async () => {
  const bench = openBench();
  const first = await bench.open();
  await first.running.stop();
  writeFileSync(join(bench.folder, "state", "agentwire.db.lock"), "not a database".repeat(1000));
  const second = await bench.open();
  expect((await second.health.healthDetails({})).store?.state).toBe("ok");
  await expect(bench.open()).rejects.toThrow("another daemon uses");
}, 60_000);
