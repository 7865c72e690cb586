import { PassThrough } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectToHost } from "../../src/connection/ends.ts";
import type { ProtocolError } from "../../src/errors.ts";
import { alone, codeOf, connect, line, success } from "./rig.ts";

describe("requests", () => {
  test("may be open concurrently and are matched by id, whatever the order of the answers", async () => {
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

  test("with an unknown subtype or without a handler are refused at once", async () => {
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

  test("whose handler throws, or returns what JSON can't represent, are answered with an error", async () => {
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

  test("are withdrawn by their signal: the peer's handler is aborted and its answer is not sent", async () => {
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

  test("end at their deadline, and a late answer is ignored", async () => {
    const { host, fromAgent, written } = alone();
    expect(await codeOf(host.request("interrupt", {}, { deadlineMs: 10 }))).toBe("timeout");
    const [request, cancel] = written();
    expect(cancel).toEqual({ type: "control_cancel_request", request_id: request.request_id });
    fromAgent.write(success(request.request_id) + success(request.request_id) + success("never asked"));
    fromAgent.end(line({ type: "keep_alive" }));
    for await (const message of host.messages) expect(message.type).toBe("keep_alive");
  });

  test("settle once if they are answered twice", async () => {
    const { host, fromAgent, written } = alone();
    const answer = host.request("set_permission_mode", { mode: "plan" });
    await tick();
    const [{ request_id }] = written();
    fromAgent.write(success(request_id, { mode: "plan" }) + success(request_id, { mode: "default" }));
    expect(await answer).toEqual({ mode: "plan" });
  });

  test("that arrive twice while open are handled once", async () => {
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

  test("from the peer are still answered after it has closed its input", async () => {
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
    onTestFinished(() => agent.close());
    toAgent.end(line({ type: "control_request", request_id: "r", request: { subtype: "interrupt" } }));
    await agent.ended;
    await tick();
    await tick();
    expect(String(toHost.read())).toBe(success("r", { still_queued: [] }));
  });
});
