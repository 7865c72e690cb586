import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Malformed } from "../../src/lines/malformed.ts";
import { alone, codeOf, connect, line, success } from "./rig.ts";

describe("messages", () => {
  test("arrive in order, and none is lost before the first reader", async () => {
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

  test("of an unknown type arrive complete", async () => {
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

  test("continue after malformed lines", async () => {
    const faults: Malformed[] = [];
    const { host, fromAgent } = alone({ onMalformed: (fault) => faults.push(fault) });
    fromAgent.end(`Welcome!\nnull\n{"no":"type"}\n${line({ type: "keep_alive" })}{"type":`);
    const types: string[] = [];
    for await (const message of host.messages) types.push(message.type);
    expect(types).toEqual(["keep_alive"]);
    expect(faults.map((fault) => fault.code)).toEqual(["not_json", "not_an_object", "no_type", "not_json"]);
  });

  test("pause the peer until they are read", async () => {
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

  test("that wait do not delay the answer to a request", async () => {
    const { host, agent } = connect({}, { handlers: { interrupt: () => ({ still_queued: ["u1"] }) } });
    const text = "x".repeat(1 << 20);
    for (let i = 0; i < 30; i++) {
      agent.send({ type: "keep_alive", startup_mark: text });
      await tick();
    }
    expect(await host.request("interrupt", {}, { deadlineMs: 5000 })).toEqual({ still_queued: ["u1"] });
  });
});

describe("the end of a connection", () => {
  test("a write to a dead peer returns an error", async () => {
    const { host, toAgent } = alone();
    toAgent.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await tick();
    expect(host.send({ type: "keep_alive" })).toMatchObject({ code: "not_writable" });
    expect(await codeOf(host.request("interrupt", {}))).toBe("not_writable");
  });

  test("a write after close returns an error", async () => {
    const { host } = alone();
    await host.close();
    expect(host.send({ type: "keep_alive" })).toMatchObject({ code: "closed" });
  });

  test("close writes everything sent before", async () => {
    const { host, toAgent } = alone();
    host.send({ type: "keep_alive" });
    await host.close();
    expect(String(toAgent.read())).toBe(line({ type: "keep_alive" }));
  });

  test("drain waits for open requests, then closes", async () => {
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

  test("a broken stream is reported and settles everything", async () => {
    const { host, fromAgent } = alone();
    const code = codeOf(host.request("interrupt", {}));
    fromAgent.destroy(new Error("EIO"));
    expect(await host.ended).toMatchObject({ code: "closed", cause: { message: "EIO" } });
    expect(await code).toBe("closed");
  });
});

test("an observer sees every message on arrival and every line as it is on the wire", async () => {
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
