import { afterEach, describe, expect, test } from "vitest";
import { startTalkApi, type TalkApi } from "../src/scripted-api/talk-api.ts";

let api: TalkApi | undefined;

afterEach(async () => {
  await api?.close();
  api = undefined;
});

const REPLIES = {
  "say-hello": { text: "Hello there." },
  "make-it": { shell: "touch made" },
  tool_result: { text: "Done." },
};

async function start() {
  const started = await startTalkApi(REPLIES);
  api = started;
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${started.url}${path}`, { method: "POST", body: JSON.stringify(body) });
    return response.text();
  };
  return { post, turns: started.turns };
}

/** The data of a stream's events. */
const data = (text: string) =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json));

const SHELL = {
  name: "run_shell_command",
  parametersJsonSchema: { properties: { command: {}, is_background: {} } },
};
const says = (...texts: readonly string[]) => texts.map((text) => ({ role: "user", parts: [{ text }] }));

describe("an API that chooses its reply by the last prompt", () => {
  test("speaks Gemini's wire: texts in pieces, whole calls, and results", async () => {
    const { post, turns } = await start();
    const tools = [{ functionDeclarations: [SHELL] }];
    const path = "/v1beta/models/gemini-x:streamGenerateContent?alt=sse";
    const hello = data(await post(path, { contents: says("make-it", "say-hello"), tools }));
    const texts = hello.flatMap((event) =>
      event.candidates[0].content.parts.map((part: { text?: string }) => part.text),
    );
    expect(texts.join("")).toBe("Hello there.");
    expect(hello.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP" }] });
    const made = data(await post(path, { contents: says("say-hello", "make-it"), tools }));
    const call = { name: "run_shell_command", args: { command: "touch made", is_background: false } };
    expect(made.find((event) => event.candidates[0].content.parts.length > 0)).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall: call }] } }],
    });
    const result = { role: "user", parts: [{ functionResponse: { id: "1", response: { output: "ok" } } }] };
    const whole = await post("/v1beta/models/gemini-x:generateContent", {
      contents: [...says("make-it"), result],
      tools,
    });
    expect(JSON.parse(whole)).toMatchObject({ candidates: [{ content: { parts: [{ text: "Done." }] } }] });
    expect(turns.at(-1)).toMatchObject({
      model: "gemini-x",
      messages: [{}, { content: [{ type: "tool_result" }] }],
    });
  });

  test("calls the shell tool with the name and fields that it is offered, and answers requests for titles separately", async () => {
    const { post, turns } = await start();
    const messages = [{ role: "user", content: "make-it" }];
    const bash = { name: "Bash", input_schema: { properties: { command: {}, description: {} } } };
    const body = { model: "m", max_tokens: 100, messages };
    expect(JSON.parse(await post("/v1/messages", { ...body, tools: [bash] }))).toMatchObject({
      content: [{ name: "Bash", input: { command: "touch made", description: "Does it" } }],
    });
    expect(JSON.parse(await post("/v1/messages", { ...body, tools: [{ name: "Read" }] }))).toMatchObject({
      content: [{ text: "no tool that is offered runs commands" }],
    });
    expect(JSON.parse(await post("/v1/messages", body))).toMatchObject({ content: [{ text: "ok" }] });
    expect(turns).toHaveLength(2);
  });
});
