import { existsSync, readFileSync } from "node:fs";
import type { CanUseTool, Options } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.ts";
import { kinds, resultOf, toolResults } from "./messages.ts";
import { sentMessages } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const WRITE = use("Write", { file_path: "{{cwd}}/new.txt", content: "written" });
const TOUCH = use("Bash", { command: "touch made.txt", description: "Make a file" });

describe("canUseTool", () => {
  test("receives the call, and allows it", async () => {
    const bench = await openBench({ steps: [WRITE, say("done")] });
    const asked: unknown[] = [];
    const talk = await bench.ask("write", {
      canUseTool: async (name, input, { toolUseID, suggestions, signal }) => {
        asked.push([name, input, toolUseID, Array.isArray(suggestions), signal.aborted]);
        return { behavior: "allow", updatedInput: input };
      },
    });
    const input = { file_path: bench.path("new.txt"), content: "written" };
    expect(asked).toEqual([["Write", input, "toolu_Write", true, false]]);
    expect(read(bench, "new.txt")).toBe("written");
    expect(resultOf(talk)).toMatchObject({ result: "done", num_turns: 2, permission_denials: [] });
  });

  test("denies a call: the model receives the reason and the result lists the call", async () => {
    const bench = await openBench({ steps: [TOUCH, say("pity")] });
    const talk = await bench.ask("touch", deciding({ behavior: "deny", message: "not on my watch" }));
    expect(existsSync(bench.path("made.txt"))).toBe(false);
    expect(toolResults(talk)).toMatchObject([{ tool_use_id: "toolu_Bash", is_error: true }]);
    expect(sentMessages(bench, 1)).toContain("not on my watch");
    expect(resultOf(talk)).toMatchObject({
      subtype: "success",
      result: "pity",
      permission_denials: [{ tool_name: "Bash", tool_use_id: "toolu_Bash" }],
    });
  });

  test("changes the input of a call that it allows", async () => {
    const bench = await openBench({ steps: [WRITE, say("done")] });
    const updatedInput = { file_path: bench.path("other.txt"), content: "changed" };
    await bench.ask("write", deciding({ behavior: "allow", updatedInput }));
    expect(existsSync(bench.path("new.txt"))).toBe(false);
    expect(read(bench, "other.txt")).toBe("changed");
  });

  test("ends the turn with a denial that interrupts", async () => {
    const bench = await openBench({ steps: [TOUCH, say("never said")] });
    const talk = await bench.ask("touch", deciding({ behavior: "deny", message: "stop", interrupt: true }));
    expect(resultOf(talk)).toMatchObject({ subtype: "error_during_execution", is_error: true });
    expect(bench.api.requests).toHaveLength(1);
    expect(existsSync(bench.path("made.txt"))).toBe(false);
  });

  test("denies a call by throwing", async () => {
    const bench = await openBench({ steps: [TOUCH, say("went on")] });
    const talk = await bench.ask("touch", {
      canUseTool: async () => {
        throw new Error("the dialog crashed");
      },
    });
    expect(resultOf(talk)).toMatchObject({ result: "went on" });
    expect(toolResults(talk)).toMatchObject([{ is_error: true }]);
    expect(existsSync(bench.path("made.txt"))).toBe(false);
  });

  test("is not asked again after it has allowed the tool for the session", async () => {
    const bench = await openBench({
      steps: [
        use("Bash", { command: "touch a.txt", description: "a" }, "toolu_1"),
        use("Bash", { command: "touch b.txt", description: "b" }, "toolu_2"),
        say("both"),
      ],
    });
    let asked = 0;
    await bench.ask("touch", {
      canUseTool: async (_name, updatedInput) => {
        asked++;
        return {
          behavior: "allow",
          updatedInput,
          updatedPermissions: [
            {
              type: "addRules",
              behavior: "allow",
              destination: "session",
              rules: [{ toolName: "Bash" }],
            },
          ],
        };
      },
    });
    expect(asked).toBe(1);
    expect(existsSync(bench.path("b.txt"))).toBe(true);
  });

  test("answers the model's question", async () => {
    const question = {
      question: "Tabs or spaces?",
      header: "Indent",
      multiSelect: false,
      options: [
        { label: "Tabs", description: "one each" },
        { label: "Spaces", description: "two each" },
      ],
    };
    const bench = await openBench({
      steps: [use("AskUserQuestion", { questions: [question] }), say("spaces it is")],
    });
    const talk = await bench.ask("indent", {
      canUseTool: async (_name, input) => ({
        behavior: "allow",
        updatedInput: { ...input, answers: { "Tabs or spaces?": "Spaces" } },
      }),
    });
    expect(resultOf(talk)).toMatchObject({ result: "spaces it is" });
    expect(sentMessages(bench, 1)).toContain("Spaces");
    expect(toolResults(talk)).not.toMatchObject([{ is_error: true }]);
  });
});

test("a plan that canUseTool approves ends plan mode", async () => {
  const bench = await openBench({ steps: [use("ExitPlanMode", { plan: "Write it." }), WRITE, say("done")] });
  const asked: string[] = [];
  const talk = await bench.ask("plan", {
    permissionMode: "plan",
    canUseTool: async (name, updatedInput) => {
      asked.push(name);
      return { behavior: "allow", updatedInput };
    },
  });
  expect(asked).toEqual(["ExitPlanMode", "Write"]);
  expect(talk.messages).toContainEqual(expect.objectContaining({ permissionMode: "plan", subtype: "init" }));
  expect(talk.messages).toContainEqual(
    expect.objectContaining({ permissionMode: "default", subtype: "status" }),
  );
  expect(read(bench, "new.txt")).toBe("written");
});

describe("without canUseTool", () => {
  test("calls that need approval are denied and the turn continues", async () => {
    const bench = await openBench({ steps: [TOUCH, say("could not")] });
    const talk = await bench.ask("touch");
    expect(kinds(talk)).toContain("system/permission_denied");
    expect(resultOf(talk)).toMatchObject({
      result: "could not",
      permission_denials: [{ tool_name: "Bash" }],
    });
  });

  test.each<[string, Options]>([
    ["allowedTools names the tool", { allowedTools: ["Bash"] }],
    ["allowedTools names the command", { allowedTools: ["Bash(touch:*)"] }],
    [
      "permissions are bypassed",
      { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true },
    ],
    ["settings allow it", { settings: { permissions: { allow: ["Bash(touch:*)"] } } }],
  ])("a call runs if %s", async (_title, options) => {
    const bench = await openBench({ steps: [TOUCH, say("done")] });
    const talk = await bench.ask("touch", options);
    expect(existsSync(bench.path("made.txt"))).toBe(true);
    expect(resultOf(talk)).toMatchObject({ result: "done", permission_denials: [] });
  });

  test("acceptEdits allows files to be written", async () => {
    const bench = await openBench({ steps: [WRITE, say("done")] });
    await bench.ask("write", { permissionMode: "acceptEdits" });
    expect(read(bench, "new.txt")).toBe("written");
  });
});

const deciding = (decision: Awaited<ReturnType<CanUseTool>>): Options => ({
  canUseTool: async () => decision,
});

const read = (bench: Bench, name: string) => readFileSync(bench.path(name), "utf8");
