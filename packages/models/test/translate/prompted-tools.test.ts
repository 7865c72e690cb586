import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Wire } from "../../src/providers/provider.ts";
import type { MessagesRequest } from "../../src/request.ts";
import { ask, prompt, providerAt, serve, stream } from "../serve.ts";

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** How each wire sends a text in pieces and its finish reason. */
const SAY: Readonly<
  Record<
    "chat" | "responses",
    (response: ServerResponse, pieces: readonly string[], isCutOff: boolean) => void
  >
> = {
  chat: (response, pieces, isCutOff) =>
    stream(response, [
      ...pieces.map((content) => event({ choices: [{ delta: { content } }] })),
      event({ choices: [{ delta: {}, finish_reason: isCutOff ? "length" : "stop" }] }),
    ]),
  responses: (response, pieces, isCutOff) => {
    const item = { type: "message", id: "msg_1", role: "assistant", content: [] };
    const ended = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    stream(response, [
      event({ type: "response.created", response: { id: "resp_1" } }),
      event({ type: "response.output_item.added", output_index: 0, item }),
      ...pieces.map((delta) =>
        event({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta }),
      ),
      event({ type: "response.output_item.done", output_index: 0, item }),
      event({
        type: isCutOff ? "response.incomplete" : "response.completed",
        response: { id: "resp_1", ...(isCutOff ? ended : { status: "completed" }) },
      }),
    ]);
  },
};

const TOOLS = [
  {
    name: "Read",
    description: "Reads a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

const wires = Object.keys(SAY) as (keyof typeof SAY & Wire)[];

async function answer(
  wire: keyof typeof SAY,
  pieces: readonly string[],
  { isCutOff = false, more = {} as Partial<MessagesRequest> } = {},
) {
  const { baseUrl, requests } = await serve((response) => SAY[wire](response, pieces, isCutOff));
  const provider = providerAt(baseUrl, { wire, models: { "*": { tools: "prompted" } } });
  const reply = await ask(provider, prompt("go", { tools: TOOLS, ...more }));
  return { ...reply, sent: requests[0]?.body };
}

const CALL = 'Let me look.\n\n```tool_call\n{"name": "Read", "arguments": {"path": "a.txt"}}\n```\n';
const LOOK = { type: "text", text: "Let me look." };
const read = (path: string) => ({ type: "tool_use", name: "Read", input: { path } });

describe.each(wires)("a model without tool calling, with the wire %s,", (wire) => {
  test("receives its tools in the system prompt, and nowhere else", async () => {
    const { sent } = await answer(wire, ["ok"], { more: { system: "Be brief." } });
    const system: string = wire === "chat" ? sent.messages[0].content : sent.instructions;
    expect(system).toMatch(/^Be brief\./);
    expect(system).toContain("```tool_call\n");
    expect(system).toContain(`## Read\nReads a file.\n${JSON.stringify(TOOLS[0]?.input_schema)}`);
    expect(sent).not.toHaveProperty("tools");
    expect(sent).not.toHaveProperty("tool_choice");
  });

  test.each([1, 2, 3, 7, 1000])(
    "calls a tool in a block of its text, in pieces of %i characters",
    async (size) => {
      const pieces = CALL.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const { content, stopReason } = await answer(wire, pieces);
      expect(content).toMatchObject([LOOK, read("a.txt")]);
      expect(stopReason).toBe("tool_use");
    },
  );

  test("receives earlier calls and results as text", async () => {
    const { sent } = await answer(wire, ["done"], {
      more: {
        messages: [
          { role: "user", content: "go" },
          {
            role: "assistant",
            content: [LOOK, { type: "tool_use", id: "toolu_1", name: "Read", input: { path: "a.txt" } }],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: "no such file" },
            ],
          },
        ],
      },
    });
    const said = JSON.stringify(wire === "chat" ? sent.messages : sent.input);
    expect(said).toContain(
      JSON.stringify('```tool_call\n{"name":"Read","arguments":{"path":"a.txt"}}\n```').slice(1, -1),
    );
    expect(said).toContain(JSON.stringify("Result of Read:\n<error>\nno such file\n</error>").slice(1, -1));
    expect(said).not.toMatch(/tool_calls|function_call|tool_use|toolu_1|"role":"tool"/);
  });

  test("calls nothing if its call is truncated", async () => {
    const { content, stopReason } = await answer(wire, [CALL.slice(0, -20)], { isCutOff: true });
    expect(content).toMatchObject([
      { type: "text", text: expect.stringMatching(/^Let me look\.\n\n```tool_call\n\{"name": "Read"/) },
    ]);
    expect(stopReason).toBe("max_tokens");
  });
});

describe("the text of such a model may contain", () => {
  test.each<[string, string, readonly object[]]>([
    ["two calls", `${CALL}${CALL.slice(14)}`, [LOOK, read("a.txt"), read("a.txt")]],
    ["a call without an end", CALL.slice(0, -5), [LOOK, read("a.txt")]],
    ["an end on the line of the call", '```tool_call\n{"name":"Read","input":{"path":"b"}}```', [read("b")]],
    [
      "arguments as a text",
      '```tool_call\n{"name":"Read","arguments":"{\\"path\\":\\"b\\"}"}\n```',
      [read("b")],
    ],
    [
      "JSON over several lines with a superfluous comma",
      '```tool_call\n{\n"name":"Read",\n"arguments":{"path":"b",},\n}\n```',
      [read("b")],
    ],
    [
      "arguments that are not JSON",
      '```tool_call\n{"name": "Read", "arguments": }}}{\n```',
      [{ type: "tool_use", name: "Read", input: expect.any(String) }],
    ],
    ["other code", "```js\ntool_call\n```\n", [{ type: "text", text: "```js\ntool_call\n```\n" }]],
    ["a fence within a line", "see ```tool_call\nx", [{ type: "text", text: "see ```tool_call\nx" }]],
    ["a block without a name", "```tool_call\n{}\n```", [{ type: "text", text: "```tool_call\n{}\n```\n" }]],
    [
      "thoughts first",
      `<think>hm</think>${CALL}`,
      [{ type: "thinking", thinking: "hm" }, LOOK, read("a.txt")],
    ],
    ["text after a call", `${CALL}\nAnd now?`, [LOOK, read("a.txt"), { type: "text", text: "And now?" }]],
    ["nothing but text", "Hello.\n\n", [{ type: "text", text: "Hello.\n\n" }]],
  ])("%s", async (_, text, expected) => {
    const whole = await answer("chat", [text]);
    expect(whole.content).toMatchObject(expected);
    const { content } = await answer("chat", [...text]);
    expect(content.map(withoutId)).toEqual(whole.content.map(withoutId));
  });
});

const withoutId = (block: object) => ({ ...block, id: undefined });
