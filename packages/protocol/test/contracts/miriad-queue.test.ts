import { describe, expect, test } from "vitest";
import { miriad } from "../../src/dialect/choose.ts";
import type { AgentMessage } from "../../src/message.ts";
import type { CommandLifecycleMessage } from "../../src/messages/progress.ts";
import type { PromptMessage } from "../../src/messages/prompt.ts";
import { hear, written } from "./hearing.ts";
import { call, init, lifecycle, reply, result, text, toolResult } from "./official.ts";

/** A queue line of the miriad dialect. */
const queued = (position: number) => ({ type: "system", subtype: "queued", session_id: "sess_2", position });
const injected = (message_count: number, content_length: number) => ({
  type: "system",
  subtype: "injected",
  message_count,
  content_length,
});

/** An agent's end with prompts by name, which returns only what it writes about the queue and the turn. */
function agentWith(prompts: Readonly<Record<string, PromptMessage["message"]["content"]>>) {
  const agent = miriad.forAgent();
  for (const [uuid, content] of Object.entries(prompts))
    hear(agent, { type: "user", message: { role: "user", content }, uuid });
  const says = (...messages: readonly AgentMessage[]) =>
    messages.flatMap((message) => written(agent, message));
  const follows = (uuid: string, ...states: readonly CommandLifecycleMessage["state"][]) =>
    says(...states.map((state) => lifecycle(uuid, state)));
  return { says, follows };
}

/** An agent whose first prompt is running. */
function runningWith(prompts: Parameters<typeof agentWith>[0]) {
  const agent = agentWith({ first: "go", ...prompts });
  agent.follows("first", "queued", "started");
  agent.says(init(), reply("msg_1", call("call_1", "Bash", {})));
  return agent;
}

describe("queued", () => {
  test("is not sent for a prompt to an idle agent, even if the agent reports it", () => {
    const { says, follows } = agentWith({ first: "go" });
    expect(follows("first", "queued", "started")).toEqual([]);
    expect(says(init(), reply("msg_1", text("Done.")), result())).toMatchObject([
      { type: "assistant" },
      { type: "result" },
    ]);
    expect(follows("first", "completed")).toEqual([]);
    expect(follows("second", "queued")).toEqual([]);
  });

  test("is sent at once for prompts during a turn, with positions from 1", () => {
    const { follows } = runningWith({ a: "a", b: "b" });
    expect(follows("a", "queued")).toEqual([queued(1)]);
    expect(follows("b", "queued")).toEqual([queued(2)]);
  });

  test("is sent only for the second of two prompts sent back to back", () => {
    const { follows } = agentWith({ first: "1", second: "2", third: "3" });
    expect(follows("first", "queued")).toEqual([]);
    expect(follows("second", "queued")).toEqual([queued(1)]);
    expect(follows("first", "started")).toEqual([]);
    expect(follows("third", "queued")).toEqual([queued(2)]);
  });

  test("is not affected by what an idle agent sends, which starts no turn", () => {
    const { says, follows } = runningWith({ second: "2" });
    says(toolResult("call_1", "ok"), result());
    says({ type: "system", subtype: "session_state_changed", state: "idle", uuid: "", session_id: "" });
    expect(follows("second", "queued")).toEqual([]);
  });

  test("no longer counts a withdrawn prompt", () => {
    const { follows } = runningWith({ a: "a", b: "b" });
    follows("a", "queued", "cancelled");
    expect(follows("b", "queued")).toEqual([queued(1)]);
  });

  test("does not count a prompt that was refused before its turn", () => {
    const { follows } = agentWith({ first: "1", second: "2" });
    follows("first", "queued", "refused");
    expect(follows("second", "queued")).toEqual([]);
  });

  test("does not split a reply", () => {
    const { says, follows } = agentWith({ first: "go", a: "a" });
    follows("first", "queued", "started");
    says(init(), reply("msg_1", text("Let me look.")));
    expect(follows("a", "queued")).toEqual([queued(1)]);
    expect(says(reply("msg_1", call("call_1", "Bash", {})))).toMatchObject([
      { message: { content: [text("Let me look."), { type: "tool_use" }] } },
    ]);
  });
});

describe("injected", () => {
  test("is sent once for prompts that join a turn, before the reply that saw them", () => {
    const { says, follows } = runningWith({ a: "also this", b: "and that" });
    follows("a", "queued");
    follows("b", "queued");
    says(toolResult("call_1", "ok"));
    expect(follows("a", "started")).toEqual([]);
    expect(follows("b", "started")).toEqual([]);
    const lines = says(reply("msg_2", text("Both.")), lifecycle("a", "completed"), result());
    expect(lines).toMatchObject([
      injected(2, "also this\n\nand that".length),
      { type: "assistant", message: { content: [text("Both.")] } },
      { type: "result", subtype: "success", num_turns: 1 },
    ]);
  });

  test.each([
    ["text", "naïve 🙂", "naïve 🙂".length],
    ["text blocks", [text("one"), text("two")], "one\ntwo".length],
    [
      "an image between texts",
      [
        text("one"),
        { type: "image", source: { type: "base64", media_type: "image/png", data: "" } },
        text("2"),
      ],
      "one\n2".length,
    ],
  ] as [string, PromptMessage["message"]["content"], number][])(
    "counts the length in UTF-16 units of %s",
    (_name, content, length) => {
      const { says, follows } = runningWith({ a: content });
      follows("a", "queued", "started");
      expect(says(reply("msg_2", text("Seen.")), result())[0]).toEqual(injected(1, length));
    },
  );

  test("is sent for a prompt that joins before the first reply", () => {
    const { says, follows } = agentWith({ first: "go", a: "also" });
    follows("first", "queued", "started");
    says(init());
    follows("a", "queued", "started");
    expect(says(reply("msg_1", text("Both.")), result())[0]).toEqual(injected(1, 4));
  });

  test("is sent for a prompt queued during the last model call, which continues the turn", () => {
    const { says, follows } = runningWith({ a: "wait" });
    says(toolResult("call_1", "ok"), reply("msg_2", text("Done.")));
    expect(follows("a", "queued")).toEqual([queued(1)]);
    follows("a", "started");
    expect(says(reply("msg_3", text("Waiting.")), result())).toMatchObject([
      { message: { content: [text("Done.")] } },
      injected(1, 4),
      { message: { content: [text("Waiting.")] } },
      { type: "result" },
    ]);
  });

  test("is not sent for prompts that begin their own turn", () => {
    const { says, follows } = runningWith({ a: "a", b: "b" });
    follows("a", "queued");
    follows("b", "queued");
    says(toolResult("call_1", "ok"), result());
    follows("first", "completed");
    follows("a", "started");
    follows("b", "started");
    const lines = says(
      { type: "system", subtype: "session_state_changed", state: "running", uuid: "", session_id: "" },
      init(),
      reply("msg_2", text("Both.")),
      result(),
    );
    expect(lines).toMatchObject([{ type: "assistant" }, { type: "result" }]);
  });

  test("is not sent for waiting prompts that survive an interrupt and begin the next turn", () => {
    const { says, follows } = runningWith({ a: "a", b: "b" });
    follows("a", "queued");
    const aborted = { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" };
    expect(says(toolResult("call_1", "rejected"), result(aborted)).at(-1)).toMatchObject({
      subtype: "cancelled",
    });
    follows("first", "cancelled");
    expect(follows("b", "queued")).toEqual([queued(2)]);
    follows("a", "started");
    follows("b", "started");
    expect(says(init(), reply("msg_2", text("Both.")), result())).toMatchObject([
      { type: "assistant" },
      { type: "result", subtype: "success" },
    ]);
  });
});

describe("sessions", () => {
  test("have separate queues, and only one of them has a turn", () => {
    const agent = runningWith({});
    const other = (uuid: string, state: CommandLifecycleMessage["state"]) =>
      agent.says({ ...lifecycle(uuid, state), session_id: "sess_3" });
    expect(other("x", "queued")).toMatchObject([{ session_id: "sess_3", position: 1 }]);
    expect(agent.follows("a", "queued")).toEqual([queued(1)]);
    expect(other("y", "queued")).toMatchObject([{ session_id: "sess_3", position: 2 }]);
  });

  test("with prompts left by an earlier process make the next prompt wait", () => {
    const { follows } = agentWith({ second: "2" });
    follows("left", "started");
    expect(follows("second", "queued")).toEqual([queued(1)]);
  });
});

test("an agent that reports its injected prompts itself gets no second report", () => {
  const { says, follows } = runningWith({ a: "also this" });
  follows("a", "queued", "started");
  const told = { type: "system", subtype: "injected", message_count: 1, content_length: 9 } as const;
  expect(
    says({ ...told, uuid: "u", session_id: "s" }, reply("msg_2", text("Seen.")), result()),
  ).toMatchObject([told, { type: "assistant" }, { type: "result" }]);
});
