import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { says } from "../scripted-api/script.ts";
import { prompts } from "./parts.ts";
import type { Theme } from "./scenario.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** From a prompt to its result, and what a session remembers between turns. */
export const turns: Theme = {
  name: "turns",
  scenarios: [
    {
      name: "simple-text",
      about:
        "a prompt is followed by init, an assistant line and a result; closing stdin ends the process with 0",
      steps: [says("Hello from the fake API.")],
      flow: prompts("Say hello"),
    },
    {
      name: "no-input-idle",
      about: "an agent writes nothing before the first prompt",
      steps: [says("late hello")],
      flow: async ({ agent }) => {
        await agent.pause(2500);
        const silentBeforeFirstPrompt = agent.transcript.length === 0;
        await agent.turn("hi");
        return { silentBeforeFirstPrompt };
      },
      expect: { facts: { silentBeforeFirstPrompt: true } },
    },
    {
      name: "minimal-user-message",
      about: "a user line needs only its type, role and content",
      steps: [says("ok")],
      flow: async ({ agent }) => {
        agent.send({ type: "user", message: { role: "user", content: "hi" } });
        await agent.result();
      },
    },
    {
      name: "idle-70s",
      about: "nothing is written while a session is idle for more than a minute",
      env: { CLAUDE_CODE_ENTRYPOINT: "sdk-ts", CLAUDE_CODE_SDK_READS_SESSION_STATE: "1" },
      steps: [says("one"), says("two")],
      flow: async ({ agent }) => {
        await agent.turn("a");
        await agent.pause(500);
        const before = agent.transcript.length;
        await agent.pause(70_000);
        const silentWhileIdle = agent.transcript.length === before;
        await agent.turn("b");
        return { silentWhileIdle };
      },
      expect: { facts: { silentWhileIdle: true } },
      limitMs: 100_000,
      slow: true,
    },
    {
      name: "two-turns",
      about: "each turn has an init and a result, all with the same session id",
      steps: [says("First answer."), says("Second answer.")],
      flow: prompts("one", "two"),
    },
    {
      name: "image-input",
      about: "an image in a prompt is passed on to the API",
      steps: [says("A one pixel image.")],
      flow: async ({ agent, api }) => {
        const source = { type: "base64", media_type: "image/png", data: PIXEL };
        await agent.turn([
          { type: "text", text: "What is this?" },
          { type: "image", source },
        ]);
        return { imageSent: api.sent(0, '"type":"image"') };
      },
      expect: { facts: { imageSent: true } },
    },
    {
      name: "system-prompt-append",
      about: "the text of --append-system-prompt comes last in the system prompt",
      args: ["--append-system-prompt", "Always answer in haiku. THE-END"],
      steps: [says("autumn moonlight")],
      flow: async ({ agent, api }) => {
        await agent.turn("hi");
        return { endsSystemPrompt: api.systemPrompt(0).trimEnd().endsWith("THE-END") };
      },
      expect: { facts: { endsSystemPrompt: true } },
    },
    {
      name: "slash-commands",
      about:
        "built-in commands make no API requests and count no turns; an unknown command is sent as a prompt",
      steps: [says("model reply")],
      flow: prompts("/context", "/usage", "/no-such-command"),
    },
    {
      name: "slash-clear",
      about:
        "/clear resets the conversation: there is a new session id, and the next request contains no history",
      steps: [says("one"), says("two")],
      flow: async ({ agent, api }) => {
        for (const text of ["a", "/clear", "b"]) await agent.turn(text);
        return { historySent: api.sent(-1, '"one"') };
      },
      expect: { facts: { historySent: false } },
    },
    {
      name: "slash-compact",
      about: "/compact replaces the history with a summary and marks the boundary",
      steps: [says("one"), says("two"), says("<summary>We said one and two.</summary>"), says("three")],
      flow: async ({ agent, api }) => {
        for (const text of ["a", "b", "/compact", "c"]) await agent.turn(text);
        return { summarySent: api.sent(-1, "We said one and two.") };
      },
      expect: { facts: { summarySent: true } },
    },
    {
      name: "commands-changed",
      about: "a command added to the project is announced, and reload_skills lists it",
      files: { ".claude/commands/greet.md": "Say hello\n" },
      steps: [says("one")],
      flow: async ({ agent, project }) => {
        await agent.ask({ subtype: "initialize" });
        await agent.turn("a");
        writeFileSync(join(project.cwd, ".claude/commands/bye.md"), "Say goodbye\n");
        await agent.pause(2500);
        await agent.ask({ subtype: "reload_skills" });
      },
    },
  ],
};
