import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, asks, holds, is, isResult, prompt, request, textOf } from "../wire.ts";

const todo = (content: string, status: string) => ({ content, status, activeForm: content });
const todos = (...list: readonly object[]): ScriptStep => ({
  content: [{ type: "tool_use", name: "TodoWrite", input: { todos: list } }],
});

/** Runs a turn with a callback for these events; returns its inputs, and the agent. */
async function called(
  events: readonly string[],
  steps: readonly ScriptStep[],
  said: (input: JsonObject) => JsonObject | undefined = () => ({}),
) {
  const api = await newApi({ steps });
  const agent = openAgent(await newPlace(), { env: api.env, args: UNASKED });
  const told: JsonObject[] = [];
  agent.onLine = (line) => {
    if (!asks("hook_callback")(line)) return;
    const input = (line.request as JsonObject).input as JsonObject;
    told.push(input);
    const output = said(input);
    if (output) agent.send(answer(line.request_id, output));
  };
  const hooks = Object.fromEntries(events.map((event) => [event, [{ hookCallbackIds: [event] }]]));
  agent.send(request("hello", "initialize", { hooks }), prompt("go"));
  await agent.line(isResult);
  return { told, agent };
}

describe("a callback", { timeout: 30_000 }, () => {
  test("of MessageDisplay receives each text before it is sent, and delays nothing", async () => {
    const call = {
      type: "tool_use",
      name: "Bash",
      input: { command: "true", description: "nothing" },
    } as const;
    const steps = [{ content: [{ type: "text", text: "First." } as const, call] }, { text: "Last." }];
    // It never answers.
    const { told, agent } = await called(["MessageDisplay"], steps, () => undefined);
    expect(told).toMatchObject([
      { delta: "First.", index: 0, final: true, turn_id: told[1]?.turn_id },
      { delta: "Last.", index: 0, final: true },
    ]);
    expect(told[0]?.message_id).not.toBe(told[1]?.message_id);
    expect(agent.lines.findIndex(asks("hook_callback"))).toBeLessThan(agent.lines.findIndex(is("assistant")));
  });

  test("of TaskCreated and TaskCompleted receives changes to the model's task list", async () => {
    const { told } = await called(
      ["TaskCreated", "TaskCompleted"],
      [
        todos(todo("Test", "pending")),
        todos(todo("Test", "in_progress"), todo("Ship", "pending")),
        todos(todo("Test", "completed"), todo("Ship", "pending")),
        todos(todo("Test", "completed"), todo("Ship", "completed")),
        { text: "done" },
      ],
    );
    expect(
      told.map(({ hook_event_name, task_id, task_subject }) => [hook_event_name, task_id, task_subject]),
    ).toEqual([
      ["TaskCreated", "1", "Test"],
      ["TaskCreated", "2", "Ship"],
      ["TaskCompleted", "1", "Test"],
      ["TaskCompleted", "2", "Ship"],
    ]);
  });

  test("of TaskCompleted that objects keeps the task open, and the model receives the reason", async () => {
    let asked = 0;
    const { told, agent } = await called(
      ["TaskCompleted"],
      [
        todos(todo("Test", "pending")),
        todos(todo("Test", "completed")),
        todos(todo("Test", "completed")),
        { text: "so be it" },
      ],
      () => (asked++ === 0 ? { decision: "block", reason: "the tests fail" } : {}),
    );
    const results = agent.lines.filter(holds("tool_result")).map(({ message }) => textOf(message));
    expect(results[1]).toContain("the tests fail");
    // Asked again, because it was still open.
    expect(told).toHaveLength(2);
  });
});

describe("a hook that answers for another event", { timeout: 30_000 }, () => {
  const answered = async (event: string, said: JsonObject) => {
    const api = await newApi({ steps: [{ content: [bash("echo ran")] }, { text: "end" }] });
    const agent = openAgent(await newPlace(), {
      env: api.env,
      args: event === "PreToolUse" ? ASKED : UNASKED,
    });
    agent.send(
      request("hello", "initialize", { hooks: { [event]: [{ hookCallbackIds: ["h"] }] } }),
      prompt("go"),
    );
    const question = await agent.line(asks("hook_callback"));
    agent.send(answer(question.request_id, said));
    await agent.line(isResult);
    expect(agent.lines.filter(is("system", "informational"))).toMatchObject([
      { tag: "hook_callback_failed" },
    ]);
    return { agent, sent: JSON.stringify(api.requests.at(-1)?.body.messages) };
  };

  test("prevents a call, whatever its answer is", async () => {
    const said = { hookSpecificOutput: { hookEventName: "PostToolUse", permissionDecision: "allow" } };
    const { agent } = await answered("PreToolUse", said);
    expect(agent.lines.some(asks("can_use_tool"))).toBe(false);
    expect(agent.lines.find(holds("tool_result"))).toMatchObject({
      message: { content: [{ is_error: true, content: expect.stringContaining("PostToolUse") }] },
    });
  });

  test("has no effect if there is no call to prevent", async () => {
    const said = { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "MISPLACED" } };
    expect((await answered("PostToolUse", said)).sent).not.toContain("MISPLACED");
  });
});
