import { join } from "node:path";
import { collectQuestions, type Event, ListEventsResponseSchema } from "@agentwire/api";
import { toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { openBench, ownAgent } from "../e2e/daemon-bench.ts";

/** What gRPC clients accept by default. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

test("pages of a history with large events fit into a message, and contain every event once", async () => {
  const bench = openBench();
  const steps = Array.from({ length: 5 }, (_, index) => ({
    text: `${index}${"x".repeat(1_000_000)}`,
    chunkSize: 100_000,
  }));
  const talk = await bench.open({ agents: [ownAgent(bench, steps)] });
  const sessionId = await talk.create();
  for (const { text } of steps) await talk.turn(sessionId, `say ${text[0]}`);

  const read = async (backwards: boolean) => {
    const pages: Event[][] = [];
    for (let fromSeq = 0n, hasMore = true; hasMore; ) {
      const page = await talk.sessions.listEvents({ sessionId, fromSeq, backwards, pageSize: 1000 });
      expect(toBinary(ListEventsResponseSchema, page).length).toBeLessThan(MAX_MESSAGE_BYTES);
      pages.push(page.events);
      hasMore = page.more;
      fromSeq = page.events.at(backwards ? 0 : -1)?.seq ?? 0n;
    }
    return backwards ? pages.reverse() : pages;
  };
  const [forwards, backwards] = [await read(false), await read(true)];
  expect(forwards.length).toBeGreaterThan(2);
  expect(backwards.flat()).toEqual(forwards.flat());
  const texts = forwards.flat().flatMap(({ body }) => (body.case === "text" ? [body.value.text] : []));
  expect(texts).toEqual(steps.map(({ text }) => text));
}, 60_000);

test("all open questions are collected, though a page of large ones ends early", async () => {
  const bench = openBench();
  const input = { file_path: join(bench.project, "large.txt"), content: "x".repeat(900_000) };
  const agents = [
    ownAgent(bench, [{ chunkSize: 100_000, content: [{ type: "tool_use", name: "Write", input }] }]),
  ];
  const { sessions, questions, create } = await bench.open({ agents });
  const ids = [await create(), await create(), await create()];
  for (const sessionId of ids) await sessions.sendPrompt({ sessionId, text: "write it" });
  const asking = async () => (await collectQuestions(questions, {})).questions.length;
  await expect.poll(asking, { timeout: 30_000 }).toBe(ids.length);

  expect((await questions.listQuestions({})).questions).toHaveLength(2);
  const two = await collectQuestions(questions, { pageSize: 2 });
  expect(two.questions).toHaveLength(2);
  const rest = await questions.listQuestions({ pageToken: two.nextPageToken });
  expect([...two.questions, ...rest.questions].map(({ sessionId }) => sessionId).sort()).toEqual(ids.sort());
  expect(rest.nextPageToken).toBe("");
  const one = await collectQuestions(questions, { sessionId: ids[0] ?? "" });
  expect(one.questions).toHaveLength(1);
}, 60_000);
