import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgent } from "../../agent-process.ts";
import { newApi, playing } from "../../model-source.ts";
import { newPlace } from "../../place.ts";
import { answers, isResult, prompt, request } from "../../wire.ts";

const inShort = ({ type, subtype }: { readonly type?: unknown; readonly subtype?: unknown }) =>
  type === "result" || type === "system" ? `${type} ${subtype}` : type;

test("a simple query yields the same messages without the envelope", async () => {
  const place = await newPlace();
  const model = "claude-sonnet-4-20250514";
  const step = { text: "Hello! How can I help?", model, usage: { input_tokens: 10, output_tokens: 20 } };
  const agent = openAgent(place, { args: await playing(place, { steps: [step] }) });
  agent.send(prompt("Hello", { session_id: "default" }));
  await agent.line(isResult);
  expect(agent.lines.map(inShort)).toEqual(["system init", "assistant", "result success"]);
  expect(agent.lines.slice(1)).toMatchObject([
    {
      message: { role: "assistant", content: [{ type: "text", text: "Hello! How can I help?" }], model },
      parent_tool_use_id: null,
    },
    { is_error: false, num_turns: 1, usage: { input_tokens: 10, output_tokens: 20 } },
  ]);
});

test("a tool call yields the same messages without the envelope", async () => {
  const place = await newPlace();
  await writeFile(join(place.cwd, "test.txt"), "File contents here");
  const read = { type: "tool_use", id: "call_123", name: "Read", input: { file_path: "{{cwd}}/test.txt" } };
  const steps = [
    { content: [{ type: "text", text: "Let me read that file." }, read] },
    { text: "The file contains..." },
  ];
  const agent = openAgent(place, { args: await playing(place, { steps }) });
  agent.send(prompt("Read it", { session_id: "default" }));
  await agent.line(isResult);
  const shorts = ["system init", "assistant", "assistant", "user", "assistant", "result success"];
  expect(agent.lines.map(inShort)).toEqual(shorts);
  expect(agent.lines[3]).toMatchObject({
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "call_123" }] },
  });
});

test("every control request of a host is answered", async () => {
  const place = await newPlace();
  const agent = openAgent(place, { args: await playing(place, { steps: [] }) });
  const requests = [
    request("r1", "initialize", { hooks: {} }),
    request("r2", "interrupt"),
    request("r3", "set_permission_mode", { mode: "acceptEdits" }),
    request("r4", "set_model", { model: null }),
  ];
  agent.send(...requests);
  for (const { request_id } of requests)
    expect(await agent.line(answers(String(request_id)))).toMatchObject({ response: { subtype: "success" } });
  agent.send(request("r5", "rewind_files", { user_message_id: "nobody" }));
  expect(await agent.line(answers("r5"))).toMatchObject({ response: { subtype: "error" } });
});

test.each([
  [401, "authentication_error", "authentication_failed"],
  [402, "billing_error", "billing_error"],
  [429, "rate_limit_error", "rate_limit"],
  [400, "invalid_request_error", "invalid_request"],
  [500, "api_error", "server_error"],
  [405, "odd_error", "unknown"],
])("an API error %i has its name on the wire", async (status, type, name) => {
  const failure = { type: "error", status, error: { type, message: "no" } } as const;
  const api = await newApi({ steps: [], whenExhausted: failure });
  const agent = openAgent(await newPlace(), { env: { ...api.env, CLAUDE_CODE_MAX_RETRIES: "0" } });
  agent.send(prompt("Hello"));
  expect(await agent.line(isResult)).toMatchObject({ is_error: true });
  expect(agent.lines.findLast((line) => line.type === "assistant")).toMatchObject({ error: name });
});
