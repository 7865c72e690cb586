import { expect, test } from "vitest";
import { type AcpPort, AcpRouter } from "../../src/dialect/acp/router.ts";
import type { JsonObject } from "../../src/json.ts";
import { LineSplitter } from "../../src/lines/lines.ts";
import { parseLine } from "../../src/lines/parse.ts";

/** A router whose sessions answer every request with their number, once `open` lets them open. */
function newRouter(open: () => Promise<void> = async () => {}) {
  const written: JsonObject[] = [];
  const closed: string[] = [];
  const router = new AcpRouter({
    write: (line) => void written.push(line),
    open: async ({ method, params, write }): Promise<AcpPort> => {
      await open();
      const sessionId = method === "session/new" ? "s1" : String(params.sessionId);
      return {
        take: ({ id, method: asked }) => {
          if (asked !== "initialize" && id !== undefined)
            write({ jsonrpc: "2.0", id, result: { sessionId } });
        },
        close: async () => void closed.push(sessionId),
      };
    },
  });
  const splitter = new LineSplitter(10_000);
  const take = (...lines: readonly (string | object)[]) => {
    for (const line of lines)
      for (const whole of splitter.push(
        Buffer.from(`${typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line })}\n`),
      ))
        router.take(parseLine(whole));
  };
  return { take, written, closed, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

const cwd = "/somewhere";
const error = (id: unknown, code: number, message: unknown) => ({ id, error: { code, message } });

test("the router answers a line that can't be read, with its id if it shows one", () => {
  const { take, written } = newRouter();
  take("{broken", "[]", { id: 9 }, { id: 10, method: 42 }, { id: {}, method: "initialize" });
  take({ id: 11, method: "session/prompt", params: { text: "x".repeat(20_000) } });
  take({ id: "eleven", method: "session/prompt", params: { text: "x".repeat(20_000) } });
  take({ method: "session/prompt", params: { id: 12, text: "x".repeat(20_000) } });
  expect(written).toMatchObject([
    error(null, -32700, expect.stringContaining("not JSON")),
    error(null, -32600, expect.stringContaining("an array")),
    error(9, -32600, "a request needs a method"),
    error(10, -32600, "a request needs a method"),
    error(null, -32600, "an id must be a string or a number"),
    error(11, -32600, expect.stringContaining("too long")),
    error("eleven", -32600, expect.stringContaining("too long")),
    error(null, -32600, expect.stringContaining("too long")),
  ]);
});

test("the router does not open a session without a name or a folder", () => {
  const { take, written } = newRouter();
  take({ id: 1, method: "session/new" }, { id: 2, method: "session/new", params: { cwd: "here" } });
  take(
    { id: 3, method: "session/load", params: { cwd } },
    { id: 4, method: "session/resume", params: { cwd, sessionId: 5 } },
  );
  expect(written).toMatchObject([
    error(1, -32602, "cwd: give an absolute path"),
    error(2, -32602, "cwd: give an absolute path"),
    error(3, -32602, "sessionId: give a session id"),
    error(4, -32602, "sessionId: give a session id"),
  ]);
});

test("the router answers the requests to a session that can't be opened", async () => {
  const { take, written, settled } = newRouter(() => Promise.reject(new Error("no such session")));
  const params = { sessionId: "gone", cwd };
  take({ id: 1, method: "session/load", params });
  take({ id: 2, method: "session/set_mode", params }, { id: 3, method: "session/close", params });
  await settled();
  expect(written).toMatchObject([
    error(1, -32603, "no such session"),
    error(2, -32002, 'there is no open session "gone"'),
    error(3, -32002, 'there is no open session "gone"'),
  ]);
});

test("the router answers the requests to a session that ends, with the reason", async () => {
  const written: JsonObject[] = [];
  let end = (_reason: string) => {};
  const router = new AcpRouter({
    write: (line) => void written.push(line),
    open: async ({ write, ended }) => {
      end = ended;
      return {
        take: ({ id, method }) => {
          if (method === "session/new") write({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
        },
        close: async () => {},
      };
    },
  });
  router.take({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd } });
  await new Promise((resolve) => setImmediate(resolve));
  router.take({ jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s1" } });
  router.take({ jsonrpc: "2.0", id: 4, method: "session/close", params: { sessionId: "s1" } });
  end("the agent is gone");
  router.take({ jsonrpc: "2.0", id: 3, method: "session/prompt", params: { sessionId: "s1" } });
  expect(written).toMatchObject([
    { id: 1, result: { sessionId: "s1" } },
    error(2, -32603, "the agent is gone"),
    { id: 4, result: {} },
    error(3, -32002, 'there is no open session "s1"'),
  ]);
});

test("the router closes a session that is closed while it is being opened", async () => {
  let open = () => {};
  const { take, written, closed, settled } = newRouter(
    () =>
      new Promise((resolve) => {
        open = resolve;
      }),
  );
  const params = { sessionId: "slow", cwd };
  take({ id: 1, method: "session/load", params }, { id: 2, method: "session/close", params });
  open();
  await settled();
  expect(written.map(({ id }) => id)).toEqual([1, 2]);
  expect(closed).toEqual(["slow"]);
});
