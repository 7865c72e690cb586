import { type IncomingHttpHeaders, request } from "node:http";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { SessionStatus } from "@agentwire/api";
import { expect, test, vi } from "vitest";
import { boundary } from "../src/boundary.ts";
import { type Handler, listen } from "../src/http/front.ts";
import { isIdle, newSession, start, upTo, withTinyDaemon } from "./session/tiny-daemon.ts";

withTinyDaemon();

/** What a client receives from a handler, and the failures that are reported. */
async function played(handler: Handler, headers: IncomingHttpHeaders = {}) {
  const reported: unknown[] = [];
  const listener = await listen({ host: "127.0.0.1", port: 0 }, handler, (...what) => reported.push(what));
  try {
    const answer = await new Promise<{ status: number; headers: IncomingHttpHeaders; body: string } | string>(
      (resolve) => {
        request(`${listener.address}/a/path`, { headers, agent: false }, async (response) => {
          const body = await text(response).catch(() => "broken off");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        })
          .on("error", ({ message }) => resolve(message))
          .end();
      },
    );
    return { answer, reported };
  } finally {
    await listener.close();
  }
}

const broken = new Error("broken");
const REPORT = ["request", broken, { path: "/a/path" }];

test("an exception in a handler becomes an error of that request, in the client's protocol", async () => {
  const throws: Handler = () => {
    throw broken;
  };
  expect(await played(throws)).toMatchObject({
    answer: {
      status: 500,
      body: '{"code":"internal","message":"the daemon failed unexpectedly; see its log"}\n',
    },
    reported: [REPORT],
  });
  expect(await played(throws, { "content-type": "application/grpc" })).toMatchObject({
    answer: {
      status: 200,
      headers: { "grpc-status": "13", "grpc-message": "the daemon failed unexpectedly; see its log" },
    },
    reported: [REPORT],
  });
});

test("a rejected promise becomes an error of that request", async () => {
  const rejects = async () => {
    await null;
    throw broken;
  };
  expect(await played(rejects)).toMatchObject({ answer: { status: 500 }, reported: [REPORT] });
});

test("a response that has already started is aborted", async () => {
  const { answer, reported } = await played((_, response) => {
    response.writeHead(200, { "content-length": "10" });
    (response as Writable).write("12");
    throw broken;
  });
  expect([answer, reported]).toEqual([expect.anything(), [REPORT]]);
  expect(answer).not.toMatchObject({ body: "12" });
});

test("a write after the end of the response is reported and does no harm", async () => {
  const { answer, reported } = await played((_, response) => {
    response.end("done");
    (response as Writable).write("more");
  });
  expect(answer).toMatchObject({ status: 200, body: "done" });
  expect(reported).toEqual([
    ["request", expect.objectContaining({ code: "ERR_STREAM_WRITE_AFTER_END" }), REPORT[2]],
  ]);
});

test("a boundary catches both synchronous exceptions and rejected promises", async () => {
  const failed = vi.fn();
  const guard = boundary(failed);
  guard(() => {
    throw broken;
  })();
  guard(async () => Promise.reject(broken))();
  await vi.waitFor(() => expect(failed.mock.calls).toEqual([[broken], [broken]]));
});

test("a session that hits a bug in the daemon is reported and restarted; other sessions continue", async () => {
  const daemon = await start();
  const session = await newSession(daemon);
  const other = await newSession(daemon);
  const count = daemon.metrics.turn;
  daemon.metrics.turn = () => {
    daemon.metrics.turn = count;
    throw broken;
  };
  await session.send("hello", "test", null);
  await vi.waitFor(() => expect(daemon.metrics.bugs.text()).toContain('{place="session"} 1'), 10_000);
  await other.send("hello", "test", null);
  await upTo(other, isIdle);
  await vi.waitFor(
    async () => expect(await daemon.registry.get(session.record.id)).not.toBe(session),
    10_000,
  );
  const again = await daemon.registry.get(session.record.id);
  expect(again.record.status).toBe(SessionStatus.IDLE);
  const { seq } = await again.send("again", "test", null);
  await upTo(again, isIdle, Number(seq));
});
