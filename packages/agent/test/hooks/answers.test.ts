import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { holds, is, isResult, prompt, textOf } from "../wire.ts";

const says = (answer: JsonObject) => `echo '${JSON.stringify(answer)}'`;
const WORKED: readonly ScriptStep[] = [{ content: [bash("echo out")] }, { text: "done" }];

/** Runs a turn for each prompt with one command hook for an event; returns what the host and the model received. */
async function heard(
  event: string,
  command: string,
  { steps = WORKED, prompts = ["go"], timeout = 60, args = [] as readonly string[] } = {},
) {
  const place = await newPlace();
  await mkdir(place.configDir, { recursive: true });
  const hooks = { [event]: [{ hooks: [{ type: "command", command, timeout }] }] };
  await writeFile(join(place.configDir, "settings.json"), JSON.stringify({ hooks }));
  const api = await newApi({ steps, whenExhausted: { text: "done" } });
  const agent = openAgent(place, { env: api.env, args: [...UNASKED, ...args] });
  const results: JsonObject[] = [];
  for (const text of prompts) {
    const from = agent.lines.length;
    agent.send(prompt(text));
    results.push(await agent.line(isResult, from));
  }
  agent.input.end();
  await agent.ended();
  const at = (found: (line: JsonObject) => boolean) => agent.lines.findIndex(found);
  return { place, results, at, lines: agent.lines, requests: api.requests };
}

const informs = is("system", "informational");

describe("a hook's message for the user", { timeout: 30_000 }, () => {
  test.each([
    ["PostToolUse", "PostToolUse:Bash says: psst", holds("tool_result")],
    ["UserPromptSubmit", "UserPromptSubmit says: psst", is("system", "init")],
  ])("is sent to the host, at %s after what it refers to", async (event, content, before) => {
    const { at, lines } = await heard(event, says({ systemMessage: "psst" }));
    expect(lines[at(informs)]).toMatchObject({ content, level: "notice" });
    expect(at(before)).toBeLessThan(at(informs));
  });
});

describe("a hook that blocks a prompt", { timeout: 30_000 }, () => {
  test.each([
    ["drops the prompt by an objection", { decision: "block", reason: "no way" }, false],
    ["leaves the prompt to the next turn by stopping", { continue: false, stopReason: "no way" }, true],
  ])("%s, and the result says why", async (_how, answer, isKept) => {
    const command = `grep -q first && ${says(answer)} || true`;
    const prompts = ["first", "second"];
    const { results, at, lines, requests } = await heard("UserPromptSubmit", command, { prompts, steps: [] });
    expect(results[0]).toMatchObject({ num_turns: 0, result: expect.stringContaining("no way") });
    expect(lines[at(informs)]).toMatchObject({ content: results[0]?.result, prevent_continuation: true });
    expect(at(is("system", "init"))).toBeLessThan(at(informs));
    expect(JSON.stringify(requests[0]?.body.messages).includes("first")).toBe(isKept);
  });
});

describe("a hook that ends the turn", { timeout: 30_000 }, () => {
  test.each([
    ["PostToolUse", "hook_stopped", ""],
    ["Stop", "stop_hook_prevented", "done"],
  ])("at %s does not present its reason as text of the model", async (event, terminal_reason, result) => {
    const { results } = await heard(event, says({ continue: false, stopReason: "enough" }));
    expect(results).toMatchObject([{ terminal_reason, result }]);
  });
});

test("the objection of a Stop hook goes to the model as such, and to the host as a notice", {
  timeout: 30_000,
}, async () => {
  const command = `grep -q '"stop_hook_active":true' || ${says({ decision: "block", reason: "go on" })}`;
  const { lines, at } = await heard("Stop", command, { steps: [{ text: "done" }] });
  const synthetic = (line: JsonObject) => line.isSynthetic === true;
  expect(textOf(lines[at(synthetic)]?.message)).toBe("Stop hook feedback:\ngo on");
  expect(lines[at(is("system", "notification"))]).toMatchObject({ key: "stop-hook-error" });
});

describe("a PreToolUse hook without a verdict", { timeout: 30_000 }, () => {
  test.each([
    ["takes too long", "sleep 30", 1, { outcome: "cancelled", exit_code: 1 }],
    ["can't be started", "/nonexistent/hook", 60, { outcome: "error", exit_code: 127 }],
    ["says what nobody understands", says({ decision: "what" }), 60, { outcome: "error", exit_code: 0 }],
  ])("because it %s is reported, and the call runs", async (_why, command, timeout, response) => {
    const { lines, at } = await heard("PreToolUse", command, { timeout, args: ["--include-hook-events"] });
    expect(lines[at(is("system", "hook_response"))]).toMatchObject(response);
    expect(lines[at(informs)]).toMatchObject({ tag: "hook_no_verdict", level: "warning" });
    expect(textOf(lines[at(holds("tool_result"))]?.message)).toContain("out");
  });
});

describe("the input of a hook", { timeout: 30_000 }, () => {
  test("is one line, and names the prompt that is being answered", async () => {
    const { place } = await heard("Stop", "cat >> told", { prompts: ["one", "two"], steps: [] });
    const text = await readFile(join(place.cwd, "told"), "utf8");
    const [one, two, ...more] = text.split("\n");
    expect(more).toEqual([""]);
    const [first, second] = [JSON.parse(one ?? ""), JSON.parse(two ?? "")];
    expect(first).toMatchObject({ prompt_id: expect.any(String), background_tasks: [], session_crons: [] });
    expect(second.prompt_id).not.toBe(first.prompt_id);
  });
});

test("the same command in several matchers runs once", { timeout: 30_000 }, async () => {
  const place = await newPlace();
  await mkdir(place.configDir, { recursive: true });
  const [a, b] = ["echo a >> ran", "echo b >> ran"].map((command) => ({ type: "command", command }));
  const hooks = { PreToolUse: [{ hooks: [a, b, a] }, { matcher: "Bash", hooks: [a] }] };
  await writeFile(join(place.configDir, "settings.json"), JSON.stringify({ hooks }));
  const api = await newApi({ steps: WORKED });
  const agent = openAgent(place, { env: api.env, args: UNASKED });
  agent.send(prompt("go"));
  await agent.line(isResult);
  expect((await readFile(join(place.cwd, "ran"), "utf8")).split("\n").sort()).toEqual(["", "a", "b"]);
});

test("a result replaced by a hook may omit booleans", {
  timeout: 30_000,
}, async () => {
  const updatedToolOutput = { stdout: "other", stderr: "" };
  const command = says({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } });
  const { lines, at } = await heard("PostToolUse", command);
  expect(lines[at(holds("tool_result"))]).toMatchObject({ tool_use_result: updatedToolOutput });
});
