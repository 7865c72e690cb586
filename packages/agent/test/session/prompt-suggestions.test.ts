import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answers, is, isResult, prompt, request } from "../wire.ts";

const isSuggestion = is("prompt_suggestion");

async function newAgent(steps: readonly object[], env: Readonly<Record<string, string>> = {}) {
  const place = await newPlace();
  const api = await newApi({ steps });
  const agent = openAgent(place, { env: { ...api.env, ...env } });
  agent.send(request("hello", "initialize", { promptSuggestions: true }));
  const ask = async (text: string) => {
    const from = agent.lines.length;
    agent.send(prompt(text));
    return agent.line(isResult, from);
  };
  return { api, agent, ask };
}

describe("prompt suggestions", { timeout: 30_000 }, () => {
  test("are sent after the second result, and leave no trace in the conversation", async () => {
    const { api, agent, ask } = await newAgent([
      { text: "one" },
      { text: "two" },
      { text: "And now the tests\nplease" },
      { text: "three" },
      { text: "   " },
    ]);
    await ask("first");
    await ask("second");
    expect(await agent.line(isSuggestion)).toMatchObject({
      suggestion: "And now the tests",
      uuid: expect.any(String),
      session_id: expect.any(String),
    });
    expect(agent.lines.findIndex(isSuggestion)).toBeGreaterThan(agent.lines.findLastIndex(isResult));
    expect(await ask("third")).toMatchObject({ result: "three" });
    expect(JSON.stringify(api.requests[3]?.body)).not.toContain("And now the tests");
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(agent.lines.filter(isSuggestion)).toHaveLength(1);
  });

  test("are abandoned for the next prompt, and delay neither that nor the end", async () => {
    const stalled = { text: "never to be heard", stallAfterChunks: 1 };
    const { api, agent, ask } = await newAgent([
      { text: "one" },
      { text: "two" },
      stalled,
      { text: "three" },
      stalled,
    ]);
    await ask("first");
    await ask("second");
    await api.request(2);
    expect(await ask("third")).toMatchObject({ result: "three" });
    expect(await api.requests[2]?.end).toBe("broken");
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(agent.lines.filter(isSuggestion)).toEqual([]);
  });

  test("are disabled by the environment", async () => {
    const { api, agent, ask } = await newAgent([{ text: "one" }, { text: "two" }, { text: "three" }], {
      CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
    });
    await ask("first");
    await ask("second");
    agent.send(request("after", "get_binary_version"));
    await agent.line(answers("after"));
    expect(api.requests).toHaveLength(2);
  });
});
