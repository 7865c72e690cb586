import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { expect, test, vi } from "vitest";
import { openForWriting } from "../../src/store/sqlite/database.ts";
import { type Bench, openBench, payingAgent, type Talk } from "./daemon-bench.ts";

/** An agent that exits on the prompt "die", and records each start under its name. */
function countedAgent(bench: Bench) {
  const { path = "" } = payingAgent(bench);
  const counted = join(bench.folder, "counted");
  writeFileSync(
    counted,
    `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.325 (Claude Code)'; exit; fi
echo "$@" >> '${bench.folder}/starts'
exec '${path}' "$@"
`,
    { mode: 0o755 },
  );
  return { name: "counted", path: counted };
}

/** Makes the store refuse a kind of write for a session until the returned function is called. */
function refuse(bench: Bench, name: string, what: string): () => void {
  const db = openForWriting(join(bench.folder, "state", "agentwire.db"));
  db.exec(`CREATE TRIGGER ${name} BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`);
  return () => {
    db.exec(`DROP TRIGGER ${name}`);
    db.close();
  };
}

const statusOf = async ({ sessions }: Talk, sessionId: string) =>
  (await sessions.getSession({ sessionId }).catch(() => undefined))?.session?.status;

test("a session that fails on every reopen is given up, and continues once the cause is fixed", {
  timeout: 120_000,
}, async () => {
  const bench = openBench();
  const talk = await bench.open({ agents: [countedAgent(bench)] });
  const [told, untold] = [await talk.create(), await talk.create()];
  const allow = refuse(bench, "told", `UPDATE OF state ON prompts WHEN NEW.session_id = '${told}'`);
  const allowUntold = refuse(
    bench,
    "untold",
    `INSERT ON events WHEN NEW.session_id = '${untold}' AND NEW.seq > 1`,
  );
  for (const sessionId of [told, untold]) await talk.sessions.sendPrompt({ sessionId, text: "die" });
  for (const sessionId of [told, untold])
    await vi.waitFor(async () => expect(await statusOf(talk, sessionId)).toBe(SessionStatus.FAILED), 90_000);

  // The session that can still store events states why, and how to continue.
  const { events } = await talk.sessions.listEvents({ sessionId: told, backwards: true, pageSize: 1 });
  expect(events[0]?.body).toMatchObject({
    case: "statusChange",
    value: {
      status: SessionStatus.FAILED,
      reason: expect.stringMatching(
        /^it failed each time it was reopened \(.*refused by the test.*\); send a prompt to try again$/,
      ),
    },
  });
  for (const sessionId of [told, untold])
    expect(bench.loggedOf(sessionId)).toContain("error: a session has failed");
  const starts = readFileSync(join(bench.folder, "starts"), "utf8").split("\n").filter(Boolean);
  expect(starts.filter((line) => line.includes(told)).length).toBeLessThanOrEqual(5);

  allow();
  allowUntold();
  for (const sessionId of [told, untold]) {
    await talk.sessions.sendPrompt({ sessionId, text: "cost 1" });
    await vi.waitFor(async () => {
      const all = await talk.sessions.listEvents({ sessionId, pageSize: 1000 });
      expect(all.events.some(({ body }) => body.case === "turnComplete")).toBe(true);
    }, 30_000);
  }
});

test("a prompt whose agent died reports that it may have been executed", async () => {
  const bench = openBench();
  const talk = await bench.open({ agents: [payingAgent(bench)] });
  const id = await talk.create();
  await talk.turn(id, "cost 1");
  // By now the agent is known not to report the progress of prompts.
  const { of } = await talk.turn(id, "die");
  expect(of("promptChange").at(-1)?.reason).toBe(
    "the agent died after it was given this and did not report its progress; it may have been partly executed, or not at all",
  );
});
