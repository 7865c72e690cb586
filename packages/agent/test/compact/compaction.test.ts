import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

/** Almost the whole window of the model without an explicit one. */
const FULL = { input_tokens: 190_000, output_tokens: 10 };
const MODEL = ["--model", "some-model-without-a-price"];

describe("a conversation that fills the context window", { timeout: 30_000 }, () => {
  test("is summarized in the turn that would overflow, except for its last exchange", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [
        { text: "one" },
        { text: "two", usage: FULL },
        { text: "<summary>what was said</summary>" },
        { text: "three" },
      ],
    });
    const agent = openAgent(place, { env: api.env, args: MODEL });
    for (const words of ["first", "second", "third"]) {
      const from = agent.lines.length;
      agent.send(prompt(words));
      await agent.line(isResult, from);
    }
    const turn = agent.lines.slice(agent.lines.findLastIndex(is("system", "init")));
    expect(turn.filter((line) => line.type === "system").map(({ subtype }) => subtype)).toEqual([
      "init",
      "status",
      "status",
      "compact_boundary",
    ]);
    expect(turn.find(is("system", "compact_boundary"))).toMatchObject({
      compact_metadata: {
        trigger: "auto",
        pre_tokens: 190_010,
        preserved_messages: { uuids: [expect.any(String), expect.any(String)] },
      },
    });
    const { messages } = (await api.request(3)).body;
    const said = JSON.stringify(messages);
    for (const kept of ["what was said", "two", "third"]) expect(said).toContain(kept);
    for (const gone of ["first", "second"]) expect(said).not.toContain(`"${gone}"`);
    expect(agent.lines.at(-1)).toMatchObject({ type: "result", result: "three" });
  });

  test("is compacted by a later process too, and then resumed from what was kept", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [
        { text: "one", usage: FULL },
        { text: "<summary>what was said</summary>" },
        { text: "two" },
        { text: "three" },
      ],
    });
    let resume: readonly string[] = [];
    for (const words of ["first", "second", "third"]) {
      const agent = openAgent(place, { env: api.env, args: [...MODEL, ...resume] });
      agent.send(prompt(words));
      const { session_id } = await agent.line(isResult);
      agent.input.end();
      await agent.ended();
      resume = ["--resume", String(session_id)];
    }
    const said = JSON.stringify((await api.request(3)).body.messages);
    for (const kept of ["what was said", "one", "second", "two", "third"]) expect(said).toContain(kept);
    expect(said).not.toContain('"first"');
  });
});
