import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { alone, line, success } from "./rig.ts";

const said = (startup_mark: string) => line({ type: "keep_alive", startup_mark });
const asked = (id: string) =>
  line({
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: id, input: {}, tool_use_id: "t" },
  });

/** One end that takes messages as they arrive, and after the first wants no more until told so. */
function taking() {
  const seen: string[] = [];
  let goOn = () => {};
  const room = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { host, fromAgent, written } = alone({
    take: (message, text) => {
      if ("startup_mark" in message) seen.push(String(message.startup_mark));
      expect(text).toBe(JSON.stringify(message));
      return seen.length === 1 ? room : undefined;
    },
    handlers: {
      can_use_tool: ({ tool_name }, { line: text = "" }) => {
        seen.push(tool_name);
        expect(JSON.parse(text)).toMatchObject({ request_id: tool_name });
        return { behavior: "deny", message: "no" };
      },
    },
  });
  return { host, fromAgent, written, seen, goOn };
}

/** One end whose consumer and handler record what they see. */
function observed(layers = 0) {
  const seen: string[] = [];
  const { host, fromAgent, written } = alone({
    handlers: {
      can_use_tool: ({ tool_name }) => {
        seen.push(tool_name);
        return { behavior: "deny", message: "no" };
      },
    },
  });
  let messages: AsyncIterable<{ readonly type: string }> = host.messages;
  for (let layer = 0; layer < layers; layer++) messages = passedOn(messages);
  const read = (async () => {
    for await (const message of messages)
      if ("startup_mark" in message) seen.push(String(message.startup_mark));
  })();
  return { host, fromAgent, written, seen, read };
}

async function* passedOn<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const message of messages) yield message;
}

describe("requests and answers", () => {
  test.each([0, 3])(
    "stay in order with the messages of a chunk that is read through %i layers",
    async (layers) => {
      const { fromAgent, seen, read } = observed(layers);
      const expected = ["m1", "m2", "q1", "q2", "m3", "q3", "m4"];
      fromAgent.end(expected.map((name) => (name.startsWith("m") ? said(name) : asked(name))).join(""));
      await read;
      expect(seen).toEqual(expected);
    },
  );

  test("reach the requester after the messages before them", async () => {
    const { host, fromAgent, written, seen, read } = observed(3);
    const answered = host.request("interrupt", {}).then(() => seen.push("answer"));
    await tick();
    const [{ request_id }] = written();
    fromAgent.end(`${said("m1")}${said("m2")}${success(request_id)}${said("m3")}`);
    await Promise.all([answered, read]);
    expect(seen).toEqual(["m1", "m2", "answer", "m3"]);
  });

  test("do not wait for a consumer that takes nothing", async () => {
    const { host, fromAgent, written } = alone();
    const answered = host.request("interrupt", {});
    await tick();
    const [{ request_id }] = written();
    fromAgent.write(`${said("m1")}${success(request_id)}`);
    await answered;
    expect(host.messages.length).toBe(1);
  });

  test("arrive in order, each with its line, when messages are taken as they arrive", async () => {
    const { host, fromAgent, seen, goOn } = taking();
    const expected = ["m1", "m2", "q1", "q2", "m3", "q3", "m4"];
    goOn();
    fromAgent.end(expected.map((name) => (name.startsWith("m") ? said(name) : asked(name))).join(""));
    await host.ended;
    expect(seen).toEqual(expected);
    expect(host.messages.length).toBe(0);
  });

  test("wait behind messages that are not wanted yet, except for the answer to a request", async () => {
    const { host, fromAgent, written, seen, goOn } = taking();
    fromAgent.write(said("m1"));
    await tick();
    fromAgent.write(said("m2") + asked("q1"));
    await tick();
    await tick();
    expect(seen).toEqual(["m1"]);
    expect(host.isHoldingBack).toBe(true);
    const answered = host.request("interrupt", {});
    await tick();
    const { request_id } = written().find(({ type }) => type === "control_request") ?? {};
    fromAgent.write(success(request_id));
    await answered;
    expect(seen).toEqual(["m1", "m2", "q1"]);
    fromAgent.write(said("m3"));
    await tick();
    await tick();
    expect(seen).toEqual(["m1", "m2", "q1"]);
    goOn();
    await tick();
    await tick();
    expect(seen).toEqual(["m1", "m2", "q1", "m3"]);
  });

  test("have no effect after the connection was closed", async () => {
    const { host, fromAgent, seen, read } = observed();
    fromAgent.write(said("m1") + asked("q1"));
    await new Promise((resolve) => process.nextTick(resolve));
    await host.close();
    await read;
    expect(seen).not.toContain("q1");
  });
});
