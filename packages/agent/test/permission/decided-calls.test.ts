import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, asks, holds, isResult, prompt, request } from "../wire.ts";

const uses = (name: string, input: JsonObject): ScriptStep => ({
  content: [{ type: "tool_use", name, input }],
});
const TOUCH = { command: "touch a", description: "make a file" };

interface Sayings {
  readonly args?: readonly string[];
  /** What the PreToolUse callback says; without it there is none. */
  readonly hook?: JsonObject;
  /** What the host says. */
  readonly host?: JsonObject;
}

/** Makes one call in a project with the file `f`; returns what host and hook were asked, how it ended, and what the result says. */
async function made(step: ScriptStep, { args = ASKED, hook, host = { behavior: "allow" } }: Sayings = {}) {
  const api = await newApi({ steps: [step, { text: "done" }] });
  const place = await newPlace();
  await writeFile(join(place.cwd, "f"), "one one\n");
  const agent = openAgent(place, { env: api.env, args });
  const asked: JsonObject[] = [];
  agent.onLine = (line) => {
    if (line.type !== "control_request") return;
    asked.push(line.request as JsonObject);
    const said = asks("hook_callback")(line) ? hook : host;
    agent.send(answer(line.request_id, said ?? {}));
  };
  const hooks = hook ? { PreToolUse: [{ hookCallbackIds: ["before"] }] } : {};
  agent.send(request("hello", "initialize", { hooks }), prompt("go"));
  const result = await agent.line(isResult);
  return { place, asked, result, told: agent.lines.find(holds("tool_result")) };
}

const before = (specific: JsonObject) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...specific },
});

describe("a call that can't work", { timeout: 60_000 }, () => {
  test.each([
    ["of a tool that nobody knows", uses("Nope", {})],
    ["with input that fits no schema", uses("Read", { path: "f" })],
    [
      "that changes a file that is not there",
      uses("Edit", { file_path: "g", old_string: "a", new_string: "b" }),
    ],
    ["that is ambiguous", uses("Edit", { file_path: "f", old_string: "one", new_string: "b" })],
    ["that writes over a folder", uses("Write", { file_path: ".", content: "b" })],
    ["of a notebook that was not read", uses("NotebookEdit", { notebook_path: "n.ipynb", new_source: "" })],
    ["of a skill that does not exist", uses("Skill", { skill: "nope" })],
    ["that leaves plan mode where it is off", uses("ExitPlanMode", { plan: "p" })],
  ])("%s fails before hook and host are asked", async (_what, step) => {
    const { asked, told } = await made(step, { hook: {} });
    expect(asked).toEqual([]);
    expect(told).toMatchObject({ message: { content: [{ is_error: true }] } });
    expect(told).not.toHaveProperty("tool_result_meta");
  });

  test("is not looked into where that needs a permission", async () => {
    const elsewhere = await newPlace();
    await writeFile(join(elsewhere.cwd, "secret"), "one one\n");
    const input = { file_path: join(elsewhere.cwd, "secret"), old_string: "two", new_string: "b" };
    const { asked, told } = await made(uses("Edit", input), { host: { behavior: "deny", message: "no" } });
    expect(asked).toMatchObject([{ subtype: "can_use_tool" }]);
    expect(told).toMatchObject({ message: { content: [{ content: "no" }] } });
  });
});

describe("what a PreToolUse hook says", { timeout: 60_000 }, () => {
  test("deny is a denial", async () => {
    const hook = before({ permissionDecision: "deny", permissionDecisionReason: "not now" });
    const { asked, told, result } = await made(uses("Bash", TOUCH), { hook });
    expect(asked).toHaveLength(1);
    expect(result).toMatchObject({ permission_denials: [{ tool_name: "Bash", tool_input: TOUCH }] });
    expect(told?.tool_result_meta).toMatchObject([
      {
        non_execution_kind: "permission-rule",
        permission_decision: { decision: "reject", source: "hook", reason_type: "hook" },
      },
    ]);
  });

  test("an input without a decision is what the host is asked about", async () => {
    const updatedInput = { command: "touch b", description: "make another" };
    const { asked } = await made(uses("Bash", TOUCH), { hook: before({ updatedInput }) });
    expect(asked[1]).toMatchObject({ subtype: "can_use_tool", input: updatedInput });
  });
});

describe("the path of a file", { timeout: 60_000 }, () => {
  test.each([
    ["g", (cwd: string) => join(cwd, "g")],
    ["~/g", (_cwd: string, home: string) => join(home, "g")],
  ])("%s is told hooks and hosts in full, and the result as it was written", async (file_path, full) => {
    const { asked, told, place } = await made(uses("Write", { file_path, content: "x" }), { hook: {} });
    const input = { file_path: full(place.cwd, join(place.configDir, "..")), content: "x" };
    expect(asked).toMatchObject([{ input: { tool_input: input } }, { input }]);
    expect(told).toMatchObject({ tool_use_result: { filePath: file_path } });
  });
});

describe("why a call did not run", { timeout: 60_000 }, () => {
  const DENY = ["--disallowedTools", "Bash(touch a)"];
  const NOBODY = ASKED.filter((word) => word !== "--permission-prompt-tool" && word !== "stdio");
  test.each<[string, Sayings, JsonObject]>([
    [
      "the host",
      { host: { behavior: "deny", message: "no" } },
      {
        non_execution_kind: "permission-rule",
        permission_decision: { decision: "reject", source: "user_reject" },
      },
    ],
    [
      "the host, and the turn ends",
      { host: { behavior: "deny", message: "no", interrupt: true } },
      { non_execution_kind: "user-rejected" },
    ],
    [
      "a rule",
      { args: [...ASKED, ...DENY] },
      {
        non_execution_kind: "permission-rule",
        permission_decision: { decision: "reject", source: "config", reason_type: "rule" },
      },
    ],
    [
      "the mode",
      { args: [...ASKED, "--permission-mode", "dontAsk"] },
      {
        non_execution_kind: "permission-rule",
        permission_decision: { decision: "reject", source: "config", reason_type: "mode" },
      },
    ],
    [
      "that nobody can be asked",
      { args: NOBODY },
      { non_execution_kind: "user-rejected", permission_decision: { decision: "reject", source: "config" } },
    ],
  ])("is told with the result: %s", async (_who, sayings, meta) => {
    const { told } = await made(uses("Bash", TOUCH), sayings);
    expect(told?.tool_result_meta).toEqual([{ id: expect.any(String), ...meta }]);
  });
});
