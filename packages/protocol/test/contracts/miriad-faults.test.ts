import { describe, expect, test } from "vitest";
import { miriad } from "../../src/dialect/choose.ts";
import { readFixture } from "./fixtures.ts";
import { hear, written } from "./hearing.ts";
import { answer, prompt, request, result } from "./official.ts";
import { agentLines, openWire } from "./wire.ts";

describe("an unusable line", () => {
  test.each([
    ["not json at all", "not JSON"],
    ["null", "null"],
    ["[1]", "an array"],
    ['{"message":{}}', "no type"],
    ['{"type":"dance"}', "dance"],
    ['{"type":"user"}', "message is missing"],
    ['{"type":"user","message":{"role":"assistant","content":"x"}}', "role"],
    ['{"type":"user","message":{"role":"user"}}', "content"],
    ['{"type":"control","action":"explode"}', "explode"],
    ['{"type":"control","action":{"toString":1}}', '{"toString":1}'],
    ['{"type":"control"}', "action"],
  ])(
    "%s is answered with an error notice that says what is wrong, and the next line is read",
    (line, named) => {
      const wire = openWire(miriad);
      wire.hostWrites(`${line}\n`);
      expect(agentLines(wire)).toEqual([
        { type: "system", subtype: "error", message: expect.stringContaining(named) },
      ]);
      wire.hostSays(prompt("go on"));
      expect(wire.agentHeard).toMatchObject([{ type: "user", message: { content: "go on" } }]);
    },
  );
});

test("a notice of the agent reaches the host unchanged", () => {
  const wire = openWire(miriad);
  wire.agentSays({ type: "system", subtype: "error", message: "no such image", uuid: "", session_id: "" });
  expect(wire.hostHeard).toMatchObject([{ type: "system", subtype: "error", message: "no such image" }]);
});

test("an image reaches the agent unchanged", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } } as const;
  const wire = openWire(miriad);
  wire.hostSays(prompt([{ type: "text", text: "What is this?" }, image]));
  expect(wire.agentHeard).toMatchObject([{ message: { content: [{ type: "text" }, image] } }]);
});

describe("official control requests", () => {
  test("pass through if the agent knows them", () => {
    const wire = openWire(miriad);
    wire.hostSays(request("req_1", "set_model", { model: "m" }));
    expect(wire.agentHeard).toEqual([request("req_1", "set_model", { model: "m" })]);
    wire.agentSays(answer("req_1", { model: "m" }));
    expect(wire.hostHeard).toEqual([answer("req_1", { model: "m" })]);
  });

  const notice = (message: unknown) => ({ type: "system", subtype: "error", message });

  test.each([
    "Unknown message type: control_request",
    "unknown message type",
    'Unknown message type "control_request".',
  ])("are refused if the agent reports %s", (words) => {
    const host = miriad.forHost();
    written(host, request("req_1", "set_model"));
    expect(hear(host, notice(words)).messages).toMatchObject([
      {
        type: "control_response",
        response: { request_id: "req_1", error: words, error_code: "unsupported_request" },
      },
    ]);
    expect(hear(host, notice(words)).messages).toMatchObject([{ subtype: "error", message: words }]);
  });

  test.each([
    "Unknown message type: keep_alive",
    "Unknown message type: control_cancel_request",
    "Something else",
  ])("still wait when the agent reports %s", (words) => {
    const host = miriad.forHost();
    written(host, request("req_1", "set_model"));
    expect(hear(host, notice(words)).messages).toMatchObject([{ type: "system", message: words }]);
    expect(hear(host, notice("Unknown message type: control_request")).messages).toMatchObject([
      { response: { request_id: "req_1" } },
    ]);
  });

  test("that were answered are not refused later", () => {
    const host = miriad.forHost();
    written(host, request("req_1", "set_model"));
    hear(host, answer("req_1"));
    expect(hear(host, notice("Unknown message type")).messages).toMatchObject([{ type: "system" }]);
  });
});

test("a prompt is written in its short form", () => {
  const lines = written(
    miriad.forHost(),
    prompt("Hello", { session_id: "default", parent_tool_use_id: null }),
  );
  expect(lines).toEqual(readFixture("miriad", "user_text.json"));
});

test("a result settles no interrupt that was not sent", () => {
  expect(hear(miriad.forHost(), result()).messages).toHaveLength(1);
});
