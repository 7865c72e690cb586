import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answers, isResult, prompt, request } from "../wire.ts";

const ENDLESS = { steps: [], whenExhausted: { text: "heard" } };

/** Sends initialize with a system prompt, then one prompt, for each of the given values; ends the process. */
async function talk(
  place: Place,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  greetings: readonly (readonly [text: string, keeps: boolean | undefined])[],
) {
  const agent = openAgent(place, { env, args });
  for (const [i, [text, systemPromptSnapshot]] of greetings.entries()) {
    const from = agent.lines.length;
    agent.send(request(`hello ${i}`, "initialize", { systemPrompt: [text], systemPromptSnapshot }));
    await agent.line(answers(`hello ${i}`));
    agent.send(prompt(`prompt ${i}`));
    await agent.line(isResult, from);
  }
  agent.input.end();
  await agent.ended();
  return String(agent.lines.find(isResult)?.session_id);
}

describe("a system prompt", { timeout: 30_000 }, () => {
  test.each([
    {
      keeps: true,
      how: "that is kept remains that of the first call, even in a later process and its fork",
      said: ["A", "A", "A", "A"],
    },
    { keeps: false, how: "that is not kept is the latest one", said: ["A", "B", "C", "D"] },
    { keeps: undefined, how: "without the option is the latest one", said: ["A", "B", "C", "D"] },
  ])("$how", async ({ keeps, said }) => {
    const place = await newPlace();
    const api = await newApi(ENDLESS);
    const id = await talk(
      place,
      api.env,
      [],
      [
        ["A", keeps],
        ["B", keeps],
      ],
    );
    const fork = await talk(place, api.env, ["--resume", id, "--fork-session"], [["C", keeps]]);
    await talk(place, api.env, ["--resume", fork], [["D", keeps]]);
    expect(
      api.requests.map(({ body }) => JSON.stringify(body.system).match(/"text":"([ABCD])"/)?.[1]),
    ).toEqual(said);
  });

  test("that is kept is rebuilt when the conversation is compacted", async () => {
    const place = await newPlace();
    const api = await newApi(ENDLESS);
    const agent = openAgent(place, { env: api.env });
    const say = async (text: string) => {
      const from = agent.lines.length;
      agent.send(prompt(text));
      await agent.line(isResult, from);
    };
    agent.send(request("one", "initialize", { systemPrompt: ["A"], systemPromptSnapshot: true }));
    await say("first");
    await say("second");
    agent.send(request("two", "initialize", { systemPrompt: ["B"] }));
    await say("/compact");
    await say("third");
    expect(JSON.stringify(api.requests.at(-2)?.body.system)).toContain('"A"');
    expect(JSON.stringify(api.requests.at(-1)?.body.system)).toContain('"B"');
  });
});
