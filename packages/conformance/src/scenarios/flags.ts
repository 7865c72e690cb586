import { randomUUID } from "node:crypto";
import { calls, says } from "../scripted-api/script.ts";
import { allow, QUESTION, wrote } from "./parts.ts";
import type { Theme } from "./scenario.ts";

/** Flags and variables that change the messages on the wire. */
export const flags: Theme = {
  name: "flags",
  scenarios: [
    {
      name: "replay-user-messages",
      about: "with --replay-user-messages the agent echoes prompts, marked as replays, with the host's uuid",
      args: ["--replay-user-messages"],
      steps: [says("one"), says("two")],
      flow: async ({ agent }) => {
        await agent.turn("a", { uuid: randomUUID() });
        await agent.turn("b");
      },
    },
    {
      name: "sdk-env",
      about:
        "with the environment variables of the official SDK, the agent reports when it is running, waiting or idle",
      env: {
        CLAUDE_CODE_ENTRYPOINT: "sdk-ts",
        CLAUDE_AGENT_SDK_VERSION: "0.3.325",
        CLAUDE_CODE_SDK_READS_SESSION_STATE: "1",
        CLAUDE_CODE_SDK_READS_STARTUP_MARKS: "1",
      },
      steps: [
        calls("Bash", { command: "touch made.txt", description: "x" }, "toolu_b1"),
        says("ok"),
        says("two"),
      ],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "initialize" });
        agent.prompt("a");
        allow(agent, await agent.until(QUESTION));
        await agent.result();
        await agent.pause(400);
        await agent.turn("b");
        await agent.pause(400);
      },
    },
    {
      name: "session-mirror",
      about: "with --session-mirror everything written to the session file is also sent to the host",
      args: ["--session-mirror"],
      steps: [says("ok")],
      flow: async ({ agent }) => {
        await agent.turn("a");
      },
    },
    {
      name: "prompt-suggestions",
      about: "with promptSuggestions a later turn's result is followed by a suggested prompt",
      steps: [says("one"), says("two"), says("run the tests")],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "initialize", promptSuggestions: true });
        await agent.turn("a");
        await agent.turn("b");
        await agent.until({ type: "prompt_suggestion" });
      },
    },
    {
      name: "auth-status",
      about: "with --enable-auth-status the agent reports that no sign-in is needed",
      args: ["--enable-auth-status"],
      steps: [says("one")],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "initialize" });
        await agent.turn("a");
        return { statusTold: wrote(agent, { type: "auth_status", isAuthenticating: false }) };
      },
      expect: { facts: { statusTold: true } },
    },
    {
      name: "tool-use-summaries",
      about: "if an environment variable asks for it, a small model summarizes what the tools did",
      env: { CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: "1" },
      files: { "hello.txt": "hi\n" },
      steps: [calls("Read", { file_path: "{{cwd}}/hello.txt" }, "toolu_r1"), says("Read it.")],
      flow: async ({ agent }) => {
        await agent.turn("read it");
        return {
          summaryTold: wrote(agent, { type: "tool_use_summary", preceding_tool_use_ids: ["toolu_r1"] }),
        };
      },
      expect: { facts: { summaryTold: true } },
    },
  ],
};
