import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { answers, holds, is, isResult, prompt, request } from "../wire.ts";

const FAILED: ScriptStep = { type: "error", status: 403, error: { type: "permission_error", message: "no" } };

/** Runs a turn with a hook that records its input; returns the input. */
async function told(event: string, steps: readonly ScriptStep[], more: readonly JsonObject[] = []) {
  const place = await newPlace();
  await withHooks(place.configDir, {
    [event]: [{ hooks: [{ type: "command", command: "cat > part && mv part told" }] }],
  });
  await mkdir(join(place.cwd, "inner"));
  const api = await newApi({ steps, whenExhausted: { text: "heard" } });
  const agent = openAgent(place, { env: api.env, args: UNASKED });
  agent.send(...more, prompt("go"));
  await agent.line(isResult);
  for (const { request_id } of more) await agent.line(answers(String(request_id)));
  // An asynchronous hook ends with the session.
  if (more.length > 0) await place.file("told");
  agent.input.end();
  await agent.ended();
  const folder = event === "CwdChanged" ? join(place.cwd, "inner") : place.cwd;
  return { place, input: JSON.parse(await readFile(join(folder, "told"), "utf8")) as JsonObject };
}

async function withHooks(configDir: string, hooks: JsonObject): Promise<void> {
  await mkdir(configDir, { recursive: true });
  await writeFile(join(configDir, "settings.json"), JSON.stringify({ hooks }));
}

describe("a command hook", { timeout: 30_000 }, () => {
  test("of PostToolBatch receives all calls of a step", async () => {
    const { input } = await told("PostToolBatch", [{ content: [bash("echo one"), bash("echo two")] }]);
    expect(input.tool_calls).toMatchObject([
      { tool_name: "Bash", tool_input: { command: "echo one" }, tool_response: "one" },
      { tool_name: "Bash", tool_input: { command: "echo two" }, tool_response: "two" },
    ]);
  });

  test("of StopFailure receives the reason why a turn failed", async () => {
    const { input } = await told("StopFailure", [FAILED]);
    expect(input).toMatchObject({ hook_event_name: "StopFailure", error: "authentication_failed" });
  });

  test("of CwdChanged receives the folder that a command changed to", async () => {
    const { input, place } = await told("CwdChanged", [{ content: [bash("cd inner")] }]);
    expect(input).toMatchObject({ old_cwd: place.cwd, new_cwd: join(place.cwd, "inner") });
  });

  test("of ConfigChange receives the path of the changed file", async () => {
    const change = { source: "localSettings", settings: { outputStyle: "default" } };
    const { input } = await told("ConfigChange", [], [request("set", "update_settings", change)]);
    expect(input).toMatchObject({ source: "local_settings" });
  });

  test("of SessionEnd receives the reason", async () => {
    const { input } = await told("SessionEnd", []);
    expect(input).toMatchObject({ reason: "other" });
  });

  test("with a timeout longer than a timer supports still works", async () => {
    const place = await newPlace();
    const hook = { type: "command", command: "sleep 0.3; echo no >&2; exit 2", timeout: 3_000_000 };
    await withHooks(place.configDir, { PreToolUse: [{ hooks: [hook] }] });
    const api = await newApi({
      steps: [{ content: [bash("touch made")] }],
      whenExhausted: { text: "heard" },
    });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("go"));
    const result = await agent.line(holds("tool_result"));
    expect((result.message as { content: JsonObject[] }).content[0]).toMatchObject({ is_error: true });
  });

  test("that is asynchronous runs alongside the turn and ends with the session", async () => {
    const place = await newPlace();
    const asked = { type: "command", command: "echo '{\"async\":true}'; touch first; sleep 60" };
    const configured = { type: "command", command: "touch second; sleep 60", async: true };
    await withHooks(place.configDir, { UserPromptSubmit: [{ hooks: [asked, configured] }] });
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "heard" });
    await place.file("first");
    await place.file("second");
    agent.input.end();
    await agent.ended();
    await expectNothingLeft(place);
  });

  test("that sets a timeout for running alongside the turn is ended after it", async () => {
    const place = await newPlace();
    const command = 'echo \'{"async":true,"asyncTimeout":50}\'; touch first; sleep 60';
    await withHooks(place.configDir, { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] });
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("go"));
    await agent.line(isResult);
    await place.file("first");
    const running = () => place.processes().filter((line) => line.includes("sleep 60"));
    await expect.poll(running, { timeout: 5000 }).toEqual([]);
  });

  test("that takes long is reported with its output so far", async () => {
    const place = await newPlace();
    const command = "echo one; until [ -e go ]; do sleep 0.05; done; echo two >&2";
    await withHooks(place.configDir, { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] });
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env, args: ["--include-hook-events"] });
    agent.send(prompt("go"));
    const progress = await agent.line(is("system", "hook_progress"));
    expect(progress).toMatchObject({ stdout: "one\n", stderr: "", output: "one\n" });
    await writeFile(join(place.cwd, "go"), "");
    const response = await agent.line(is("system", "hook_response"));
    expect(response).toMatchObject({ hook_id: progress.hook_id, stdout: "one\n", stderr: "two\n" });
  });

  test("can send the user a message and block a compaction", async () => {
    const place = await newPlace();
    const says = { type: "command", command: 'echo \'{"systemMessage":"psst"}\'' };
    const objects = { type: "command", command: "echo not now >&2; exit 2" };
    await withHooks(place.configDir, {
      UserPromptSubmit: [{ hooks: [says] }],
      PreCompact: [{ hooks: [objects] }],
    });
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("go"));
    await agent.line(isResult);
    const from = agent.lines.length;
    agent.send(prompt("/compact"));
    expect(await agent.line(isResult, from)).toMatchObject({ subtype: "success", num_turns: 0 });
    expect(agent.lines.find(is("system", "informational"))).toMatchObject({
      content: "UserPromptSubmit says: psst",
      level: "notice",
    });
    expect(agent.lines.findLast(is("system", "status"))).toMatchObject({
      compact_result: "failed",
      compact_error: expect.stringContaining("not now"),
    });
  });
});

describe("a command hook of SessionStart", { timeout: 30_000 }, () => {
  test("starts the conversation with its own prompt, which a later process still knows", async () => {
    const place = await newPlace();
    const output = { hookEventName: "SessionStart", initialUserMessage: "Be kind.", sessionTitle: "Kind" };
    const command = `echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
    await withHooks(place.configDir, {
      SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command }] }],
    });
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const first = openAgent(place, { env: api.env });
    first.send(prompt("go"));
    await first.line(isResult);
    first.input.end();
    await first.ended();
    const second = openAgent(place, { env: api.env, args: ["--resume", "Kind"] });
    second.send(prompt("again"));
    await second.line(isResult);
    for (const { body } of api.requests)
      expect(JSON.stringify((body.messages as JsonObject[])[0]?.content)).toMatch(/Be kind\..*go/);
  });

  test("of Setup receives how the agent was started", async () => {
    const place = await newPlace();
    await withHooks(place.configDir, {
      Setup: [{ hooks: [{ type: "command", command: "cat > part && mv part told" }] }],
    });
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env, args: ["--init"] });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(JSON.parse(await readFile(join(place.cwd, "told"), "utf8"))).toMatchObject({ trigger: "init" });
  });
});
