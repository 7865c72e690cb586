import { execFile } from "node:child_process";
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HealthStatus } from "@agentwire/api";
import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { statementsOf } from "../../src/store/sqlite/statements.ts";
import { Writer } from "../../src/store/sqlite/writer.ts";
import { appendEvent } from "../store/place.ts";
import { openBench, ownAgent, type Talk } from "./daemon-bench.ts";

const NO_ROOM = fileURLToPath(new URL("no-room.mjs", import.meta.url));

/** Overwrites part of a file. */
function damage(file: string, from: number, bytes: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(bytes, 0xff), 0, bytes, from);
  closeSync(handle);
}

async function refusesWork(talk: Talk): Promise<void> {
  await expect(talk.create()).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining("restore a backup"),
  });
}

describe("a damaged store", () => {
  test("is reported at startup, accepts nothing, and can be read as far as possible", async () => {
    const bench = openBench();
    const agents = [ownAgent(bench, [{ text: "Hello." }])];
    const first = await bench.open({ agents });
    const id = await first.create();
    await first.turn(id, "one");
    await first.running.stop();
    const file = join(bench.folder, "state", "agentwire.db");
    // Large enough that the damage misses the pages of the sessions and of the first events.
    const writer = await Writer.open(file);
    await writer.write(
      statementsOf(
        Array.from({ length: 2000 }, (_, i) => appendEvent(id, { seq: 1000 + i, body: Buffer.alloc(500) })),
      ),
    );
    await writer.close();
    const { size } = statSync(file);
    damage(file, Math.floor(size / 2 / 4096) * 4096, 8192);

    const second = await bench.open({ agents });
    const health = await second.health.healthDetails({});
    expect(health.status).toBe(HealthStatus.NOT_SERVING);
    expect(health.store).toMatchObject({
      state: "corrupt",
      message: expect.stringContaining("move the file away"),
    });
    expect(health.sessions?.total).toBe(1);
    await refusesWork(second);
    await expect(second.sessions.sendPrompt({ sessionId: id, text: "two" })).rejects.toMatchObject({
      code: Code.Unavailable,
    });
    const { events } = await second.sessions.listEvents({ sessionId: id, pageSize: 1 });
    expect(events[0]?.body.case).toBe("userInput");
  }, 60_000);

  test("that is not a database at all is reported by the daemon", async () => {
    const bench = openBench();
    const first = await bench.open();
    await first.running.stop();
    writeFileSync(join(bench.folder, "state", "agentwire.db"), "not a database".repeat(1000));
    const second = await bench.open();
    const { status, store } = await second.health.healthDetails({});
    expect(status).toBe(HealthStatus.NOT_SERVING);
    expect(store?.state).toBe("corrupt");
    await refusesWork(second);
    expect((await second.sessions.listSessions({})).sessions).toEqual([]);
  }, 60_000);
});

test("a backup is made while sessions run, and a daemon can start from it", async () => {
  const bench = openBench();
  const agents = [ownAgent(bench, [{ text: "Remember the milk." }])];
  const first = await bench.open({ agents });
  const id = await first.create();
  await first.turn(id, "hello");
  const path = join(bench.folder, "restored", "agentwire.db");
  await expect(first.admin.backup({ path: "relative.db" })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  await expect(first.admin.backup({ path })).rejects.toMatchObject({
    rawMessage: expect.stringContaining("there is no folder"),
  });
  const copy = join(bench.folder, "copy.db");
  const { sizeBytes } = await first.admin.backup({ path: copy });
  expect(Number(sizeBytes)).toBe(statSync(copy).size);
  await first.running.stop();

  const folder = join(bench.folder, "state2");
  mkdirSync(folder, { mode: 0o700 });
  await promisify(execFile)("install", ["-m", "600", copy, join(folder, "agentwire.db")]);
  const second = await bench.open({ agents, folder, socketPath: join(folder, "daemon.sock") });
  const { events } = await second.sessions.listEvents({ sessionId: id });
  expect(events.some(({ body }) => body.case === "text" && body.value.text === "Remember the milk.")).toBe(
    true,
  );
}, 60_000);

test("a store that cannot grow loses nothing acknowledged, and the daemon continues when it can", async () => {
  const bench = openBench();
  const { stdout } = await promisify(execFile)(process.execPath, [NO_ROOM, bench.project]);
  const told = JSON.parse(stdout) as Record<string, unknown>;
  expect(told).toMatchObject({
    stateWhenFull: "full",
    statusWhenFull: "NOT_SERVING",
    refusedWhenFull: true,
    stateAfterwards: "ok",
    turnAfterwards: true,
  });
  expect(told.acknowledged).toBeGreaterThan(0);
  expect(told.lost).toEqual([]);
}, 120_000);
