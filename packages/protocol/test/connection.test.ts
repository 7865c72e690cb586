import { PassThrough } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { AgentConnection, HostConnection } from "../src/ends.ts";
import { connectToAgent, connectToHost } from "../src/ends.ts";
import { ProtocolError } from "../src/errors.ts";
import type { Malformed } from "../src/malformed.ts";

type Open = { close(): Promise<void> };
const open: Open[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

type HostOptions = Partial<Parameters<typeof connectToAgent>[0]>;
type AgentOptions = Partial<Parameters<typeof connectToHost>[0]>;

/** Two ends of one wire, and the wire itself. */
function connect(hostOptions: HostOptions = {}, agentOptions: AgentOptions = {}) {
  const toAgent = new PassThrough();
  const toHost = new PassThrough();
  const host: AgentConnection = connectToAgent({ input: toHost, output: toAgent, ...hostOptions });
  const agent: HostConnection = connectToHost({ input: toAgent, output: toHost, ...agentOptions });
  open.push(host, agent);
  return { host, agent, toAgent, toHost };
}

/** One end, with the test at the other. */
function alone(options: HostOptions = {}) {
  const fromAgent = new PassThrough();
  const toAgent = new PassThrough();
  const host = connectToAgent({ input: fromAgent, output: toAgent, ...options });
  open.push(host);
  const written = () => {
    const text = String(toAgent.read() ?? "");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return { host, fromAgent, toAgent, written };
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const success = (requestId: string, response: unknown = {}) =>
  line({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof ProtocolError ? error.code : error),
  );

describe("messages", () => {
  test("arrive in order, and nothing is lost before the first reader", async () => {
    const { host, agent } = connect();
    for (let i = 0; i < 100; i++) agent.send({ type: "keep_alive", startup_mark: `${i}` });
    await agent.flushed();
    await tick();
    await agent.close();
    const marks: unknown[] = [];
    for await (const message of host.messages)
      marks.push(message.type === "keep_alive" ? message.startup_mark : message);
    expect(marks).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
  });

  test("of an unknown type arrive whole", async () => {
    const { host, fromAgent } = alone();
    fromAgent.end(line({ type: "brand_new", payload: { a: 1 } }));
    for await (const message of host.messages) {
      expect(message).toMatchObject({
        type: "unknown",
        raw_type: "brand_new",
        payload: { payload: { a: 1 } },
      });
    }
    expect.assertions(1);
  });

  test("go on after lines that are none", async () => {
    const faults: Malformed[] = [];
    const { host, fromAgent } = alone({ onMalformed: (fault) => faults.push(fault) });
    fromAgent.end(`Welcome!\nnull\n{"no":"type"}\n${line({ type: "keep_alive" })}{"type":`);
    const types: string[] = [];
    for await (const message of host.messages) types.push(message.type);
    expect(types).toEqual(["keep_alive"]);
    expect(faults.map((fault) => fault.code)).toEqual(["not_json", "not_an_object", "no_type", "not_json"]);
  });

  test("make the peer wait when nobody takes them, until someone does", async () => {
    const { host, agent, toHost } = connect();
    const text = "x".repeat(1 << 20);
    let sent = 0;
    for (; sent < 100 && !agent.room; sent++) {
      agent.send({ type: "keep_alive", startup_mark: text });
      await tick();
      await tick();
    }
    expect(agent.room).toBeInstanceOf(Promise);
    expect(sent).toBeLessThan(40);
    expect(toHost.readableLength).toBeGreaterThan(0);
    while (host.messages.take()) await tick();
    await agent.room;
    expect(agent.room).toBeUndefined();
  });

  test("that wait do not hold back the answer to a request", async () => {
    const { host, agent } = connect({}, { handlers: { interrupt: () => ({ still_queued: ["u1"] }) } });
    const text = "x".repeat(1 << 20);
    for (let i = 0; i < 30; i++) {
      agent.send({ type: "keep_alive", startup_mark: text });
      await tick();
    }
    expect(await host.request("interrupt", {}, { timeoutMs: 5000 })).toEqual({ still_queued: ["u1"] });
  });
});

describe("requests", () => {
  test("many are open at once and are matched by id, in whatever order they are answered", async () => {
    const { host, agent } = connect(
      { handlers: { can_use_tool: () => ({ behavior: "allow" }) } },
      {
        handlers: {
          set_model: async ({ model }) => {
            if (model === "slow") await tick();
            return { model: String(model) };
          },
        },
      },
    );
    const answers = await Promise.all([
      host.request("set_model", { model: "slow" }),
      host.request("set_model", { model: "fast" }),
      agent.request("can_use_tool", { tool_name: "Bash", input: {}, tool_use_id: "t1" }),
    ]);
    expect(answers).toMatchObject([{ model: "slow" }, { model: "fast" }, { behavior: "allow" }]);
  });

  test("of an unknown subtype and without a handler are refused at once", async () => {
    const { host, agent, toAgent } = connect();
    await expect(host.request("set_model", { model: "m" })).rejects.toMatchObject({
      code: "refused",
      errorCode: "unsupported_request",
      message: "Unsupported control request subtype: set_model",
    });
    toAgent.write(
      line({ type: "control_request", request_id: "r9", request: { subtype: "from_the_future" } }),
    );
    await tick();
    await tick();
    expect(agent.messages.length).toBe(0);
  });

  test("with a broken payload are answered with an error", async () => {
    const { fromAgent, written } = alone({ handlers: { can_use_tool: () => ({ behavior: "allow" }) } });
    fromAgent.write(
      line({ type: "control_request", request_id: "r1", request: { subtype: "can_use_tool" } }),
    );
    await tick();
    await tick();
    expect(written()).toMatchObject([
      { response: { subtype: "error", request_id: "r1", error_code: "invalid_request" } },
    ]);
  });

  test("whose handler throws, or returns what JSON can't hold, are answered with an error", async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const { fromAgent, written } = alone({
      handlers: {
        can_use_tool: () => {
          throw new Error("no");
        },
        mcp_message: () => ({ mcp_response: cyclic }),
      },
    });
    fromAgent.write(
      line({
        type: "control_request",
        request_id: "r1",
        request: { subtype: "can_use_tool", tool_name: "Bash", input: {} },
      }),
    );
    fromAgent.write(
      line({
        type: "control_request",
        request_id: "r2",
        request: { subtype: "mcp_message", server_name: "s", message: {} },
      }),
    );
    await tick();
    await tick();
    expect(written()).toMatchObject([
      { response: { subtype: "error", request_id: "r1", error: "no" } },
      { response: { subtype: "error", request_id: "r2" } },
    ]);
  });

  test("are withdrawn by their signal: the peer's handler is told and its answer is not sent", async () => {
    const told: unknown[] = [];
    const { host, agent } = connect({
      handlers: {
        can_use_tool: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              told.push((signal.reason as ProtocolError).code);
              resolve({ behavior: "allow" });
            });
          }),
      },
    });
    const controller = new AbortController();
    const code = codeOf(
      agent.request(
        "can_use_tool",
        { tool_name: "Bash", input: {}, tool_use_id: "t" },
        { signal: controller.signal },
      ),
    );
    await tick();
    controller.abort();
    expect(await code).toBe("aborted");
    await tick();
    await tick();
    expect(told).toEqual(["aborted"]);
    expect(host.messages.length).toBe(0);
  });

  test("end at their deadline, and the late answer is harmless", async () => {
    const { host, fromAgent, written } = alone();
    expect(await codeOf(host.request("interrupt", {}, { timeoutMs: 10 }))).toBe("timeout");
    const [request, cancel] = written();
    expect(cancel).toEqual({ type: "control_cancel_request", request_id: request.request_id });
    fromAgent.write(success(request.request_id) + success(request.request_id) + success("never asked"));
    fromAgent.end(line({ type: "keep_alive" }));
    for await (const message of host.messages) expect(message.type).toBe("keep_alive");
  });

  test("settle once when they are answered twice", async () => {
    const { host, fromAgent, written } = alone();
    const answer = host.request("set_permission_mode", { mode: "plan" });
    await tick();
    const [{ request_id }] = written();
    fromAgent.write(success(request_id, { mode: "plan" }) + success(request_id, { mode: "default" }));
    expect(await answer).toEqual({ mode: "plan" });
  });

  test("that come twice while open are handled once", async () => {
    let calls = 0;
    const { fromAgent, written } = alone({
      handlers: {
        can_use_tool: async () => {
          calls++;
          await tick();
          return { behavior: "allow" };
        },
      },
    });
    const request = line({
      type: "control_request",
      request_id: "r",
      request: { subtype: "can_use_tool", tool_name: "B", input: {} },
    });
    fromAgent.write(request + request);
    await tick();
    await tick();
    await tick();
    expect([calls, written().length]).toEqual([1, 1]);
  });

  test("all settle when the peer goes away", async () => {
    const { host, fromAgent } = alone();
    const codes = [codeOf(host.request("interrupt", {})), codeOf(host.request("mcp_status", {}))];
    fromAgent.end();
    expect(await Promise.all(codes)).toEqual(["closed", "closed"]);
  });

  test("all settle at close, in both directions", async () => {
    const aborted: boolean[] = [];
    const { host, agent } = connect({
      handlers: {
        can_use_tool: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener("abort", () => aborted.push(true));
          }),
      },
    });
    const asked = codeOf(agent.request("can_use_tool", { tool_name: "Bash", input: {}, tool_use_id: "t" }));
    await tick();
    await tick();
    await host.close();
    expect(aborted).toEqual([true]);
    expect(await asked).toBe("closed");
    expect(await codeOf(host.request("interrupt", {}))).toBe("closed");
  });

  test("of the peer are still answered after it has ended its input", async () => {
    const toAgent = new PassThrough();
    const toHost = new PassThrough();
    const agent = connectToHost({
      input: toAgent,
      output: toHost,
      handlers: {
        interrupt: async () => {
          await tick();
          return { still_queued: [] };
        },
      },
    });
    open.push(agent);
    toAgent.end(line({ type: "control_request", request_id: "r", request: { subtype: "interrupt" } }));
    await agent.ended;
    await tick();
    await tick();
    expect(String(toHost.read())).toBe(success("r", { still_queued: [] }));
  });
});

describe("the end", () => {
  test("a write to a peer that died is an error value", async () => {
    const { host, toAgent } = alone();
    toAgent.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await tick();
    expect(host.send({ type: "keep_alive" })).toMatchObject({ code: "not_writable" });
    expect(await codeOf(host.request("interrupt", {}))).toBe("not_writable");
  });

  test("a write after close is an error value", async () => {
    const { host } = alone();
    await host.close();
    expect(host.send({ type: "keep_alive" })).toMatchObject({ code: "closed" });
  });

  test("close writes what was sent before", async () => {
    const { host, toAgent } = alone();
    host.send({ type: "keep_alive" });
    await host.close();
    expect(String(toAgent.read())).toBe(line({ type: "keep_alive" }));
  });

  test("drain waits for what is open, then closes", async () => {
    const { host, fromAgent, written } = alone();
    const answer = host.request("interrupt", {});
    await tick();
    const [{ request_id }] = written();
    const drained = host.drain(5000);
    fromAgent.write(success(request_id, { still_queued: [] }));
    expect(await answer).toEqual({ still_queued: [] });
    await drained;
    expect(host.send({ type: "keep_alive" })).toMatchObject({ code: "closed" });
  });

  test("drain gives up at its deadline", async () => {
    const { host } = alone();
    const code = codeOf(host.request("interrupt", {}));
    await host.drain(10);
    expect(await code).toBe("closed");
  });

  test("a stream that breaks is reported and settles everything", async () => {
    const { host, fromAgent } = alone();
    const code = codeOf(host.request("interrupt", {}));
    fromAgent.destroy(new Error("EIO"));
    expect(await host.ended).toMatchObject({ code: "closed", cause: { message: "EIO" } });
    expect(await code).toBe("closed");
  });
});

test("an observer sees every message as it comes, and every line as it is on the wire", async () => {
  const types: string[] = [];
  const lines: unknown[] = [];
  const { host, fromAgent } = alone({
    onMessage: ({ type }) => types.push(type),
    onLine: (direction, text) => lines.push([direction, text]),
  });
  host.send({ type: "keep_alive" });
  fromAgent.write(`noise\n{"type":"keep_alive" }\n${success("nobody")}`);
  await tick();
  await tick();
  expect(types).toEqual(["keep_alive", "control_response"]);
  expect(lines).toEqual([
    ["sent", '{"type":"keep_alive"}'],
    ["received", "noise"],
    ["received", '{"type":"keep_alive" }'],
    ["received", success("nobody").trim()],
  ]);
});
