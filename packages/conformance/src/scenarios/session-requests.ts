import { statSync } from "node:fs";
import { join } from "node:path";
import { calls, says } from "../scripted-api/script.ts";
import { registerHooks } from "./hook-events.ts";
import { BYPASS } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

const TASK = { type: "system", subtype: "task_started" };
const TICKS = "for i in $(seq 30); do echo tick $i; python3 -c 'import time; time.sleep(1)'; done";

/** Requests about the session, its folders and its tasks. */
export const sessionRequests: readonly Scenario[] = [
  {
    name: "seed-read-state",
    about: "a file that the host has already read can be edited without reading it again",
    args: ["--permission-mode", "acceptEdits"],
    files: { "a.txt": "one\n" },
    steps: [
      calls("Edit", { file_path: "{{cwd}}/a.txt", old_string: "one", new_string: "two" }, "toolu_e1"),
      says("Edited."),
    ],
    flow: async ({ agent, project }) => {
      const path = join(project.cwd, "a.txt");
      await agent.ask({ subtype: "initialize" });
      await agent.ask({ subtype: "seed_read_state", path, mtime: Math.floor(statSync(path).mtimeMs) });
      await agent.turn("edit it");
      return { file: project.read("a.txt") };
    },
    expect: { facts: { file: "two\n" } },
  },
  {
    name: "register-repo-root",
    about:
      "a folder inside the project is added to the workspace and DirectoryAdded runs; a folder outside is refused",
    files: { "other/x.txt": "x" },
    steps: [says("one")],
    flow: async ({ agent, project }) => {
      await registerHooks(agent, ["DirectoryAdded"]);
      await agent.turn("a");
      await agent.ask({ subtype: "register_repo_root", directory: join(project.cwd, "other") });
      await agent.until({ request: { input: { hook_event_name: "DirectoryAdded" } } }, { fromStart: true });
      await agent.ask({ subtype: "register_repo_root", directory: project.home });
    },
  },
  {
    name: "update-settings",
    about: "update_settings changes the project's settings; without a source it is an error",
    steps: [says("one")],
    flow: async ({ agent, project }) => {
      await agent.ask({ subtype: "initialize" });
      await agent.turn("a");
      await agent.ask({ subtype: "update_settings", settings: {} });
      await agent.ask({
        subtype: "update_settings",
        source: "localSettings",
        settings: { outputStyle: "Explanatory" },
      });
      return { saved: project.read(".claude/settings.local.json")?.includes("Explanatory") };
    },
    expect: { facts: { saved: true } },
  },
  {
    name: "set-has-subscribers",
    about: "set_has_subscribers accepts true, false and null",
    steps: [says("one")],
    flow: async ({ agent }) => {
      for (const has_subscribers of [true, false, null])
        await agent.ask({ subtype: "set_has_subscribers", has_subscribers });
      await agent.turn("a");
    },
  },
  {
    name: "set-color",
    about: "set_color is refused as unsupported in a session without a screen",
    steps: [says("one")],
    flow: async ({ agent }) => {
      await agent.turn("a");
      await agent.ask({ subtype: "set_color", color: "blue" });
    },
  },
  {
    name: "claim-session-refused",
    about: "a process that already has a session refuses another one",
    steps: [says("one")],
    flow: async ({ agent, project }) => {
      await agent.turn("a");
      await agent.ask({ subtype: "claim_session", cwd: project.cwd });
    },
  },
  {
    name: "end-session",
    about: "end_session is answered, and the process exits with 0",
    steps: [says("one")],
    flow: async ({ agent }) => {
      await agent.turn("a");
      await agent.ask({ subtype: "end_session", reason: "done" });
      return { gone: await agent.gone(5000) };
    },
    expect: { facts: { gone: true } },
  },
  {
    name: "task-requests",
    about: "the host can read the output of a background command and stop the command",
    args: BYPASS,
    steps: [
      calls("Bash", { command: TICKS, description: "ticks", run_in_background: true }, "toolu_b1"),
      says("Started."),
    ],
    flow: async ({ agent }) => {
      agent.prompt("start it");
      const { task_id } = await agent.until(TASK);
      await agent.result();
      await agent.ask({ subtype: "background_tasks", tool_use_id: "toolu_b1" });
      await agent.ask({ subtype: "get_task_output", task_id });
      await agent.ask({ subtype: "get_task_output", task_id: "nope" });
      await agent.ask({ subtype: "stop_task", task_id });
    },
  },
  {
    name: "background-tasks",
    about:
      "the host can move a running command to the background: the call gets a result, and the turn continues",
    args: BYPASS,
    steps: [calls("Bash", { command: TICKS, description: "ticks" }, "toolu_b1"), says("It goes on.")],
    flow: async ({ agent }) => {
      agent.prompt("run it");
      const { task_id } = await agent.until(TASK);
      await agent.ask({ subtype: "background_tasks" });
      await agent.result({ fromStart: true });
      await agent.ask({ subtype: "stop_task", task_id });
    },
  },
  {
    name: "side-question",
    about: "a side question is announced, answered by the model, and kept out of the conversation",
    steps: [says("one"), says("On the side: one."), says("two")],
    flow: async ({ agent, api }) => {
      await agent.ask({ subtype: "initialize" });
      await agent.turn("a");
      await agent.ask({ subtype: "side_question", question: "What did you say?" });
      await agent.turn("b");
      return { forgotten: !api.sent(2, "On the side") };
    },
    expect: { facts: { forgotten: true } },
  },
];
