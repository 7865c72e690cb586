import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createSdkMcpServer, tool } from "../../src/hosted/sdk-mcp-server.ts";
import { query } from "../../src/query/start-query.ts";
import type { Options } from "../../src/sdk/options.ts";
import { agentFile } from "../programs/agent-file.ts";

/** Makes the agent send a request, optionally withdraw it, and report the answer. */
async function answerTo(
  request: object,
  options: Options,
  withdraw = false,
): Promise<Record<string, unknown>> {
  const line = JSON.stringify({ type: "control_request", request_id: "q", request });
  const cancel = withdraw ? `echo '{"type":"control_cancel_request","request_id":"q"}'` : "next";
  const script = `next; answer; next; init; echo '${line}'; ${cancel}; printf '{"type":"echo","line":%s}\\n' "\${line}"; result; cat >/dev/null`;
  let answer: unknown;
  for await (const message of query({ prompt: "go", options: { ...agentFile(script), ...options } })) {
    const { type, line: echoed } = message as { type: string; line?: { response?: unknown } };
    if (type === "echo") answer = echoed?.response;
  }
  return answer as Record<string, unknown>;
}

const canUse = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t1" };

describe("a permission question", () => {
  test("without a callback is denied", async () => {
    expect(await answerTo(canUse, {})).toMatchObject({
      subtype: "success",
      response: { behavior: "deny", message: expect.stringContaining("no handler") },
    });
  });

  test("to a callback that throws is denied with the callback's error", async () => {
    const canUseTool = async () => {
      throw new Error("broken");
    };
    expect(await answerTo(canUse, { canUseTool })).toMatchObject({
      response: { behavior: "deny", message: "broken" },
    });
  });

  test("that the agent withdraws aborts the callback's signal", async () => {
    const aborted = new Promise<void>((resolve) => {
      const canUseTool: Options["canUseTool"] = (_name, _input, { signal }) =>
        new Promise(() => signal.addEventListener("abort", () => resolve()));
      void answerTo(canUse, { canUseTool }, true);
    });
    await aborted;
  });
});

describe("an MCP server of this process", () => {
  const slow = (onAbort: () => void) =>
    createSdkMcpServer({
      name: "s",
      tools: [
        tool("wait", "Waits", { n: z.number() }, async (_args, extra) => {
          const { signal } = extra as { signal: AbortSignal };
          if (!signal.aborted)
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          onAbort();
          return { content: [] };
        }),
      ],
    });
  const call = {
    subtype: "mcp_message",
    server_name: "s",
    message: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait", arguments: { n: 1 } } },
  };

  test("is notified when the agent cancels a call", async () => {
    await new Promise<void>((resolve) => {
      void answerTo(call, { mcpServers: { s: slow(resolve) } }, true);
    });
  });

  test("does not delay the end of a query with a cancelled call", async () => {
    const cancelled = { method: "notifications/cancelled", params: { requestId: 1 } };
    const lines = [call, { ...call, message: { jsonrpc: "2.0", ...cancelled } }].map((request, index) =>
      JSON.stringify({ type: "control_request", request_id: `q${index}`, request }),
    );
    const script = `next; answer; next; init; echo '${lines[0]}'; echo '${lines[1]}'; result; cat >/dev/null`;
    let aborted = 0;
    const server = slow(() => aborted++);
    for await (const _ of query({
      prompt: "go",
      options: { ...agentFile(script), mcpServers: { s: server } },
    }));
    await expect.poll(() => aborted).toBe(1);
  });

  test("lists its tools except one whose schema can't be converted", async () => {
    const nothing = async () => ({ content: [] });
    const server = createSdkMcpServer({
      name: "s",
      tools: [
        tool("odd", "Odd", { when: z.date() }, nothing),
        tool("fine", "Fine", { n: z.number() }, nothing),
      ],
    });
    const list = {
      subtype: "mcp_message",
      server_name: "s",
      message: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    };
    const { response } = await answerTo(list, { mcpServers: { s: server } });
    expect(response).toMatchObject({ mcp_response: { result: { tools: [{ name: "fine" }] } } });
  });

  test("that does not exist leads to an error answer", async () => {
    expect(await answerTo(call, {})).toMatchObject({
      subtype: "error",
      error: expect.stringContaining("no MCP server s"),
    });
  });
});
