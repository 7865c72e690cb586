import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

const usage = { input_tokens: 100_000, output_tokens: 1000 };
const SPENT = { subtype: "error_max_budget_usd", terminal_reason: "budget_exhausted", is_error: true };

describe("an exceeded budget", { timeout: 30_000 }, () => {
  test("ends the turn after the call that exceeded it, and later prompts make no model calls", async () => {
    const api = await newApi({
      steps: [{ content: [bash("true")], usage }],
      whenExhausted: { text: "heard" },
    });
    const agent = openAgent(await newPlace(), {
      env: api.env,
      args: [...UNASKED, "--max-budget-usd", "0.01"],
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject(SPENT);
    const from = agent.lines.length;
    agent.send(prompt("and now?"));
    expect(await agent.line(isResult, from)).toMatchObject(SPENT);
    expect(api.requests).toHaveLength(1);
  });

  test("also ends a subagent", async () => {
    const delegate = {
      type: "tool_use",
      name: "Agent",
      input: { description: "d", prompt: "p", run_in_background: false },
    } as const;
    const steps = [{ content: [delegate] }, { content: [bash("true")], usage }];
    const api = await newApi({ steps, whenExhausted: { text: "heard" } });
    const agent = openAgent(await newPlace(), {
      env: api.env,
      args: [...UNASKED, "--max-budget-usd", "0.01"],
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject(SPENT);
    expect(api.requests).toHaveLength(2);
  });

  test("prevents the tools that the last call requested", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ content: [bash(STUBBORN)], usage }] });
    const args = [...UNASKED, "--max-budget-usd", "0.01"];
    const agent = openAgent(place, { env: api.env, args });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ ...SPENT, num_turns: 1, stop_reason: "tool_use" });
    agent.input.end();
    await agent.ended();
    await expectNothingLeft(place);
  });
});
