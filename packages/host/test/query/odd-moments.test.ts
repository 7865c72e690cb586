import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { AbortError, createSdkMcpServer, type Options, type Query, query } from "../../src/index.ts";
import { freshFolder } from "../programs/shell-agent.ts";

vi.setConfig({ testTimeout: 30_000 });

const DONE = { done: true, value: undefined } as const;
const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));

/** A query to the real agent with its offline model, in a separate folder. */
function ask(prompt: Parameters<typeof query>[0]["prompt"], options: Options = {}): Query {
  const cwd = freshFolder();
  const env = { PATH: process.env.PATH, HOME: cwd, CLAUDE_CONFIG_DIR: `${cwd}/home` };
  return query({ prompt, options: { pathToClaudeCodeExecutable: AGENT, cwd, env, ...options } });
}

async function errorOf(messages: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of messages);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("the error says why an agent could not start, not that nothing could be sent to it", async () => {
  const abortController = new AbortController();
  abortController.abort();
  expect(await errorOf(ask("hello", { abortController }))).toBeInstanceOf(AbortError);
  const spawnClaudeCodeProcess = () => {
    throw new Error("no room");
  };
  const error = await errorOf(ask("hello", { spawnClaudeCodeProcess }));
  expect(error).toMatchObject({ code: "spawn_failed", message: expect.stringContaining("no room") });
});

test.each(["close", "abort"])(
  "a question that is open at %s is withdrawn, and nothing hangs",
  async (end) => {
    const abortController = new AbortController();
    let withdrawn = false;
    const talk: Query = ask("run `touch made`", {
      abortController,
      canUseTool: (_name, _input, { signal }) => {
        signal.addEventListener("abort", () => {
          withdrawn = true;
        });
        if (end === "close") talk.close();
        else abortController.abort();
        return new Promise(() => {});
      },
    });
    const error = await errorOf(talk);
    if (end === "close") expect(error).toBeUndefined();
    else expect(error).toBeInstanceOf(AbortError);
    await expect.poll(() => withdrawn).toBe(true);
  },
);

test("a query that can't start and is never read causes no other failure", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  const lost = query({ prompt: "hello", options: { pathToClaudeCodeExecutable: "/no/such/agent" } });
  await expect(lost.interrupt()).rejects.toMatchObject({ code: "agent_not_found" });
  await after(50);
  expect(unhandled).not.toHaveBeenCalled();
});

test("after the end every call settles", async () => {
  const talk = ask("hello");
  expect(await errorOf(talk)).toBeUndefined();
  expect(await talk.next()).toEqual({ done: true, value: undefined });
  expect(await talk.return()).toEqual({ done: true, value: undefined });
  expect((await talk.initializationResult()).models).not.toEqual([]);
  await expect(talk.setModel("opus")).rejects.toMatchObject({ name: "HostError" });
  talk.close();
});

test("servers that are set immediately are added to those of the options", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const nothing = { [Symbol.asyncIterator]: () => ({ next: () => ended.then(() => DONE) }) };
  const talk = ask(nothing);
  const server = createSdkMcpServer({ name: "late", tools: [] });
  expect(await talk.setMcpServers({ late: server })).toMatchObject({ added: ["late"] });
  expect(await talk.mcpServerStatus()).toMatchObject([{ name: "late" }]);
  end();
  expect(await errorOf(talk)).toBeUndefined();
});
