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
  /** The answer of the PreToolUse callback; no callback is registered without it. */
  readonly hook?: JsonObject;
  /** The host's answer. */
  readonly host?: JsonObject;
}

/** Makes one call in a project with the file `f`; returns the requests to hook and host, the result of the turn and that of the tool. */
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

describe("a call that can't succeed", { timeout: 60_000 }, () => {
  test.each([
    ["of an unknown tool", uses("Nope", {})],
    ["with input that does not match the schema", uses("Read", { path: "f" })],
    ["that edits a missing file", uses("Edit", { file_path: "g", old_string: "a", new_string: "b" })],
    ["with an ambiguous old_string", uses("Edit", { file_path: "f", old_string: "one", new_string: "b" })],
    ["that would overwrite a folder", uses("Write", { file_path: ".", content: "b" })],
    ["of a notebook that was not read", uses("NotebookEdit", { notebook_path: "n.ipynb", new_source: "" })],
    ["of a skill that does not exist", uses("Skill", { skill: "nope" })],
    ["that leaves plan mode when it is off", uses("ExitPlanMode", { plan: "p" })],
  ])("%s fails before hook and host are asked", async (_what, step) => {
    const { asked, told } = await made(step, { hook: {} });
    expect(asked).toEqual([]);
    expect(told).toMatchObject({ message: { content: [{ is_error: true }] } });
    expect(told).not.toHaveProperty("tool_result_meta");
  });

  test("is not checked in advance if the check would need a permission", async () => {
    const elsewhere = await newPlace();
    await writeFile(join(elsewhere.cwd, "secret"), "one one\n");
    const input = { file_path: join(elsewhere.cwd, "secret"), old_string: "two", new_string: "b" };
    const { asked, told } = await made(uses("Edit", input), { host: { behavior: "deny", message: "no" } });
    expect(asked).toMatchObject([{ subtype: "can_use_tool" }]);
    expect(told).toMatchObject({ message: { content: [{ content: "no" }] } });
  });
});

describe("a PreToolUse hook", { timeout: 60_000 }, () => {
  test("can deny a call", async () => {
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

  test("that returns an input without a decision changes the input in the question to the host", async () => {
    const updatedInput = { command: "touch b", description: "make another" };
    const { asked } = await made(uses("Bash", TOUCH), { hook: before({ updatedInput }) });
    expect(asked[1]).toMatchObject({ subtype: "can_use_tool", input: updatedInput });
  });
});

describe("a file's path", { timeout: 60_000 }, () => {
  test.each([
    ["g", (cwd: string) => join(cwd, "g")],
    ["~/g", (_cwd: string, home: string) => join(home, "g")],
  ])("%s is absolute for hooks and hosts, but unchanged in the result", async (file_path, full) => {
    const { asked, told, place } = await made(uses("Write", { file_path, content: "x" }), { hook: {} });
    const input = { file_path: full(place.cwd, join(place.configDir, "..")), content: "x" };
    expect(asked).toMatchObject([{ input: { tool_input: input } }, { input }]);
    expect(told).toMatchObject({ tool_use_result: { filePath: file_path } });
  });
});

describe("the reason why a call did not run", { timeout: 60_000 }, () => {
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
      "the host, which ends the turn",
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
      "a missing host",
      { args: NOBODY },
      { non_execution_kind: "user-rejected", permission_decision: { decision: "reject", source: "config" } },
    ],
  ])("is part of the result: %s", async (_who, sayings, meta) => {
    const { told } = await made(uses("Bash", TOUCH), sayings);
    expect(told?.tool_result_meta).toEqual([{ id: expect.any(String), ...meta }]);
  });
});
