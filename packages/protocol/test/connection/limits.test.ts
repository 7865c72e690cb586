import { PassThrough, Writable } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectToAgent } from "../../src/connection/ends.ts";
import { ProtocolError } from "../../src/errors.ts";

const warned = vi.fn();
beforeEach(() => {
  warned.mockReset();
  process.on("warning", warned);
});
afterEach(async () => {
  // Node emits warnings in a later tick.
  await tick();
  process.off("warning", warned);
});

type Options = Parameters<typeof connectToAgent>[0];

function connect(options: Partial<Options> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const host = connectToAgent({ input, output, ...options });
  const written = (): { type: string; request_id: string }[] =>
    String(output.read() ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const say = (value: unknown) => input.write(`${JSON.stringify(value)}\n`);
  return { host, input, output, written, say };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof ProtocolError ? error.code : error),
  );
const answerTo = (request_id: string | undefined) => ({
  type: "control_response",
  response: { subtype: "success", request_id },
});
const question = (request_id: string) => ({
  type: "control_request",
  request_id,
  request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" },
});

describe("a request", () => {
  test("is not sent if its signal has already been aborted", async () => {
    const { host, written } = connect();
    expect(await codeOf(host.request("interrupt", {}, { signal: AbortSignal.abort() }))).toBe("aborted");
    await tick();
    expect(written()).toEqual([]);
    await host.close();
  });

  test("that JSON can't represent fails alone and leaves nothing open", async () => {
    const { host } = connect();
    const params = { model: 1n as unknown as string };
    expect(await codeOf(host.request("set_model", params))).toBe("unencodable");
    await host.drain(60_000);
  });

  test("sent after the peer's last message fails at once, even if the peer still reads", async () => {
    const { host, input } = connect();
    input.end();
    await host.ended;
    expect(await codeOf(host.request("interrupt", {}))).toBe("closed");
    expect(host.send({ type: "keep_alive" })).toBeUndefined();
    await host.close();
  });

  test("may wait forever", async () => {
    const { host, written, say } = connect();
    const answer = codeOf(host.request("interrupt", {}, { deadlineMs: Number.POSITIVE_INFINITY }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    say(answerTo(written()[0]?.request_id));
    expect(await answer).toBe("answered");
    await host.close();
    expect(warned).not.toHaveBeenCalled();
  });

  test("may share its signal with any number of others", async () => {
    const { host } = connect();
    const caller = new AbortController();
    const { signal } = caller;
    const requests = Array.from({ length: 50 }, () => codeOf(host.request("interrupt", {}, { signal })));
    caller.abort();
    expect(new Set(await Promise.all(requests))).toEqual(new Set(["aborted"]));
    await host.close();
    await tick();
    expect(warned).not.toHaveBeenCalled();
  });
});

test.each([
  ["an object without a prototype", Object.create(null)],
  ["an object whose text throws", { toString: () => assertNever() }],
  ["an error whose message is no text", Object.assign(new Error(), { message: Object.create(null) })],
  ["undefined", undefined],
  ["a symbol", Symbol("s")],
])("a handler that throws %s still answers the request", async (_name, thrown) => {
  const { host, say, written } = connect({
    handlers: {
      can_use_tool: () => {
        throw thrown;
      },
    },
  });
  say(question("q"));
  await tick();
  await tick();
  expect(written()).toMatchObject([
    { response: { subtype: "error", request_id: "q", error: expect.any(String) } },
  ]);
  await host.close();
});

function assertNever(): never {
  throw new Error("no text");
}

describe("drain", () => {
  test("called twice resolves twice, as soon as nothing is open", async () => {
    const { host, say, written } = connect();
    const answer = codeOf(host.request("interrupt", {}));
    await tick();
    const drained = [host.drain(60_000), host.drain(60_000)];
    say(answerTo(written()[0]?.request_id));
    expect(await answer).toBe("answered");
    await Promise.all(drained);
  });

  test("waits for requests that a handler sends", async () => {
    const { host, say, written } = connect({
      handlers: {
        can_use_tool: async () => {
          await host.request("interrupt", {});
          return { behavior: "allow" as const };
        },
      },
    });
    say(question("q"));
    await tick();
    const drained = host.drain(60_000);
    say(answerTo(written()[0]?.request_id));
    await drained;
    expect(written()).toMatchObject([{ response: { subtype: "success", request_id: "q" } }]);
  });

  test("ends even if the peer never reads", async () => {
    const { host } = connect({ output: new Writable({ write() {} }) });
    host.send({ type: "keep_alive", startup_mark: "x".repeat(1_000_000) });
    await host.drain(10);
    expect(host.send({ type: "keep_alive" })?.code).toBe("closed");
  });
});

describe("a peer that keeps sending requests without reading", () => {
  test("is paused before its answers fill the memory, and served again once it reads", async () => {
    const blocked: (() => void)[] = [];
    const output = new Writable({ write: (_chunk, _encoding, done) => void blocked.push(done) });
    const message = "x".repeat(10_000);
    let answered = 0;
    const { host, input, say } = connect({
      output,
      handlers: {
        can_use_tool: () => {
          answered++;
          return { behavior: "deny", message };
        },
      },
    });
    const questions = 5000;
    for (let i = 0; i < questions; i++) {
      say(question(`q${i}`));
      if (i % 100 === 0) await tick();
    }
    for (let last = -1; last !== answered; await tick()) last = answered;
    expect(answered).toBeLessThan(2500);
    expect(output.writableLength).toBeLessThan(32 * 1024 * 1024);
    expect(input.readableLength).toBeGreaterThan(0);
    while (answered < questions || blocked.length > 0) {
      blocked.shift()?.();
      await tick();
    }
    expect(output.writableLength).toBe(0);
    await host.close();
  });
});

describe("a peer that sends requests faster than they are answered", () => {
  test("is still read, and refused only beyond the limit of open requests", async () => {
    const stopped: string[] = [];
    let asked = 0;
    const { host, input, output } = connect({
      handlers: {
        can_use_tool: (_request, { requestId, signal }) => {
          asked++;
          signal.addEventListener("abort", () => stopped.push(requestId));
          return new Promise(() => {});
        },
      },
    });
    let refused = 0;
    output.on("data", (chunk) => {
      refused += String(chunk).split("\n").length - 1;
    });
    for (let block = 0; block < 12; block++) {
      const lines = Array.from({ length: 1000 }, (_, i) => JSON.stringify(question(`q${block * 1000 + i}`)));
      input.write(`${lines.join("\n")}\n`);
    }
    input.write(`${JSON.stringify({ type: "control_cancel_request", request_id: "q7" })}\n`);
    await expect.poll(() => stopped, { timeout: 15_000 }).toEqual(["q7"]);
    expect(asked).toBe(10_000);
    expect(refused).toBe(2000);
    await host.close();
  }, 20_000);

  test("is read at the pace of the handlers", async () => {
    let open = 0;
    let most = 0;
    const { host, input, output } = connect({
      handlers: {
        can_use_tool: async () => {
          most = Math.max(most, ++open);
          await tick();
          await tick();
          open--;
          return { behavior: "allow" };
        },
      },
    });
    let answered = 0;
    output.on("data", (chunk) => {
      answered += String(chunk).split("\n").length - 1;
    });
    for (let i = 0; i < 20_000; i++) input.write(`${JSON.stringify(question(`q${i}`))}\n`);
    await expect.poll(() => answered, { timeout: 15_000 }).toBe(20_000);
    expect(most).toBeLessThan(1000);
    await host.close();
  }, 20_000);
});

describe("close", () => {
  test("refuses messages while the last ones are being written", async () => {
    const { host, output } = connect();
    host.send({ type: "keep_alive" });
    const closed = host.close();
    expect(host.send({ type: "keep_alive" })?.code).toBe("closed");
    await closed;
    expect(String(output.read()).trim().split("\n")).toHaveLength(1);
  });

  test("discards everything from a peer that keeps writing without reading, and answers nothing", async () => {
    const output = new Writable({ write() {} });
    const asked = vi.fn();
    const { host, input, say } = connect({ output, handlers: { can_use_tool: asked } });
    host.send({ type: "keep_alive" });
    const closed = host.close();
    say(question("q"));
    for (let i = 0; i < 1000; i++) input.write('{"type":"keep_alive"}\n');
    while (input.readableLength > 0) await tick();
    expect(host.messages.weight).toBe(0);
    expect(asked).not.toHaveBeenCalled();
    output.destroy();
    await closed;
  });
});
