import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PromptState } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import { Prompts } from "../../src/session/prompts.ts";
import { checkQueueLimit, SESSION_QUEUE, WHOLE_QUEUE } from "../../src/session/queue-limits.ts";
import { openForWriting } from "../../src/store/sqlite/database.ts";
import { statementsOf } from "../../src/store/sqlite/statements.ts";
import { newRecord } from "../store/place.ts";
import { asked, folder, isIdle, newSession, start, upTo, withTinyDaemon } from "./tiny-daemon.ts";

const PROGRAM = fileURLToPath(new URL("../chaos/daemon-process.mjs", import.meta.url));
const TINY = fileURLToPath(new URL("../chaos/tiny-agent.mjs", import.meta.url));
const MB = 1024 * 1024;

withTinyDaemon();

describe("queued prompts", () => {
  test("are limited in bytes: prompts over the limit are refused until there is room again", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    const large = `talk 1 4 ${"x".repeat(25 * MB)}`;
    await session.send(large, "me", null);
    const { promptId } = await session.send(large, "me", null);
    await expect(session.send(large, "me", null)).rejects.toMatchObject({
      code: "TOO_MANY",
      message:
        "the queued prompts of this session already take 51 MB of at most 64 MB: wait until some are answered, or cancel some",
    });
    // A small prompt still fits, and is shown with the first characters of its text.
    await session.send("talk 1", "me", null);
    const texts = await daemon.store.prompts.texts(session.queue.map(({ id }) => id));
    expect(texts.map(({ length }) => length)).toEqual([1001, 1001, 6]);
    expect(await session.cancel(promptId)).toBe(true);
    await session.send(large, "me", null);
  }, 60_000);

  test("are also limited across all sessions", () => {
    const few = { prompts: 1, bytes: 1 };
    const fit = (all: typeof few) => () => checkQueueLimit(MB, few, all);
    expect(fit({ prompts: WHOLE_QUEUE.prompts - 1, bytes: 0 })).not.toThrow();
    expect(fit({ prompts: WHOLE_QUEUE.prompts, bytes: 0 })).toThrow(
      "20000 prompts are already queued in all sessions",
    );
    expect(fit({ prompts: 1, bytes: WHOLE_QUEUE.bytes })).toThrow("of all sessions already take 512 MB");
    // A prompt larger than the whole queue is accepted if it is alone.
    const none = { prompts: 0, bytes: 0 };
    expect(() => checkQueueLimit(2 * WHOLE_QUEUE.bytes, none, none)).not.toThrow();
    expect(() => checkQueueLimit(SESSION_QUEUE.bytes, few, none)).toThrow("of this session");
  });

  test("are given to an agent in portions", () => {
    const prompts = new Prompts([3, 0.5, 2, 0.1].map((size, i) => ({ id: String(i), bytes: size * MB })));
    const due = () => prompts.due.map(({ id }) => id);
    expect(due()).toEqual(["0", "1"]);
    for (const id of due()) prompts.sent(id);
    expect(due()).toEqual([]);
    prompts.started("0");
    expect(due()).toEqual(["2", "3"]);
  });

  test("that can't be read are cancelled, and those behind them are answered", async () => {
    const daemon = await start({ maxProcesses: 1 });
    const place = await daemon.slots.take(new AbortController().signal);
    const session = await newSession(daemon);
    const { promptId } = await session.send("talk 1", "me", null);
    await session.send("talk 2", "me", null);
    const saboteur = openForWriting(daemon.store.place);
    saboteur.statement("UPDATE prompts SET content = ? WHERE id = ?").run('"talk', promptId);
    saboteur.close();
    place.release();
    const events = await upTo(session, isIdle);
    expect(events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        case: "error",
        value: expect.objectContaining({
          code: "prompt_unreadable",
          message: expect.stringContaining(promptId),
        }),
      }),
    );
    const ends = events.flatMap(({ body }) =>
      body.case === "promptChange" && body.value.state > PromptState.STARTED ? [body.value.state] : [],
    );
    expect(ends).toEqual([PromptState.CANCELLED, PromptState.COMPLETED]);
  }, 30_000);

  test("do not keep a daemon with little memory from starting, however many an earlier one accepted", async () => {
    const path = join(folder, "agentwire.db");
    const db = openForWriting(path);
    const record = newRecord({ id: "full", cwd: folder, agent: "tiny" });
    for (const { sql, values } of statementsOf([{ type: "addSession", record }]))
      db.statement(sql).run(...values);
    db.statement(
      `INSERT INTO prompts (id, session_id, content, client, state, seq)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
       SELECT 'p' || i, 'full', '"talk 1 4 ' || hex(zeroblob(2500000)) || '"', 'me', ?, i FROM n`,
    ).run(PromptState.QUEUED);
    db.close();
    const changes = { agents: [{ name: "tiny", path: TINY }], spareProcesses: 0 };
    const args = ["--max-old-space-size=64", PROGRAM, folder, JSON.stringify(changes)];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, HOME: folder, TINY_HOME: folder },
      stdio: ["pipe", "pipe", "ignore"],
    });
    try {
      const [said] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      expect(String(said)).toBe("ready\n");
    } finally {
      child.kill();
      await once(child, "exit");
    }
  }, 60_000);
});
