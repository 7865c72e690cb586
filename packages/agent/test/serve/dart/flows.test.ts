import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bash } from "../../model-source.ts";
import { is, isResult } from "../../wire.ts";
import { callback, create, initialize, inShort, send, shapedLike, startDart } from "./dart-host.ts";

const usage = { input_tokens: 100, output_tokens: 50 };
const allTokens = { ...usage, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

describe("the documented message flows of the Dart dialect match line for line", { timeout: 30_000 }, () => {
  test("session initialization and follow-up, with a host that waits for each answer", async () => {
    const agent = await startDart(
      {},
      {
        steps: [
          { text: "Hello! How can I help you?", model: "sonnet", usage: allTokens },
          { text: "You're welcome.", model: "sonnet", usage: allTokens },
        ],
      },
    );
    agent.send(initialize("uuid"));
    await agent.line(is("system", "init"));
    expect(agent.lines.map(inShort)).toEqual(["control_response", "system init"]);
    agent.send(create("Hello, Claude!"));
    await agent.line(isResult);
    expect(agent.lines.slice(2).map(inShort)).toEqual(["session.created", "assistant", "result success"]);
    agent.send(send("Follow-up question..."));
    await agent.line(isResult, 5);
    expect(agent.lines.slice(5).map(inShort)).toEqual(["assistant", "result success"]);

    const [answered, introduced, created, replied, ended] = agent.lines;
    expect(answered).toEqual({
      type: "control_response",
      request_id: "uuid",
      response: expect.objectContaining({
        commands: expect.any(Array),
        output_style: expect.any(String),
        available_output_styles: expect.any(Array),
        models: expect.any(Array),
        account: expect.objectContaining({ account_type: expect.any(String) }),
      }),
    });
    const { commands, models } = (answered as { response: Record<string, object[]> }).response;
    for (const command of commands ?? [])
      expect(command).toMatchObject({ name: expect.stringMatching(/^\//), description: expect.any(String) });
    for (const model of models ?? [])
      expect(model).toMatchObject({ value: expect.any(String), display: expect.any(String) });
    const session_id = created?.session_id;
    expect(created).toEqual({ type: "session.created", session_id: expect.stringMatching(/\S/) });
    expect(introduced).toMatchObject({ session_id, mcp_servers: [] });
    const { tools } = introduced as unknown as { tools: { name: string }[] };
    for (const tool of tools)
      expect(tool).toEqual({ name: expect.any(String), description: expect.stringMatching(/\S/) });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["Bash", "Read"]));
    expect(replied).toMatchObject({
      type: "assistant",
      uuid: expect.any(String),
      session_id,
      message: { type: "message", content: [{ type: "text", text: "Hello! How can I help you?" }] },
      model: "sonnet",
      usage: { input_tokens: 100 },
    });
    expect(replied).toEqual(shapedLike({ usage: allTokens }));
    expect(ended).toMatchObject({ subtype: "success", session_id, turn_count: 1, usage });
    expect(ended).toMatchObject({ duration_seconds: (ended?.duration_ms as number) / 1000, num_turns: 1 });
    expect(agent.garbage).toEqual([]);
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
  });

  test("session initialization, with a host that does not wait", async () => {
    const agent = await startDart({}, { steps: [{ text: "One." }, { text: "Two." }] });
    agent.send(initialize("uuid"), create("Hello, Claude!"));
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.map(inShort)).toEqual([
      "control_response",
      "system init",
      "session.created",
      "assistant",
      "result success",
    ]);
  });

  test("permission request", async () => {
    const command = "sh -c 'touch made; ls -la'";
    const steps = [{ content: [bash(command)] }, { text: "Done." }];
    const agent = await startDart({}, { steps });
    agent.send(initialize("uuid"), create("List the files"));
    const question = await agent.line(is("callback.request"));
    const asked = agent.lines.indexOf(question);
    expect(question).toEqual(
      shapedLike({
        type: "callback.request",
        request_id: "callback-uuid",
        request: {
          subtype: "can_use_tool",
          tool_name: "Bash",
          input: { command: "ls -la" },
          tool_use_id: "tool-use-uuid",
          permission_suggestions: [],
          blocked_path: null,
        },
      }),
    );
    expect(question.request).toMatchObject({
      subtype: "can_use_tool",
      tool_name: "Bash",
      input: { command },
    });
    expect(existsSync(join(agent.folder, "made"))).toBe(false);
    const { tool_use_id } = question.request as { tool_use_id: string };
    agent.send(
      callback(question.request_id, {
        behavior: "allow",
        updated_input: {},
        updated_permissions: [],
        tool_use_id,
      }),
    );
    await agent.line(isResult);
    expect(agent.lines.slice(asked + 1).map(inShort)).toEqual(["user", "assistant", "result success"]);
    expect(agent.lines[asked + 1]).toMatchObject({
      type: "user",
      uuid: expect.any(String),
      session_id: expect.any(String),
      message: {
        type: "message",
        content: [{ type: "tool_result", tool_use_id, content: expect.stringContaining("made") }],
      },
    });
    expect(agent.lines.at(-1)).toMatchObject({ turn_count: 2 });
  });
});
