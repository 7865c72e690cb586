import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { ofType, resultOf, toolResults } from "./messages.ts";
import { sentMessages, systemText } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("the agents option", () => {
  const agents: Options["agents"] = {
    reviewer: {
      description: "Reads code",
      prompt: "You review code with care.",
      tools: ["Read"],
      model: "haiku",
    },
  };

  test("defines subagents with their own prompt, tools and model", async () => {
    const bench = await openBench(
      {
        steps: [
          use("Agent", {
            description: "Review it",
            prompt: "Review note.txt",
            subagent_type: "reviewer",
            run_in_background: false,
          }),
          use("Read", { file_path: "{{cwd}}/note.txt" }),
          say("looks fine"),
          say("the reviewer is happy"),
        ],
      },
      { "note.txt": "a note\n" },
    );
    const talk = await bench.ask("review", { agents, model: "claude-sonnet-4-5" });
    expect(ofType(talk, "system")[0]).toMatchObject({ agents: expect.arrayContaining(["reviewer"]) });
    const [first, second] = bench.api.requests.map(({ body }) => body);
    expect(JSON.stringify(first?.tools)).toContain("Reads code");
    expect(second).toMatchObject({ model: expect.stringContaining("haiku"), tools: [{ name: "Read" }] });
    expect(systemText(bench, 1)).toContain("You review code with care.");
    const inside = talk.messages.filter(
      (m) => "parent_tool_use_id" in m && m.parent_tool_use_id === "toolu_Agent",
    );
    expect(inside.map(({ type }) => type)).toEqual(["user", "assistant", "user"]);
    expect(toolResults(talk).at(-1)).toMatchObject({ tool_use_id: "toolu_Agent" });
    expect(sentMessages(bench, 3)).toContain("looks fine");
    expect(resultOf(talk)).toMatchObject({ result: "the reviewer is happy", num_turns: 2 });
  });

  test("forwards messages of subagents if the host asks for that", async () => {
    const bench = await openBench({
      steps: [
        use("Agent", {
          description: "Review it",
          prompt: "Review",
          subagent_type: "reviewer",
          run_in_background: false,
        }),
        say("looks fine"),
        say("done"),
      ],
    });
    const talk = await bench.ask("review", { agents, forwardSubagentText: true });
    const words = ofType(talk, "assistant").filter((m) => m.parent_tool_use_id === "toolu_Agent");
    expect(JSON.stringify(words)).toContain("looks fine");
  });
});

describe("a command in the background", () => {
  test("is stopped by the host, which is notified", async () => {
    const bench = await openBench({
      steps: [
        use("Bash", { command: "tail -f /dev/null", description: "Wait", run_in_background: true }),
        say("started"),
      ],
    });
    const live = openLive(bench, { allowedTools: ["Bash"] });
    live.send("start");
    const { tool_use_result } = await live.until("user");
    const { backgroundTaskId } = tool_use_result as { readonly backgroundTaskId: string };
    expect(await live.until("result")).toMatchObject({ result: "started" });
    await live.query.stopTask(backgroundTaskId);
    let notice = await live.until("system");
    while (notice.subtype !== "task_notification") notice = await live.until("system");
    expect(notice).toMatchObject({ task_id: backgroundTaskId, status: "stopped" });
    expect((await live.end()).error).toBeUndefined();
  });
});
