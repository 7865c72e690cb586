import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

/** A session that ended after one turn, and what is needed to continue it. */
async function leftSession() {
  const place = await newPlace();
  const api = await newApi({ steps: [], whenExhausted: { text: "yes", model: "claude-opus-5-5" } });
  const talk = async (args: readonly string[], cwd = place.cwd) => {
    const agent = openAgent({ ...place, cwd }, { env: api.env, args });
    agent.send(prompt("hi"));
    const result = await agent.line(isResult);
    agent.input.end();
    await agent.ended();
    return result;
  };
  const first = await talk([]);
  return { place, api, talk, first, resume: ["--resume", String(first.session_id)] };
}

describe("a resumed session", { timeout: 30_000 }, () => {
  test("continues to add up its cost, and so does its fork", async () => {
    const { talk, first, resume } = await leftSession();
    const once = Number(first.total_cost_usd);
    expect(once).toBeGreaterThan(0);
    expect((await talk(resume)).total_cost_usd).toBeCloseTo(2 * once, 10);
    expect((await talk([...resume, "--fork-session"])).total_cost_usd).toBeCloseTo(3 * once, 10);
    expect(await talk([...resume, "--max-budget-usd", String(1.5 * once)])).toMatchObject({
      subtype: "success",
      model_usage_since_last_result: { "claude-opus-5-5": { inputTokens: 100 } },
    });
  });

  test("from another folder keeps its file", async () => {
    const { place, api, talk, first, resume } = await leftSession();
    const elsewhere = join(place.cwd, "..", "elsewhere");
    await mkdir(elsewhere);
    expect(await talk(resume, elsewhere)).toMatchObject({ result: "yes", session_id: first.session_id });
    expect(api.requests.at(-1)?.body.messages).toHaveLength(3);
    const projects = join(place.configDir, "projects");
    const [only, ...others] = await readdir(projects);
    expect(others).toEqual([]);
    expect(await readdir(join(projects, String(only)))).toEqual([`${first.session_id}.jsonl`]);
  });
});
