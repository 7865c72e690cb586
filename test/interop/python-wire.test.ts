import { execFileSync } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { missingKeys } from "./python-parser.ts";
import { PythonSide } from "./python-side.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

// The Python SDK comes from another package registry, so the tests play its side of the wire as observed (0.2.143).

const BASE = ["--output-format", "stream-json", "--verbose"];
const EMPTY_PROMPT = ["--system-prompt", ""];
const INPUT = ["--input-format", "stream-json"];

describe("the Python SDK", () => {
  test("asks for the version first and accepts it", async () => {
    const bench = await openBench({ steps: [] });
    const version = execFileSync(bench.agent, ["-v"], { encoding: "utf8", env: bench.env });
    const [, major] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(2);
  });

  test("gets its answer even though it closes stdin right after the prompt", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    const python = new PythonSide(bench, [...BASE, ...EMPTY_PROMPT, ...INPUT]);
    const greeting = await python.initialize();
    expect(greeting).toMatchObject({ commands: expect.any(Array), output_style: "default" });
    python.prompt("hi");
    python.child.stdin.end();
    expect(await python.exit()).toBe(0);
    expect(python.messages().map(({ type }) => type)).toEqual(["system", "assistant", "result"]);
    expect(python.messages().at(-1)).toMatchObject({ subtype: "success", result: "hello" });
    // Without a prompt of ours, the model still receives the working folder.
    const [where, ...more] = (bench.api.requests[0]?.body.system ?? []) as readonly { text: string }[];
    expect(where?.text).toContain(`Working folder: ${bench.cwd}`);
    expect(more).toEqual([]);
    expect(python.complaints()).toEqual([]);
  });

  test("can parse all lines of a busy session", async () => {
    const bench = await openBench(
      {
        steps: [
          {
            content: [
              { type: "thinking", thinking: "which file?", signature: "c2ln" },
              { type: "text", text: "Reading it." },
              { type: "tool_use", id: "toolu_r", name: "Read", input: { file_path: "{{cwd}}/note.txt" } },
            ],
          },
          use("Bash", { command: "touch made.txt", description: "Make a file" }),
          use("mcp__sums__add", { a: 2, b: 3 }),
          use("Agent", {
            description: "Look",
            prompt: "look",
            subagent_type: "scout",
            run_in_background: false,
          }),
          use("Read", { file_path: "{{cwd}}/missing.txt" }),
          say("seen"),
          say("all done"),
        ],
      },
      { "note.txt": "a note\n" },
    );
    const python = new PythonSide(bench, [
      ...BASE,
      ...["--system-prompt", "Be quick."],
      ...["--allowedTools", "Read,mcp__sums__add"],
      ...["--max-turns", "20"],
      ...["--model", "claude-sonnet-4-5"],
      ...["--permission-prompt-tool", "stdio"],
      ...["--permission-mode", "default"],
      ...["--add-dir", bench.cwd],
      ...["--mcp-config", JSON.stringify({ mcpServers: { sums: { type: "sdk", name: "sums" } } })],
      "--include-partial-messages",
      "--setting-sources=user,project",
      ...INPUT,
    ]);
    await python.initialize({
      hooks: { PreToolUse: [{ matcher: "Bash", hookCallbackIds: ["hook_0"] }] },
      agents: { scout: { description: "Looks around", prompt: "Look around." } },
    });
    python.prompt("work");
    await python.result();
    python.child.stdin.end();
    expect(await python.exit()).toBe(0);
    expect(python.complaints()).toEqual([]);
    expect(new Set(python.requests)).toEqual(new Set(["mcp_message", "hook_callback", "can_use_tool"]));
    expect(python.messages().at(-1)).toMatchObject({
      type: "result",
      subtype: "success",
      result: "all done",
      permission_denials: [],
    });
    // It keeps stdin open until the subagent is reported to have ended.
    expect(ids(python, "task_started")).toEqual(ids(python, "task_notification"));
    const written = JSON.stringify(python.messages());
    for (const text of ["a note", "the sum is 5", "which file?", "toolu_Agent"])
      expect(written).toContain(text);
  });

  test("gets error results that it can parse, and the exit code of an error", async () => {
    const bench = await openBench({
      steps: [],
      whenExhausted: { type: "error", status: 403, error: { type: "permission_error", message: "no" } },
    });
    const python = new PythonSide(bench, [...BASE, ...EMPTY_PROMPT, ...INPUT]);
    await python.initialize();
    python.prompt("hi");
    python.child.stdin.end();
    expect(await python.exit()).toBe(1);
    expect(python.complaints()).toEqual([]);
    expect(python.messages().at(-1)).toMatchObject({ type: "result", is_error: true });
  });
});

test.each([
  ["an assistant without a model", { type: "assistant", message: { content: [] } }],
  [
    "thinking without a signature",
    { type: "assistant", message: { model: "m", content: [{ type: "thinking", thinking: "" }] } },
  ],
  [
    "a result without its session",
    { type: "result", subtype: "success", duration_ms: 1, duration_api_ms: 1, is_error: false, num_turns: 1 },
  ],
  ["a type it uses itself", { type: "error" }],
])("the check for its required keys detects %s", (_what, message) => {
  expect(missingKeys(JSON.stringify(message))).toHaveLength(1);
});

const ids = (python: PythonSide, subtype: string) =>
  python.messages().flatMap((message) => (message.subtype === subtype ? [message.task_id] : []));
