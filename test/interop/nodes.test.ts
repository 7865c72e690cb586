import { execFileSync } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import { RELEASES } from "../nodes/install.ts";
import { openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { ofType, resultOf, toolResults } from "./messages.ts";
import { sdk, z } from "./official-sdk.ts";
import { PythonSide } from "./python-side.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const ADD = use("mcp__sums__add", { a: 2, b: 3 });
const SUMS = { mcpServers: { sums: { type: "sdk", name: "sums" } } };
const STREAMING = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

/** A project that allows something in its settings, but is not trusted by the user. Checking that takes a moment. */
const UNTRUSTED = { ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(true)"] } }) };

// With AGENT_NODE, all tests of this folder run on another release. These are one of each kind, for every run.
describe.each(RELEASES)("with Node %s, the agent", (node) => {
  test("runs on that release", async () => {
    const bench = await openBench({ steps: [] }, {}, node);
    const version = execFileSync("node", ["--version"], { encoding: "utf8", env: bench.env });
    expect(version).toMatch(new RegExp(`^v${node}\\.`));
  });

  test("reaches servers of the host that its command line names", async () => {
    const bench = await openBench({ steps: [ADD, say("five")] }, UNTRUSTED, node);
    const python = new PythonSide(bench, [
      ...STREAMING,
      ...["--mcp-config", JSON.stringify(SUMS), "--allowedTools", "mcp__sums__add"],
      "--setting-sources=user,project",
    ]);
    await python.initialize();
    python.prompt("add");
    expect(await python.result()).toMatchObject({ result: "five" });
    python.child.stdin.end();
    expect(await python.exit()).toBe(0);
    const [init] = python.messages();
    expect(init).toMatchObject({ mcp_servers: [{ name: "sums", status: "connected" }] });
    expect(JSON.stringify(python.messages())).toContain("the sum is 5");
  });

  test("supports hooks, permissions, servers of the host, an interrupt, and resuming", async () => {
    const steps = [
      ADD,
      use("Bash", { command: "touch made", description: "Make a file" }),
      say("done"),
      use("Bash", { command: "touch started; tail -f /dev/null", description: "Wait" }),
    ];
    const bench = await openBench({ steps: [...steps, say("resumed")] }, UNTRUSTED, node);
    const add = sdk.tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
      content: [{ type: "text", text: `the sum is ${a + b}` }],
    }));
    const asked: string[] = [];
    const hooked: string[] = [];
    const live = openLive(bench, {
      mcpServers: { sums: sdk.createSdkMcpServer({ name: "sums", tools: [add] }) },
      allowedTools: ["mcp__sums__add"],
      canUseTool: async (name, updatedInput) => {
        asked.push(name);
        return { behavior: "allow", updatedInput };
      },
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async (input) => {
                hooked.push(input.hook_event_name === "PreToolUse" ? input.tool_name : "");
                return {};
              },
            ],
          },
        ],
      },
    });
    live.send("go");
    const { session_id: resume } = await live.until("result");
    expect(hooked).toEqual(["mcp__sums__add", "Bash"]);
    expect(asked).toEqual(["Bash"]);
    live.send("wait");
    await bench.appears("started");
    await live.query.interrupt();
    expect(await live.until("result")).toMatchObject({ subtype: "error_during_execution" });
    const talk = await live.end();
    expect(JSON.stringify(toolResults(talk))).toContain("the sum is 5");
    const again = await bench.ask("go on", { resume });
    expect(resultOf(again)).toMatchObject({ result: "resumed", session_id: resume });
    expect(ofType(again, "assistant")).toHaveLength(1);
  });
});
