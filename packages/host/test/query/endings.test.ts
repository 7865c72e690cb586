import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AbortError } from "../../src/errors.ts";
import { query } from "../../src/query/start-query.ts";
import { agentFile, queryAgent, readAll } from "../programs/agent-file.ts";
import { timed } from "../programs/shell-agent.ts";

const TURN = "next; answer; next; init; text; result; cat >/dev/null";

test("a text prompt is one turn, after which the agent's input ends", async () => {
  expect(await readAll(queryAgent(TURN))).toEqual({
    types: ["system", "assistant", "result"],
    error: undefined,
  });
});

test("an agent that does not answer the handshake still runs the prompt", async () => {
  expect((await readAll(queryAgent("next; next; init; result; cat >/dev/null"))).types).toEqual([
    "system",
    "result",
  ]);
});

test("a missing program is an error at once", async () => {
  const { value, ms } = await timed(() =>
    readAll(query({ prompt: "go", options: { pathToClaudeCodeExecutable: "/no/such/agent" } })),
  );
  expect(value.error).toMatchObject({ code: "agent_not_found" });
  expect(ms).toBeLessThan(2000);
});

test("requests to a missing program fail in the same way", async () => {
  const lost = query({ prompt: "go", options: { pathToClaudeCodeExecutable: "/no/such/agent" } });
  await expect(lost.setModel("m")).rejects.toMatchObject({ code: "agent_not_found" });
  await expect(lost.initializationResult()).rejects.toMatchObject({ code: "agent_not_found" });
});

test("the error has the exit code and the last stderr of the agent", async () => {
  const { error } = await readAll(queryAgent("next; answer; next; init; echo broken >&2; exit 3"));
  expect(error).toMatchObject({ code: "exited", exitCode: 3 });
  expect(error?.message).toMatch(/code 3[\s\S]*broken/);
});

test("an error result before the exit takes precedence over the exit code", async () => {
  const { types, error } = await readAll(
    queryAgent("next; answer; next; init; failed; cat >/dev/null; exit 1"),
  );
  expect(types.at(-1)).toBe("result");
  expect(error?.message).toBe("Claude Code returned an error result: no");
  expect(error).toMatchObject({ code: "exited", exitCode: 1 });
});

test("an error result with exit code 0 is not an error of the query", async () => {
  expect(
    (await readAll(queryAgent("next; answer; next; init; failed; cat >/dev/null"))).error,
  ).toBeUndefined();
});

test("nothing follows the error", async () => {
  const over = queryAgent("exit 3");
  await expect(over.next()).rejects.toMatchObject({ code: "exited" });
  expect(await over.next()).toEqual({ done: true, value: undefined });
});

test("an abort ends the loop with an AbortError, and ends the agent", async () => {
  const abortController = new AbortController();
  const talk = queryAgent("next; answer; next; init; cat >/dev/null", "go", { abortController });
  await talk.next();
  abortController.abort(new Error("enough"));
  const { error } = await readAll(talk);
  expect(error).toBeInstanceOf(AbortError);
});

test("an abort before the start starts nothing", async () => {
  const abortController = new AbortController();
  abortController.abort();
  expect((await readAll(queryAgent(TURN, "go", { abortController }))).error).toBeInstanceOf(AbortError);
});

test("close ends the loop without an error", async () => {
  const talk = queryAgent("next; answer; next; init; cat >/dev/null");
  await talk.next();
  talk.close();
  expect(await readAll(talk)).toEqual({ types: [], error: undefined });
});

test("leaving the loop stops the agent", async () => {
  const talk = queryAgent("next; answer; next; init; text; cat >/dev/null");
  for await (const message of talk) if (message.type === "assistant") break;
  expect(await talk.next()).toEqual({ done: true, value: undefined });
  await expect(talk.setModel("m")).rejects.toMatchObject({ code: "closed" });
});

test("closing drops any number of unread messages", async () => {
  // The first request is never answered: while an answer may come, the host keeps reading.
  const options = agentFile(`next; yes '{"type":"news"}' | head -n 300000; touch said; cat >/dev/null`);
  const talk = query({ prompt: "go", options });
  await expect.poll(() => existsSync(join(options.cwd ?? "", "said")), { timeout: 20_000 }).toBe(true);
  await expect(talk.return()).resolves.toEqual({ done: true, value: undefined });
});

test("a stream of prompts that throws ends the query with its error", async () => {
  async function* prompts() {
    yield { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null } as const;
    throw new Error("no more prompts");
  }
  const { error } = await readAll(queryAgent("next; answer; next; init; cat >/dev/null", prompts()));
  expect(error?.message).toBe("no more prompts");
});

test("a stream without prompts ends at once", async () => {
  async function* prompts() {}
  expect(await readAll(queryAgent("next; answer; cat >/dev/null", prompts()))).toEqual({
    types: [],
    error: undefined,
  });
});

test("an agent's exit ends the query and closes a stream of prompts that still waits", async () => {
  let left = false;
  const prompts = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(() => {}),
      return: async () => {
        left = true;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const { error } = await readAll(queryAgent("next; answer; exit 3", prompts));
  expect(error).toMatchObject({ code: "exited" });
  expect(left).toBe(true);
});

test("messages come exactly as on the wire, known or unknown, complete or not", async () => {
  const lines = [
    { type: "news", a: { b: [1] } },
    { type: "system", subtype: "not_yet", x: 1 },
    { type: "tool_progress", renamed: true },
    { type: "stream_event" },
    { type: "assistant", message: { content: [{ type: "hologram", h: 1 }] }, extra: true },
  ];
  const script = `next; answer; next; ${lines.map((line) => `echo '${JSON.stringify(line)}'`).join("; ")}; result; cat >/dev/null`;
  const got: unknown[] = [];
  for await (const message of queryAgent(script)) got.push(message);
  expect(got.slice(0, lines.length)).toEqual(lines);
});

test("messages between host and agent are not passed to the user", async () => {
  const hidden = [
    { type: "keep_alive" },
    {
      type: "system",
      subtype: "session_state_changed",
      state: "idle",
      sdk_host_only: true,
      uuid: "u",
      session_id: "s",
    },
    { type: "transcript_mirror", filePath: "/f", entries: [] },
  ];
  const script = `next; answer; next; init; result; ${hidden.map((line) => `echo '${JSON.stringify(line)}'`).join("; ")}; cat >/dev/null`;
  expect((await readAll(queryAgent(script))).types).toEqual(["system", "result"]);
});

test("concurrent calls of next are answered in order", async () => {
  const talk = query({ prompt: "go", options: agentFile(TURN) });
  const types = await Promise.all([talk.next(), talk.next(), talk.next(), talk.next()]);
  expect(types.map(({ value }) => value?.type)).toEqual(["system", "assistant", "result", undefined]);
});
