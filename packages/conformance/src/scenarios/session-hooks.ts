import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "../json-path.ts";
import { calls, says } from "../scripted-api/script.ts";
import { HOOK, registerHooks } from "./hook-events.ts";
import { BYPASS, wrote } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

const command = (text: string) => ({ hooks: [{ type: "command", command: text }] });

/** Hooks for the start, end and moves of a session, its plans, and its denials. */
export const sessionHooks: readonly Scenario[] = [
  {
    name: "hooks-setup",
    about: "with --init the Setup command runs before the first turn and is reported",
    args: ["--init", "--settings", JSON.stringify({ hooks: { Setup: [command("echo set-up")] } })],
    steps: [says("one")],
    flow: async ({ agent }) => {
      await agent.turn("a");
    },
  },
  {
    name: "hooks-clear",
    about:
      "/clear ends the session and starts a new one: the host's SessionEnd and SessionStart hooks are called",
    steps: [says("one"), says("two")],
    flow: async ({ agent }) => {
      await registerHooks(agent, ["SessionEnd", "SessionStart"]);
      for (const prompt of ["a", "/clear", "b"]) await agent.turn(prompt);
    },
  },
  {
    name: "hooks-stop-error",
    about: "a failing Stop command is reported as a notification, and the turn succeeds",
    args: ["--settings", JSON.stringify({ hooks: { Stop: [command("echo broken >&2; exit 3")] } })],
    steps: [says("one")],
    flow: async ({ agent }) => {
      await agent.turn("a");
      return {
        failureTold: wrote(agent, { type: "system", subtype: "notification", key: "stop-hook-error" }),
      };
    },
    expect: { facts: { failureTold: true } },
  },
  {
    name: "hooks-task-list",
    about: "TaskCreated runs before a task is added to the list, TaskCompleted before it is marked as done",
    args: [...BYPASS, "--tools", "TaskCreate,TaskUpdate"],
    steps: [
      calls("TaskCreate", { subject: "Buy milk", description: "Two litres" }, "toolu_t1"),
      calls("TaskUpdate", { taskId: "1", status: "completed" }, "toolu_t2"),
      says("Bought."),
    ],
    flow: async ({ agent }) => {
      await registerHooks(agent, ["TaskCreated", "TaskCompleted"]);
      await agent.turn("milk");
    },
  },
  {
    name: "hooks-worktree-remove",
    about: "a WorktreeCreate hook names the folder to work in, and a WorktreeRemove hook removes it",
    args: BYPASS,
    steps: [
      calls("EnterWorktree", { name: "wt" }, "toolu_w1"),
      calls("ExitWorktree", { action: "remove", discard_changes: true }, "toolu_w2"),
      says("Left it."),
    ],
    flow: async ({ agent, project }) => {
      const worktreePath = join(project.root, "wt");
      mkdirSync(worktreePath);
      agent.on(HOOK, (line) => {
        const hookEventName = textAt(line, "request", "input", "hook_event_name");
        const isCreate = hookEventName === "WorktreeCreate";
        agent.answer(line, isCreate ? { hookSpecificOutput: { hookEventName, worktreePath } } : {});
      });
      const hooks = {
        WorktreeCreate: [{ hookCallbackIds: ["create"] }],
        WorktreeRemove: [{ hookCallbackIds: ["remove"] }],
      };
      await agent.ask({ subtype: "initialize", hooks });
      await agent.turn("enter and leave");
    },
  },
  {
    name: "hooks-permission-denied",
    about: "in mode auto a call that can't be classified is denied, and PermissionDenied runs",
    args: ["--permission-mode", "auto"],
    steps: [
      calls(
        "Bash",
        { command: "curl -s http://127.0.0.1:9/; touch made.txt", description: "Fetch" },
        "toolu_b1",
      ),
      says("It was denied."),
    ],
    flow: async ({ agent, project }) => {
      await registerHooks(agent, ["PermissionDenied"]);
      await agent.turn("fetch it");
      return { made: project.exists("made.txt") };
    },
    expect: { facts: { made: false } },
  },
];
