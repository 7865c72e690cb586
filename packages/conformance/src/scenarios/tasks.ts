import { calls, says, toolUse } from "../scripted-api/script.ts";
import { BYPASS, PARTIAL, prompts } from "./parts.ts";
import type { Theme } from "./scenario.ts";

/** Work that takes a while: long commands, background commands, subagents. */
export const tasks: Theme = {
  name: "tasks",
  scenarios: [
    {
      name: "bash-background",
      about: "a background command that ends after the result starts a new turn",
      args: BYPASS,
      steps: [
        calls(
          "Bash",
          { command: "sleep 1; echo bg-finished", description: "bg", run_in_background: true },
          "toolu_b1",
        ),
        says("Started."),
        says("Noticed it finished."),
      ],
      flow: async ({ agent }) => {
        await agent.turn("bg");
        return { secondResult: await agent.resultWithin(6000) };
      },
      expect: { facts: { secondResult: true } },
    },
    {
      name: "bash-progress",
      about: "a command that takes several seconds is announced as a task, and its end is reported",
      args: BYPASS,
      steps: [
        calls(
          "Bash",
          { command: "for i in 1 2 3 4 5 6 7 8; do echo tick $i; sleep 1; done", description: "slow" },
          "toolu_b1",
        ),
        says("Slow done."),
      ],
      flow: prompts("slow"),
    },
    {
      name: "bash-progress-long",
      about: "a command that takes more than half a minute reports progress",
      args: BYPASS,
      steps: [
        calls(
          "Bash",
          {
            command: 'for i in $(seq 36); do echo tick $i; python3 -c "import time; time.sleep(1)"; done',
            description: "slow",
          },
          "toolu_b1",
        ),
        says("Slow done."),
      ],
      flow: async ({ agent }) => {
        agent.prompt("slow");
        await agent.result({ withinMs: 85_000 });
      },
      limitMs: 90_000,
      slow: true,
    },
    {
      name: "subagent-forward-text",
      about:
        "with --forward-subagent-text the lines of a subagent contain the id of the call that started it",
      args: [...BYPASS, "--forward-subagent-text", ...PARTIAL],
      files: { "hello.txt": "hi\n" },
      steps: [
        calls(
          "Agent",
          {
            description: "Look at file",
            prompt: "Read hello.txt",
            subagent_type: "general-purpose",
            run_in_background: false,
          },
          "toolu_a1",
        ),
        {
          content: [
            { type: "text", text: "Let me read." },
            toolUse("Read", { file_path: "{{cwd}}/hello.txt" }, "toolu_sub1"),
          ],
        },
        says("Subagent report: it says hi."),
        says("The agent says hi."),
      ],
      flow: prompts("delegate"),
    },
  ],
};
