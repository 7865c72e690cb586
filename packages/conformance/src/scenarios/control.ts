import { randomUUID } from "node:crypto";
import { calls, fails, says } from "../scripted-api/script.ts";
import { appRequests } from "./app-requests.ts";
import { allowEverything } from "./parts.ts";
import type { Theme } from "./scenario.ts";
import { sessionRequests } from "./session-requests.ts";

const UNKNOWN_MODEL = "no-such-model-xyz";

/** Queries without parameters that a host may send between turns. */
const QUERIES = [
  "mcp_status",
  "get_context_usage",
  "get_settings",
  "get_session_cost",
  "list_models",
  "get_usage",
  "get_binary_version",
  "get_hooks_listing",
  "list_permission_rules",
  "reload_skills",
  "reload_plugins",
  "reload_output_styles",
];

const REQUESTS = [
  { subtype: "set_max_thinking_tokens", max_thinking_tokens: 2000 },
  { subtype: "rename_session", title: "A title", source: "host" },
  { subtype: "file_suggestions", query: "" },
  { subtype: "stop_task", task_id: "nope" },
  { subtype: "cancel_async_message", message_uuid: randomUUID() },
  { subtype: "read_file", path: "nope.txt" },
  { subtype: "apply_flag_settings", settings: {} },
];

/** What a host requests from an agent besides prompts. */
export const control: Theme = {
  name: "control",
  scenarios: [
    {
      name: "initialize-twice",
      about: "a second initialize request is also answered",
      steps: [says("ok")],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "initialize" });
        await agent.ask({ subtype: "initialize" });
        await agent.turn("x");
      },
    },
    {
      name: "control-queries",
      about:
        "each of nineteen requests between turns is answered, and those that succeed are the same as recorded",
      steps: [says("one")],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "initialize" });
        await agent.turn("a");
        for (const subtype of QUERIES) await agent.ask({ subtype });
        for (const request of REQUESTS) await agent.ask(request);
      },
    },
    {
      name: "unknown-control-subtype",
      about: "an unknown request is answered with an error and a code, and the session continues",
      steps: [says("ok")],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "make_coffee", sugar: 2 });
        await agent.turn("b");
      },
    },
    {
      name: "set-model",
      about: "the model can be changed between turns; default restores the first one",
      steps: [says("one"), says("two"), says("three")],
      flow: async ({ agent, api }) => {
        await agent.turn("a");
        await agent.ask({ subtype: "set_model", model: "claude-sonnet-4-5" });
        await agent.turn("b");
        await agent.ask({ subtype: "set_model", model: "default" });
        await agent.turn("c");
        const [first, second, third] = api.models();
        return { secondModel: second, backToFirst: third === first };
      },
      expect: { facts: { secondModel: "claude-sonnet-4-5", backToFirst: true } },
    },
    {
      name: "set-model-invalid",
      about: "a model name that the agent does not know is accepted if the API accepts it",
      steps: [says("one"), says("two")],
      flow: async ({ agent, api }) => {
        await agent.turn("a");
        await agent.ask({ subtype: "set_model", model: UNKNOWN_MODEL });
        await agent.turn("b");
        return { secondModel: api.models()[1] };
      },
      expect: { facts: { secondModel: UNKNOWN_MODEL } },
    },
    {
      name: "set-model-probe-404",
      about: "a model name that the API rejects is an error, and the model does not change",
      steps: [says("one"), says("two")],
      probe: fails(404, "not_found_error", `model: ${UNKNOWN_MODEL}`),
      flow: async ({ agent, api }) => {
        await agent.turn("a");
        await agent.ask({ subtype: "set_model", model: UNKNOWN_MODEL });
        await agent.turn("b");
        const [first, second, ...more] = api.models();
        return { modelUnchanged: first === second && more.length === 0 };
      },
      expect: { facts: { modelUnchanged: true } },
    },
    {
      name: "set-permission-mode",
      about:
        "the mode can be changed between turns if the command line allows it; an invalid name is an error",
      args: ["--allow-dangerously-skip-permissions"],
      steps: [
        says("one"),
        calls("Write", { file_path: "{{cwd}}/n.txt", content: "x" }, "toolu_w1"),
        says("wrote"),
        calls("Bash", { command: "touch y.txt", description: "y" }, "toolu_b1"),
        says("touched"),
      ],
      flow: async ({ agent, project }) => {
        const questions = allowEverything(agent);
        await agent.turn("a");
        await agent.ask({ subtype: "set_permission_mode", mode: "acceptEdits" });
        await agent.turn("b");
        await agent.ask({ subtype: "set_permission_mode", mode: "bypassPermissions" });
        await agent.turn("c");
        await agent.ask({ subtype: "set_permission_mode", mode: "nonsense" });
        const files = [project.exists("n.txt"), project.exists("y.txt")];
        return { questions: questions.count, files };
      },
      expect: { facts: { questions: 0, files: [true, true] } },
    },
    {
      name: "set-permission-mode-bypass-refused",
      about: "the mode bypassPermissions is refused unless the command line allows it",
      steps: [says("one")],
      flow: async ({ agent }) => {
        await agent.turn("a");
        await agent.ask({ subtype: "set_permission_mode", mode: "bypassPermissions" });
      },
    },
    {
      name: "rewind-files",
      about:
        "files are restored to their state at a prompt: first as a dry run, then in two steps; an unknown id is an error",
      env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" },
      args: ["--permission-mode", "acceptEdits", "--replay-user-messages"],
      files: { "doc.txt": "version one\n" },
      steps: [
        calls("Read", { file_path: "{{cwd}}/doc.txt" }, "toolu_r1"),
        calls("Edit", { file_path: "{{cwd}}/doc.txt", old_string: "one", new_string: "two" }, "toolu_e1"),
        says("Now v2."),
        calls("Edit", { file_path: "{{cwd}}/doc.txt", old_string: "two", new_string: "three" }, "toolu_e2"),
        calls("Write", { file_path: "{{cwd}}/extra.txt", content: "extra" }, "toolu_w1"),
        says("Now v3."),
      ],
      flow: async ({ agent, project }) => {
        const [first, second] = [randomUUID(), randomUUID()];
        const versions: unknown[] = [];
        const look = () => versions.push(project.read("doc.txt"));
        const rewind = (user_message_id: string, more = {}) =>
          agent.ask({ subtype: "rewind_files", user_message_id, ...more });
        await agent.ask({ subtype: "initialize" });
        await agent.turn("edit one", { uuid: first });
        look();
        await agent.turn("edit two", { uuid: second });
        look();
        await rewind(second, { dry_run: true });
        look();
        await rewind(second);
        look();
        const createdFileLeft = project.exists("extra.txt");
        await rewind(first);
        look();
        await rewind(randomUUID());
        return { versions, createdFileLeft };
      },
      expect: {
        facts: {
          versions: ["two", "three", "three", "two", "one"].map((word) => `version ${word}\n`),
          createdFileLeft: false,
        },
      },
    },
    ...sessionRequests,
    ...appRequests,
  ],
};
