import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import type { HookEvent } from "@agentwire/protocol/hooks";
import type { AgentDriver } from "../agent-driver/driver.ts";
import { calls, fails, says } from "../scripted-api/script.ts";
import { BYPASS } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** The agent's request to run a hook of the host. */
export const HOOK = { type: "control_request", request: { subtype: "hook_callback" } };

/** Registers the host's hooks for these events; each of them gives the same answer. */
export async function registerHooks(
  agent: AgentDriver,
  events: readonly HookEvent[],
  answer: JsonObject = {},
): Promise<void> {
  agent.on(HOOK, (line) => agent.answer(line, answer));
  const hooks = Object.fromEntries(events.map((event) => [event, [{ hookCallbackIds: [event] }]]));
  await agent.ask({ subtype: "initialize", hooks });
}

/** A flow of one prompt, with hooks for these events. */
const hooked =
  (prompts: readonly string[], ...events: readonly HookEvent[]): Scenario["flow"] =>
  async ({ agent }) => {
    await registerHooks(agent, events);
    for (const prompt of prompts) await agent.turn(prompt);
    return undefined;
  };

/** One scenario for each event that the other scenarios do not cause. */
export const hookEvents: readonly Scenario[] = [
  {
    name: "hooks-tool-failure",
    about:
      "PostToolUseFailure runs instead of PostToolUse after a failed call; PostToolBatch runs after the result",
    steps: [calls("Read", { file_path: "{{cwd}}/missing.txt" }, "toolu_r1"), says("It is missing.")],
    flow: hooked(["read it"], "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
  },
  {
    name: "hooks-permission-request",
    about: "a PermissionRequest hook that allows the call withdraws the question asked at the same time",
    steps: [
      calls("Bash", { command: "touch made.txt", description: "Create a file" }, "toolu_b1"),
      says("Made."),
    ],
    flow: async ({ agent, project }) => {
      await registerHooks(agent, ["PermissionRequest"], {
        hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
      });
      await agent.turn("make a file");
      return { made: project.exists("made.txt") };
    },
    expect: { facts: { made: true } },
  },
  {
    name: "hooks-subagent",
    about: "SubagentStart and SubagentStop run before and after a subagent's work",
    args: BYPASS,
    steps: [
      calls(
        "Agent",
        { description: "Look", prompt: "hi", subagent_type: "general-purpose", run_in_background: false },
        "toolu_a1",
      ),
      says("The subagent's report."),
      says("Reported."),
    ],
    flow: hooked(["delegate"], "SubagentStart", "SubagentStop"),
  },
  {
    name: "hooks-compact",
    about: "PreCompact and PostCompact run before and after the conversation is summarized",
    steps: [says("one"), says("<summary>We said one.</summary>")],
    flow: hooked(["a", "/compact"], "PreCompact", "PostCompact"),
  },
  {
    name: "hooks-model-switch",
    about: "PreModelSwitch runs before set_model is answered, PostModelSwitch runs after the switch",
    steps: [says("one"), says("two")],
    flow: async ({ agent }) => {
      await registerHooks(agent, ["PreModelSwitch", "PostModelSwitch"]);
      await agent.turn("a");
      await agent.ask({ subtype: "set_model", model: "claude-sonnet-4-5" });
      await agent.turn("b");
    },
  },
  {
    name: "hooks-stop-failure",
    about: "StopFailure runs instead of Stop when the API fails",
    env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    steps: [fails(500, "api_error", "Internal server error", { repeat: 50 })],
    flow: hooked(["a"], "Stop", "StopFailure"),
    expect: { exits: [1] },
  },
  {
    name: "hooks-prompt-expansion",
    about: "UserPromptExpansion runs when a prompt uses one of the project's commands",
    files: { ".claude/commands/greet.md": "Say hello to $ARGUMENTS\n" },
    steps: [says("Hello Bob.")],
    flow: async ({ agent, api }) => {
      await registerHooks(agent, ["UserPromptExpansion"]);
      await agent.turn("/greet Bob");
      return { expanded: api.sent(0, "Say hello to Bob") };
    },
    expect: { facts: { expanded: true } },
  },
  {
    name: "hooks-instructions",
    about: "InstructionsLoaded runs when a file is read in a folder that has its own instructions",
    files: { "sub/CLAUDE.md": "Be brief.\n", "sub/f.txt": "f\n" },
    steps: [calls("Read", { file_path: "{{cwd}}/sub/f.txt" }, "toolu_r1"), says("Read it.")],
    flow: hooked(["read it"], "InstructionsLoaded"),
  },
  {
    name: "hooks-config-change",
    about: "ConfigChange runs when another program changes the settings",
    files: { ".claude/settings.json": "{}\n" },
    steps: [says("one"), says("two")],
    flow: async ({ agent, project }) => {
      await registerHooks(agent, ["ConfigChange"]);
      await agent.turn("a");
      writeFileSync(join(project.cwd, ".claude/settings.json"), '{"env":{"A":"b"}}\n');
      await agent.pause(3000);
      await agent.turn("b");
    },
  },
  {
    name: "hooks-message-display",
    about: "MessageDisplay receives a text before the line that contains it is written",
    steps: [says("Shown.")],
    flow: hooked(["say something"], "MessageDisplay"),
  },
  {
    name: "hooks-worktree",
    about:
      "WorktreeCreate provides the folder for EnterWorktree; if the hook names no folder, the tool fails",
    args: BYPASS,
    steps: [calls("EnterWorktree", { name: "wt" }, "toolu_w1"), says("No worktree.")],
    flow: hooked(["enter"], "WorktreeCreate"),
  },
  {
    name: "hooks-notification",
    about: "Notification runs when a question has been open for several seconds",
    steps: [
      calls("Bash", { command: "touch made.txt", description: "Create a file" }, "toolu_b1"),
      says("Made."),
    ],
    flow: async ({ agent }) => {
      await registerHooks(agent, ["Notification"]);
      agent.prompt("make a file");
      const question = await agent.until({ type: "control_request", request: { subtype: "can_use_tool" } });
      await agent.pause(8000);
      agent.answer(question, { behavior: "allow" });
      await agent.result();
    },
    slow: true,
  },
  {
    name: "hook-progress",
    about: "with --include-hook-events the output of a slow hook command is reported while the command runs",
    args: [
      "--include-hook-events",
      "--settings",
      JSON.stringify({
        hooks: {
          UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo one; sleep 2; echo two" }] }],
        },
      }),
    ],
    steps: [says("done")],
    flow: async ({ agent }) => {
      await agent.turn("a");
    },
  },
];
