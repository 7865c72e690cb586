import type { JsonObject } from "@agentwire/protocol";
import { textAt } from "../json-path.ts";
import { calls, says } from "../scripted-api/script.ts";
import { HOOK, hookEvents } from "./hook-events.ts";
import type { Theme } from "./scenario.ts";
import { sessionHooks } from "./session-hooks.ts";

const readHello = [calls("Read", { file_path: "{{cwd}}/hello.txt" }, "toolu_r1"), says("Read it.")];

/** The answers of the host's hooks, by event. */
const HOOK_ANSWERS: ReadonlyMap<string, JsonObject> = new Map([
  ["UserPromptSubmit", { additionalContext: "CONTEXT-FOR-THE-PROMPT" }],
  ["PreToolUse", { permissionDecision: "allow", permissionDecisionReason: "hook ok" }],
  ["PostToolUse", { additionalContext: "CONTEXT-FOR-THE-TOOL" }],
]);

function answerHook(event: string): JsonObject {
  const specific = HOOK_ANSWERS.get(event);
  if (specific === undefined) return { continue: true };
  return { continue: true, hookSpecificOutput: { hookEventName: event, ...specific } };
}

const command = (text: string) => ({ hooks: [{ type: "command", command: text }] });

/** Hooks of the host and hooks from settings. */
export const hooks: Theme = {
  name: "hooks",
  scenarios: [
    {
      name: "initialize-handshake",
      about:
        "hooks registered in initialize are called before init, before and after the tool, and at the end of the turn",
      files: { "hello.txt": "hi\n" },
      steps: readHello,
      flow: async ({ agent, api }) => {
        agent.on(HOOK, (line) =>
          agent.answer(line, answerHook(textAt(line, "request", "input", "hook_event_name") ?? "")),
        );
        await agent.ask({
          subtype: "initialize",
          hooks: {
            PreToolUse: [{ matcher: "Read|Bash", hookCallbackIds: ["hook_0"] }],
            PostToolUse: [{ hookCallbackIds: ["hook_1"], timeout: 10 }],
            UserPromptSubmit: [{ hookCallbackIds: ["hook_2"] }],
            Stop: [{ hookCallbackIds: ["hook_3"] }],
            SessionStart: [{ hookCallbackIds: ["hook_4"] }],
            SessionEnd: [{ hookCallbackIds: ["hook_5"] }],
          },
        });
        await agent.turn("read hello");
        return {
          promptContextSent: api.sent(0, "CONTEXT-FOR-THE-PROMPT"),
          toolContextSent: api.sent(1, "CONTEXT-FOR-THE-TOOL"),
        };
      },
      expect: { facts: { promptContextSent: true, toolContextSent: true } },
    },
    {
      name: "hook-events-included",
      about: "--include-hook-events does not report hooks that the host answers itself",
      args: ["--include-hook-events"],
      files: { "hello.txt": "hi\n" },
      steps: readHello,
      flow: async ({ agent }) => {
        agent.on(HOOK, (line) => agent.answer(line, { continue: true }));
        await agent.ask({
          subtype: "initialize",
          hooks: {
            PreToolUse: [{ matcher: "Read", hookCallbackIds: ["hook_0"] }],
            Stop: [{ hookCallbackIds: ["hook_1"] }],
          },
        });
        await agent.turn("read hello");
      },
    },
    {
      name: "hook-events-settings",
      about: "hook commands from --settings run and are reported; the SessionEnd command runs at exit",
      args: [
        "--include-hook-events",
        "--settings",
        JSON.stringify({
          hooks: {
            PreToolUse: [{ matcher: "Read", ...command("echo pre-hook-out") }],
            Stop: [command("echo stop-hook-out")],
            SessionStart: [command("echo session-start-out")],
            UserPromptSubmit: [command("echo ups-out")],
            SessionEnd: [command("echo end > ended.txt")],
          },
        }),
      ],
      files: { "hello.txt": "hi\n" },
      steps: readHello,
      flow: async ({ agent, project }) => {
        await agent.turn("read hello");
        await agent.close();
        return { sessionEndHookRan: project.exists("ended.txt") };
      },
      expect: { facts: { sessionEndHookRan: true } },
    },
    ...hookEvents,
    ...sessionHooks,
  ],
};
