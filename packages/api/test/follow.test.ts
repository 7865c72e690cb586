import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Event, follow, type Watcher } from "@agentwire/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PLACE_FOR_STORES } from "../../../test/place-for-stores.ts";
import { clientAt } from "../../cli/src/talk/client.ts";
import { isFinal } from "../../cli/src/talk/rpc-error.ts";
import { defaultConfig, type RunningDaemon, startDaemon } from "../../daemon/src/index.ts";
import { holesIn } from "../../daemon/test/holes.ts";
import { silentLog } from "../../protocol/src/log.ts";

let folder: string;
let running: RunningDaemon;
const start = () => {
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  return startDaemon(defaultConfig(env, folder), silentLog);
};
beforeEach(async () => {
  folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-follow-"));
  running = await start();
});
afterEach(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

test("follow continues after the last number when the daemon is back, without gaps or duplicates", async () => {
  const client = clientAt({ socketPath: running.addresses[0] ?? "" }, "test");
  const { session } = await client.sessions.createSession({ cwd: folder, prompt: "hello" });
  const sessionId = session?.id ?? "";
  const left = new AbortController();
  const seen: Event[] = [];
  let lost = 0;
  let turns = 0;
  for await (const news of follow(client.sessions, { sessionId, afterSeq: 0n, isFinal }, left.signal)) {
    if (news.type === "lost") {
      lost++;
      running = await start();
      await client.sessions.sendPrompt({ sessionId, text: "what can you do?" });
    }
    if (news.type !== "events") continue;
    seen.push(...news.events);
    for (const { body } of news.events) if (body.case === "turnComplete") turns++;
    if (turns === 1 && lost === 0) await running.stop();
    if (turns === 2) left.abort();
  }
  expect(lost).toBe(1);
  expect(holesIn(seen)).toEqual([]);
}, 60_000);

test("follow gives up if the daemon does not return", async () => {
  const client = clientAt({ socketPath: join(folder, "nobody.sock") }, "test");
  const following = follow(
    client.sessions,
    { sessionId: "x", afterSeq: 0n, patienceMs: 300, isFinal },
    new AbortController().signal,
  );
  expect((await following.next()).value).toEqual({ type: "lost" });
  await expect(following.next()).rejects.toThrow("ENOENT");
}, 30_000);

test("follow does not retry after a permanent error", async () => {
  const client = clientAt({ socketPath: running.addresses[0] ?? "" }, "test");
  const following = follow(
    client.sessions,
    { sessionId: "none", afterSeq: 0n, isFinal },
    new AbortController().signal,
  );
  await expect(following.next()).rejects.toThrow("SESSION_NOT_FOUND");
}, 30_000);

test("follow delivers new events with a notice if the daemon has another history", async () => {
  const client = clientAt({ socketPath: running.addresses[0] ?? "" }, "test");
  const { session } = await client.sessions.createSession({ cwd: folder });
  const sessionId = session?.id ?? "";
  const left = new AbortController();
  const seen: string[] = [];
  for await (const news of follow(client.sessions, { sessionId, afterSeq: 1000n, isFinal }, left.signal)) {
    if (news.type === "notice") seen.push(news.notice.code);
    if (news.type === "caught_up") await client.sessions.sendPrompt({ sessionId, text: "hello" });
    if (news.type !== "events") continue;
    seen.push(...news.events.map(({ body }) => body.case ?? ""));
    if (seen.includes("turnComplete")) left.abort();
  }
  expect(seen.slice(0, 2)).toEqual(["restored", "userInput"]);
}, 60_000);

test("follow ends the call when its reader stops", async () => {
  const { sessions } = clientAt({ socketPath: running.addresses[0] ?? "" }, "test");
  const { session } = await sessions.createSession({ cwd: folder });
  const signals: AbortSignal[] = [];
  const watcher: Watcher = {
    watch: (request, options) => {
      signals.push(options.signal);
      return sessions.watch(request, options);
    },
  };
  const options = { sessionId: session?.id ?? "", afterSeq: 0n, isFinal };
  for await (const { type } of follow(watcher, options, new AbortController().signal))
    if (type === "caught_up") break;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
}, 30_000);
