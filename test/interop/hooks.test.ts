import { existsSync } from "node:fs";
import type { HookCallback, HookEvent, HookJSONOutput, Options } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { kinds, resultOf, toolResults } from "./messages.ts";
import { sentMessages } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const TOUCH = use("Bash", { command: "touch made.txt", description: "Make a file" });
const READ = use("Read", { file_path: "{{cwd}}/note.txt" });
const FILES = { "note.txt": "the note\n" };

describe("a hook on PreToolUse", () => {
  test("denies a call with the older kind of output", async () => {
    const bench = await openBench({ steps: [TOUCH, say("refused")] });
    const talk = await bench.ask("touch", {
      allowedTools: ["Bash"],
      ...hooked("PreToolUse", { decision: "block", reason: "hooks say no" }),
    });
    expect(existsSync(bench.path("made.txt"))).toBe(false);
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
    expect(sentMessages(bench, 1)).toContain("hooks say no");
  });

  test("denies a call that permissions would allow", async () => {
    const bench = await openBench({ steps: [TOUCH, say("refused")] });
    const talk = await bench.ask("touch", {
      allowedTools: ["Bash"],
      ...hooked("PreToolUse", {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "hooks say no",
        },
      }),
    });
    expect(existsSync(bench.path("made.txt"))).toBe(false);
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
    expect(sentMessages(bench, 1)).toContain("hooks say no");
    expect(resultOf(talk)).toMatchObject({ result: "refused" });
  });

  test("allows a call that would need approval, and changes its input", async () => {
    const bench = await openBench({ steps: [TOUCH, say("done")] });
    await bench.ask(
      "touch",
      hooked("PreToolUse", {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "touch hooked.txt", description: "Make another file" },
        },
      }),
    );
    expect(existsSync(bench.path("made.txt"))).toBe(false);
    expect(existsSync(bench.path("hooked.txt"))).toBe(true);
  });

  test("is called only for tools that its matcher names, with the whole call", async () => {
    const bench = await openBench({ steps: [READ, TOUCH, say("done")] }, FILES);
    const calls: unknown[] = [];
    const record: HookCallback = async (input, toolUseID) => {
      if (input.hook_event_name === "PreToolUse") calls.push([input.tool_name, input.tool_input, toolUseID]);
      return {};
    };
    await bench.ask("both", {
      allowedTools: ["Bash"],
      hooks: { PreToolUse: [{ matcher: "Write|Bash", hooks: [record] }] },
    });
    expect(calls).toEqual([
      ["Bash", { command: "touch made.txt", description: "Make a file" }, "toolu_Bash"],
    ]);
  });
});

describe("a hook on", () => {
  test("PostToolUse receives the tool's result and adds context for the model", async () => {
    const bench = await openBench({ steps: [READ, say("read")] }, FILES);
    let response: unknown;
    await bench.ask(
      "read",
      on("PostToolUse", async (input) => {
        if (input.hook_event_name === "PostToolUse") response = input.tool_response;
        return {
          hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "ctx-post" },
        };
      }),
    );
    expect(response).toMatchObject({ type: "text", file: { content: expect.stringContaining("the note") } });
    expect(sentMessages(bench, 1)).toContain("ctx-post");
  });

  test("PostToolUseFailure receives the error", async () => {
    const bench = await openBench({ steps: [READ, say("missing")] });
    const errors: unknown[] = [];
    await bench.ask(
      "read",
      on("PostToolUseFailure", async (input) => {
        if (input.hook_event_name === "PostToolUseFailure")
          errors.push([input.tool_name, typeof input.error]);
        return {};
      }),
    );
    expect(errors).toEqual([["Read", "string"]]);
  });

  test("UserPromptSubmit adds context to the prompt", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    let prompt: unknown;
    await bench.ask(
      "the prompt",
      on("UserPromptSubmit", async (input) => {
        if (input.hook_event_name === "UserPromptSubmit") prompt = input.prompt;
        return {
          hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "ctx-prompt" },
        };
      }),
    );
    expect(prompt).toBe("the prompt");
    expect(sentMessages(bench, 0)).toContain("ctx-prompt");
  });

  test("UserPromptSubmit blocks a prompt", async () => {
    const bench = await openBench({ steps: [say("never")] });
    const talk = await bench.ask(
      "secret",
      hooked("UserPromptSubmit", { decision: "block", reason: "no secrets" }),
    );
    expect(bench.api.requests).toHaveLength(0);
    expect(JSON.stringify(talk.messages)).toContain("no secrets");
  });

  test("Stop makes the model continue once", async () => {
    const bench = await openBench({ steps: [say("finished?"), say("finished!")] });
    const active: unknown[] = [];
    const talk = await bench.ask(
      "work",
      on("Stop", async (input) => {
        if (input.hook_event_name !== "Stop") return {};
        active.push(input.stop_hook_active);
        return active.length === 1 ? { decision: "block", reason: "one thing left" } : {};
      }),
    );
    expect(active).toEqual([false, true]);
    expect(sentMessages(bench, 1)).toContain("one thing left");
    expect(resultOf(talk)).toMatchObject({ result: "finished!", num_turns: 2 });
  });

  test("PostToolUse that returns continue: false ends the turn", async () => {
    const bench = await openBench({ steps: [READ, say("never")] }, FILES);
    const talk = await bench.ask("read", hooked("PostToolUse", { continue: false, stopReason: "enough" }));
    expect(bench.api.requests).toHaveLength(1);
    expect(resultOf(talk)).toMatchObject({ result: "", terminal_reason: "hook_stopped" });
  });

  test("SubagentStart and SubagentStop is notified of a subagent", async () => {
    const bench = await openBench({
      steps: [
        use("Agent", {
          description: "Look",
          prompt: "look",
          subagent_type: "general-purpose",
          run_in_background: false,
        }),
        say("looked"),
        say("done"),
      ],
    });
    const heard: string[] = [];
    const hear: HookCallback = async (input) => {
      heard.push(input.hook_event_name);
      return {};
    };
    await bench.ask("delegate", {
      hooks: { SubagentStart: [{ hooks: [hear] }], SubagentStop: [{ hooks: [hear] }] },
    });
    expect(heard).toEqual(["SubagentStart", "SubagentStop"]);
  });
});

test("a hook that throws does not end the turn", async () => {
  const bench = await openBench({ steps: [READ, say("went on")] }, FILES);
  const talk = await bench.ask(
    "read",
    on("PreToolUse", async () => {
      throw new Error("broken hook");
    }),
  );
  expect(resultOf(talk)).toMatchObject({ result: "went on" });
});

describe("hooks in the project's settings", () => {
  test("run as commands, and the host receives their events if it asks for them", async () => {
    const refusal = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "settings say no",
      },
    };
    const settings = {
      hooks: {
        SessionStart: [{ hooks: [{ type: "command", command: "echo ctx-start" }] }],
        PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command: "cat refusal.json" }] }],
      },
    };
    const bench = await openBench(
      { steps: [READ, say("refused")] },
      {
        ...FILES,
        "refusal.json": JSON.stringify(refusal),
        ".claude/settings.json": JSON.stringify(settings),
      },
    );
    const talk = await bench.ask("read", { includeHookEvents: true });
    expect(sentMessages(bench, 0)).toContain("ctx-start");
    expect(sentMessages(bench, 1)).toContain("settings say no");
    expect(kinds(talk)).toEqual(expect.arrayContaining(["system/hook_started", "system/hook_response"]));
  });
});

/** Options with one hook. */
const on = (event: HookEvent, callback: HookCallback): Options => ({
  hooks: { [event]: [{ hooks: [callback] }] },
});

/** Options with one hook that always returns the same output. */
const hooked = (event: HookEvent, output: HookJSONOutput): Options => on(event, async () => output);
