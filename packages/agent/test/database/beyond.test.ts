import { existsSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { ASKED } from "../model-source.ts";
import { answer, answers, asks, blocksOf, request } from "../wire.ts";
import { close, of, openScripted, results, said, user } from "./miriad-agent.ts";

/** A call that is not allowed by default. */
const WRITE = {
  type: "tool_use",
  id: "call_1",
  name: "Write",
  input: { file_path: "{{cwd}}/made", content: "x" },
};
const WRITES = { steps: [{ content: [WRITE] }, { text: "Done." }] };

describe("additions to the miriad dialect", { timeout: 30_000 }, () => {
  test("thoughts are blocks of the reply", async () => {
    const agent = await openScripted({
      steps: [
        {
          content: [
            { type: "thinking", thinking: "Hm." },
            { type: "text", text: "Yes." },
          ],
        },
      ],
    });
    agent.send(user("well?"));
    await results(agent, 1);
    expect(blocksOf(agent.lines[0]?.message)).toMatchObject([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Yes." },
    ]);
    expect(said(agent)).toEqual(["assistant", "success"]);
    expect(await close(agent)).toBe(0);
  });

  test("--include-partial-messages streams a reply, and then sends the whole of it once", async () => {
    const agent = await openScripted(
      { steps: [{ content: [{ type: "text", text: "One two." }, WRITE], chunkSize: 4 }, { text: "Done." }] },
      ["--include-partial-messages"],
    );
    agent.send(user("go"));
    await results(agent, 1);
    const events = agent.lines.flatMap((line) => (isJsonObject(line.event) ? [line.event.type] : []));
    expect(events.slice(0, 3)).toEqual(["message_start", "content_block_start", "content_block_delta"]);
    expect(events.filter((type) => type === "message_stop")).toHaveLength(2);
    const replies = agent.lines.filter(({ type }) => type === "assistant");
    expect(replies.map(({ message }) => blocksOf(message).length)).toEqual([2, 1]);
    expect(await close(agent)).toBe(0);
  });

  test("a call that nothing allows is denied with advice on how to allow it", async () => {
    const agent = await openScripted(WRITES);
    agent.send(user("go"));
    await results(agent, 1);
    const [result] = agent.lines.filter(of("tool_result"));
    expect(result).toMatchObject({ tool_result: { is_error: true } });
    expect(JSON.stringify(result)).toContain("--permission-prompt-tool");
    expect(existsSync(join(agent.place.cwd, "made"))).toBe(false);
    expect(await close(agent)).toBe(0);
  });

  test.each([
    ["--allowedTools", "Write"],
    ["--permission-mode", "acceptEdits"],
  ])("%s %s lets such a call run", async (flag, value) => {
    const agent = await openScripted(WRITES, [flag, value]);
    agent.send(user("go"));
    await results(agent, 1);
    expect(existsSync(join(agent.place.cwd, "made"))).toBe(true);
    expect(await close(agent)).toBe(0);
  });

  test("--permission-prompt-tool stdio asks the host, which may change the input in miriad's spelling", async () => {
    const agent = await openScripted(WRITES, ASKED);
    agent.send(user("go"));
    const asked = await agent.line(asks("can_use_tool"));
    const path = join(agent.place.cwd, "made");
    expect(asked).toMatchObject({
      request: { tool_name: "write", input: { filePath: path }, tool_use_id: "call_1" },
    });
    const other = join(agent.place.cwd, "other");
    agent.send(
      answer(asked.request_id, { behavior: "allow", updatedInput: { filePath: other, content: "y" } }),
    );
    await results(agent, 1);
    expect([existsSync(path), existsSync(other)]).toEqual([false, true]);
    expect(await close(agent)).toBe(0);
  });

  test("the end of stdin while a question is open denies the call", async () => {
    const agent = await openScripted(WRITES, ASKED);
    agent.send(user("go"));
    await agent.line(asks("can_use_tool"));
    expect(await close(agent)).toBe(0);
    expect(agent.lines.find(of("tool_result"))).toMatchObject({ tool_result: { is_error: true } });
    expect(said(agent).at(-1)).toBe("success");
  });

  test("hooks that the host registers are called in every session", async () => {
    const agent = await openScripted({ steps: [...WRITES.steps, ...WRITES.steps] });
    const hooks = { PreToolUse: [{ matcher: "Write", hookCallbackIds: ["hook_0"] }] };
    agent.send(request("init", "initialize", { hooks }));
    await agent.line(answers("init"));
    for (const [i, session] of ["a", "b"].entries()) {
      const from = agent.lines.length;
      agent.send(user("go", session));
      const asked = await agent.line(asks("hook_callback"), from);
      expect(asked).toMatchObject({
        request: {
          callback_id: "hook_0",
          input: { hook_event_name: "PreToolUse", session_id: session, tool_name: "write" },
        },
      });
      const hookSpecificOutput = {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "not today",
      };
      agent.send(answer(asked.request_id, { hookSpecificOutput }));
      await results(agent, i + 1);
      const [result] = agent.lines.slice(from).filter(of("tool_result"));
      expect(result).toMatchObject({ tool_result: { content: "not today", is_error: true } });
    }
    expect(await close(agent)).toBe(0);
  });

  test("other control requests go to the session used last", async () => {
    const agent = await openScripted({ steps: [{ text: "Hello." }] });
    agent.send(user("hello", "a"));
    await results(agent, 1);
    agent.send(request("r1", "set_permission_mode", { mode: "acceptEdits" }));
    expect(await agent.line(answers("r1"))).toMatchObject({ response: { subtype: "success" } });
    agent.send(request("r2", "no_such_request"));
    expect(await agent.line(answers("r2"))).toMatchObject({ response: { subtype: "error" } });
    expect(await close(agent)).toBe(0);
  });
});
