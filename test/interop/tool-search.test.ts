import { expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { ofType, resultOf } from "./messages.ts";
import { sdk, z } from "./official-sdk.ts";
import { offeredTools, sentMessages, systemText } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const ADD = "mcp__sums__add";

const sums = (more: { readonly alwaysLoad?: boolean; readonly instructions?: string } = {}) =>
  sdk.createSdkMcpServer({
    name: "sums",
    tools: [
      sdk.tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
        content: [{ type: "text", text: `the sum is ${a + b}` }],
      })),
    ],
    ...more,
  });

test("tools of the host's process are sent to the model after it has searched for them", async () => {
  const bench = await openBench({
    steps: [use("ToolSearch", { query: "adds numbers" }), use(ADD, { a: 2, b: 3 }), say("five")],
  });
  const talk = await bench.ask("add", { mcpServers: { sums: sums() }, allowedTools: [ADD] });
  expect(ofType(talk, "system")[0]).toMatchObject({ tools: expect.arrayContaining([ADD]) });
  expect(offeredTools(bench, 0)).not.toContain(ADD);
  expect(offeredTools(bench, 1)).toContain(ADD);
  expect(sentMessages(bench, 2)).toContain("the sum is 5");
  expect(resultOf(talk)).toMatchObject({ result: "five" });
});

test("tools that their server marks as always loaded are sent from the start", async () => {
  const bench = await openBench({ steps: [say("hi")] });
  await bench.ask("hello", { mcpServers: { sums: sums({ alwaysLoad: true }) } });
  expect(offeredTools(bench, 0)).toContain(ADD);
});

test("the instructions of a server in the host are part of the system prompt", async () => {
  const bench = await openBench({ steps: [say("hi")] });
  await bench.ask("hello", { mcpServers: { sums: sums({ instructions: "Never add apples." }) } });
  expect(systemText(bench)).toContain("Never add apples.");
});

test("an agent of the host has the skills, the notes and the mode of its definition", async () => {
  const bench = await openBench(
    {
      steps: [
        use("Agent", {
          description: "Work",
          prompt: "work",
          subagent_type: "worker",
          run_in_background: false,
        }),
        use("Write", { file_path: "{{cwd}}/made.txt", content: "x" }),
        say("worked"),
        say("done"),
      ],
    },
    { ".claude/skills/tea/SKILL.md": "---\ndescription: Tea\n---\nBoil water.", "CLAUDE.md": "Use tabs." },
  );
  const worker = {
    description: "Works",
    prompt: "You work.",
    skills: ["tea"],
    omitClaudeMd: true,
    permissionMode: "acceptEdits" as const,
  };
  await bench.ask("delegate", { agents: { worker }, settingSources: ["project"] });
  expect(sentMessages(bench, 1)).toContain("Boil water.");
  expect(systemText(bench, 1)).not.toContain("Use tabs.");
  expect(JSON.stringify(bench.api.requests[2]?.body.messages)).not.toContain('"is_error":true');
});
