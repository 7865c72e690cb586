import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HookCallback, HookEvent, HookInput, Options } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { ofType, resultOf, toolResults } from "./messages.ts";
import { sentMessages } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const TOUCH = use("Bash", { command: "touch made.txt", description: "Make a file" });
const SERVER = fileURLToPath(
  new URL("../../packages/agent/test/mcp/programs/stdio-server.mjs", import.meta.url),
);

/** Options with one hook on some events, and a list of its inputs. */
function listening(
  events: readonly HookEvent[],
  answer: HookCallback = async () => ({}),
): { readonly heard: HookInput[]; readonly options: Options } {
  const heard: HookInput[] = [];
  const hook: HookCallback = async (input, id, context) => {
    heard.push(input);
    return answer(input, id, context);
  };
  return {
    heard,
    options: { hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]])) },
  };
}

test("a call that a hook defers runs when the session is resumed", async () => {
  const bench = await openBench({ steps: [TOUCH, say("made it")] });
  let decision: "defer" | "allow" = "defer";
  const { heard, options } = listening(["PreToolUse"], async () => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision },
  }));
  const first = resultOf(await bench.ask("touch", options));
  expect(first).toMatchObject({ stop_reason: "tool_deferred", deferred_tool_use: { name: "Bash" } });
  expect(existsSync(bench.path("made.txt"))).toBe(false);
  decision = "allow";
  const later = await bench.ask("go on", { ...options, resume: first.session_id });
  expect(resultOf(later)).toMatchObject({ result: "made it" });
  expect(existsSync(bench.path("made.txt"))).toBe(true);
  expect(heard).toMatchObject([{ tool_use_id: "toolu_Bash" }, { tool_use_id: "toolu_Bash" }]);
});

describe("a hook on PostToolUse", () => {
  const secret = use("Bash", { command: "echo secret", description: "Say it" });

  test("replaces the data of a result, and nothing of the original is exposed", async () => {
    const bench = await openBench({ steps: [secret, say("seen")] });
    const { options } = listening(["PostToolUse"], async (input) => {
      if (input.hook_event_name !== "PostToolUse") return {};
      const response = input.tool_response as object;
      return {
        hookSpecificOutput: {
          hookEventName: "PostToolUse",
          updatedToolOutput: { ...response, stdout: "hidden" },
        },
      };
    });
    const talk = await bench.ask("say it", { allowedTools: ["Bash"], ...options });
    expect(toolResults(talk)).toMatchObject([{ content: "hidden" }]);
    expect(ofType(talk, "user")[0]?.tool_use_result).toMatchObject({ stdout: "hidden", interrupted: false });
    expect(JSON.stringify(ofType(talk, "user"))).not.toContain("secret");
  });

  test("can't replace a result with data of another shape", async () => {
    const bench = await openBench({ steps: [secret, say("seen")] });
    const { options } = listening(["PostToolUse"], async () => ({
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { text: "other" } },
    }));
    const talk = await bench.ask("say it", { allowedTools: ["Bash"], ...options });
    expect(toolResults(talk)).toMatchObject([{ content: "secret" }]);
  });
});

test("hooks are notified of a model change, and may prevent it", async () => {
  const bench = await openBench({ steps: [say("one"), say("probe"), say("two")] });
  const { heard, options } = listening(["PreModelSwitch", "PostModelSwitch"], async (input) => {
    if (input.hook_event_name === "PostModelSwitch")
      return { hookSpecificOutput: { hookEventName: "PostModelSwitch", additionalContext: "ctx-switched" } };
    if (input.hook_event_name !== "PreModelSwitch" || !input.to_model.includes("haiku")) return {};
    return {
      hookSpecificOutput: {
        hookEventName: "PreModelSwitch",
        permissionDecision: "deny",
        permissionDecisionReason: "too small",
      },
    };
  });
  const live = openLive(bench, options);
  live.send("first");
  await live.until("result");
  await expect(live.query.setModel("haiku")).rejects.toThrow("too small");
  await live.query.setModel("sonnet");
  live.send("second");
  await live.until("result");
  await live.end();
  expect(heard).toMatchObject([
    { hook_event_name: "PreModelSwitch", source: "sdk", requested_model: "haiku" },
    { hook_event_name: "PreModelSwitch", requested_model: "sonnet" },
    { hook_event_name: "PostModelSwitch", to_model: expect.stringContaining("sonnet") },
  ]);
  expect(sentMessages(bench, 2)).toContain("ctx-switched");
});

test("hooks are notified which instruction files were read, and from where", async () => {
  const bench = await openBench(
    { steps: [say("read")] },
    { "CLAUDE.md": "See @more.md\n", "more.md": "More.\n" },
  );
  const { heard, options } = listening(["InstructionsLoaded"]);
  await bench.ask("hello", { settingSources: ["project"], ...options });
  expect(heard).toMatchObject([
    { file_path: bench.path("CLAUDE.md"), memory_type: "Project", load_reason: "session_start" },
    {
      file_path: bench.path("more.md"),
      load_reason: "include",
      parent_file_path: bench.path("CLAUDE.md"),
    },
  ]);
});

describe("a hook on UserPromptExpansion", () => {
  const FILES = { ".claude/commands/greet.md": "Greet $ARGUMENTS." };

  test("receives the command behind a prompt, and adds context to it", async () => {
    const bench = await openBench({ steps: [say("hi")] }, FILES);
    const { heard, options } = listening(["UserPromptExpansion"], async () => ({
      hookSpecificOutput: { hookEventName: "UserPromptExpansion", additionalContext: "ctx-command" },
    }));
    await bench.ask("/greet Ada", { settingSources: ["project"], ...options });
    expect(heard).toMatchObject([
      { expansion_type: "slash_command", command_name: "greet", command_args: "Ada", prompt: "/greet Ada" },
    ]);
    expect(sentMessages(bench, 0)).toContain("Greet Ada.");
    expect(sentMessages(bench, 0)).toContain("ctx-command");
  });

  test("blocks the prompt", async () => {
    const bench = await openBench({ steps: [say("never")] }, FILES);
    const { options } = listening(["UserPromptExpansion"], async () => ({ decision: "block", reason: "no" }));
    await bench.ask("/greet Ada", { settingSources: ["project"], ...options });
    expect(bench.api.requests).toHaveLength(0);
  });
});

describe("a question from an MCP server", () => {
  const ASK = use("mcp__asker__ask", {});
  const OPTIONS: Options = {
    mcpServers: { asker: { command: process.execPath, args: [SERVER] } },
    allowedTools: ["mcp__asker__ask"],
  };

  test("is answered by a hook instead of the host", async () => {
    const bench = await openBench({ steps: [ASK, say("asked")] });
    const { heard, options } = listening(["Elicitation"], async () => ({
      hookSpecificOutput: { hookEventName: "Elicitation", action: "accept", content: { name: "Ada" } },
    }));
    const talk = await bench.ask("ask", {
      ...OPTIONS,
      ...options,
      onElicitation: async () => {
        throw new Error("nobody should ask");
      },
    });
    expect(heard).toMatchObject([{ mcp_server_name: "asker", message: "Who?" }]);
    expect(JSON.stringify(toolResults(talk))).toContain("Ada");
  });

  test("is answered by the host, and a hook changes the answer", async () => {
    const bench = await openBench({ steps: [ASK, say("asked")] });
    const { heard, options } = listening(["ElicitationResult"], async () => ({
      hookSpecificOutput: { hookEventName: "ElicitationResult", action: "decline" },
    }));
    const talk = await bench.ask("ask", {
      ...OPTIONS,
      ...options,
      onElicitation: async () => ({ action: "accept", content: { name: "Bob" } }),
    });
    expect(heard).toMatchObject([{ mcp_server_name: "asker", action: "accept", content: { name: "Bob" } }]);
    expect(JSON.stringify(toolResults(talk))).toContain("decline");
  });
});
