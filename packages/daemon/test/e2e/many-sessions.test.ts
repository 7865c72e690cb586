import { ListSessionsRequestSchema, type Session, SessionStatus } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { Code, type HandlerContext } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { sessionService } from "../../src/rpc/session-service.ts";
import type { Write } from "../../src/store/write.ts";
import { newRecord } from "../store/place.ts";
import { openBench, type Talk } from "./daemon-bench.ts";

const SESSIONS = 1000;
const MINUTE = 60_000;

/** Adds sessions to the store, each updated a minute before the previous one. */
async function fill({ running }: Talk, cwd: string): Promise<void> {
  const now = Date.now();
  await running.daemon.store.write(
    Array.from(
      { length: SESSIONS },
      (_, i): Write => ({
        type: "addSession",
        record: newRecord({
          id: `session-${String(i).padStart(4, "0")}`,
          title: i % 100 === 7 ? `the lucky one, ${i}` : `session ${i}`,
          cwd,
          agent: "agentwire",
          status: i % 250 === 249 ? SessionStatus.FAILED : SessionStatus.IDLE,
          createdMs: now - i * MINUTE,
          updatedMs: now - i * MINUTE,
        }),
      }),
    ),
  );
}

/** All pages, and how long each took. */
async function pages(
  { sessions }: Talk,
  wish: Parameters<Talk["sessions"]["listSessions"]>[0],
  between = async () => {},
) {
  const found: Session[] = [];
  const times: number[] = [];
  for (let pageToken = "", more = true; more; more = pageToken !== "") {
    const began = performance.now();
    const page = await sessions.listSessions({ ...wish, pageToken });
    times.push(performance.now() - began);
    found.push(...page.sessions);
    pageToken = page.nextPageToken;
    await between();
  }
  return { found, times };
}

test("a thousand sessions are listed in pages, latest first and each once, even if some change meanwhile", async () => {
  const bench = openBench();
  const talk = await bench.open();
  await fill(talk, bench.project);
  const all = await pages(talk, { pageSize: 100 });
  expect(all.times).toHaveLength(10);
  const names = all.found.map(({ id }) => id);
  expect(names).toEqual([...names].sort());
  expect(names).toHaveLength(SESSIONS);
  // Far more than needed, and far less than a user would wait.
  expect(all.times.sort((a, b) => a - b)[5]).toBeLessThan(1000);

  let renamed = 0;
  const rename = async () => {
    await talk.sessions.renameSession({ sessionId: "session-0999", title: `renamed ${renamed++}` });
  };
  const meanwhile = await pages(talk, { pageSize: 100 }, rename);
  expect(new Set(meanwhile.found.map(({ id }) => id)).size).toBe(meanwhile.found.length);
  expect(meanwhile.found.map(({ id }) => id).filter((id) => id !== "session-0999")).toEqual(
    names.filter((id) => id !== "session-0999"),
  );
  expect((await pages(talk, { pageSize: 100_000 })).times).toHaveLength(2);

  const lucky = await pages(talk, { search: "lucky one", pageSize: 3 });
  expect(lucky.found.map(({ id }) => id)).toEqual(names.filter((_, i) => i % 100 === 7));
  const urgent = await talk.sessions.listSessions({ byAttention: true, pageSize: 4 });
  expect(urgent.sessions.map(({ status }) => status)).toEqual(Array(4).fill(SessionStatus.FAILED));
  await expect(talk.sessions.listSessions({ pageToken: "made up" })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
}, 60_000);

test("other requests are served while the largest page is built", async () => {
  const bench = openBench();
  const talk = await bench.open();
  await fill(talk, bench.project);
  let turns = 0;
  let counting = setImmediate(function count() {
    turns++;
    counting = setImmediate(count);
  });
  const request = create(ListSessionsRequestSchema, { pageSize: 500 });
  const answer = await sessionService(talk.running.daemon).listSessions(request, {} as HandlerContext);
  clearImmediate(counting);
  expect(answer.sessions).toHaveLength(500);
  expect(turns).toBeGreaterThanOrEqual(9);
});
