import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { holds, is, isResult, prompt } from "../wire.ts";

const isSummary = is("tool_use_summary");
const ON = { CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: "1" };

async function ask(steps: readonly object[], env: Readonly<Record<string, string>>) {
  const api = await newApi({ steps });
  const agent = openAgent(await newPlace(), { args: UNASKED, env: { ...api.env, ...env } });
  agent.send(prompt("go"));
  agent.input.end();
  const ended = await agent.ended();
  return { lines: agent.lines, code: ended.code, asked: api.requests };
}

describe("tool summaries", { timeout: 30_000 }, () => {
  const steps = [{ content: [bash("echo one"), bash("echo two")] }, { text: "done" }];

  test("precede the result if the environment enables them, and are made by a small model that receives only the calls", async () => {
    const { lines, code, asked } = await ask(steps, ON);
    expect(code).toBe(0);
    const calls = lines
      .filter(holds("tool_use"))
      .flatMap(({ message }) => (message as { content: object[] }).content);
    expect(lines.filter(isSummary)).toMatchObject([
      {
        summary: expect.stringMatching(/\S/),
        preceding_tool_use_ids: calls.map((call) => (call as { id: string }).id),
      },
    ]);
    expect(lines.findIndex(isSummary)).toBeLessThan(lines.findIndex(isResult));
    const small = asked.find(({ body }) => String(body.model).includes("haiku"));
    expect(JSON.stringify(small?.body.messages)).toMatch(/echo one.*one.*echo two.*two/);
    expect(small?.body.tools ?? []).toEqual([]);
  });

  test("are not made unless requested", async () => {
    const { lines, asked } = await ask(steps, {});
    expect(lines.some(isSummary)).toBe(false);
    expect(asked).toHaveLength(2);
  });
});
