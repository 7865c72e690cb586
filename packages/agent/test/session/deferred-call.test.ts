import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent, startProgram } from "../agent-process.ts";
import { bash, newApi } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

const TOUCH: ScriptReply = { content: [bash("touch made")] };
const ALLOWED = ["--allowedTools", "Bash"];

/** A place with a hook that defers every call until the file `go` exists. */
async function waitingPlace(): Promise<Place> {
  const place = await newPlace();
  await mkdir(place.configDir, { recursive: true });
  const answer = JSON.stringify({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" },
  });
  const command = `[ -e go ] || echo '${answer}'`;
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command }] }] };
  await writeFile(join(place.configDir, "settings.json"), JSON.stringify({ hooks }));
  return place;
}

/** Runs turns in one process; returns their results, and the last messages sent to the model. */
async function talk(
  place: Place,
  steps: readonly ScriptReply[],
  texts: readonly string[],
  args: readonly string[] = [],
) {
  const api = await newApi({ steps, whenExhausted: { text: "exhausted" } });
  const agent = openAgent(place, { env: api.env, args: [...ALLOWED, ...args] });
  const results: JsonObject[] = [];
  let from = 0;
  for (const text of texts) {
    agent.send(prompt(text));
    results.push(await agent.line(isResult, from));
    from = agent.lines.length;
  }
  agent.input.end();
  await agent.ended();
  return { agent, results, messages: () => api.requests.at(-1)?.body.messages as JsonObject[] };
}

const made = (place: Place) => existsSync(join(place.cwd, "made"));
const letGo = (place: Place) => writeFile(join(place.cwd, "go"), "");

describe("a call that a hook defers", { timeout: 30_000 }, () => {
  test("ends the turn without a result, and runs first when the session is resumed", async () => {
    const place = await waitingPlace();
    const { agent, results } = await talk(place, [TOUCH], ["touch it"]);
    const [first] = results;
    expect(first).toMatchObject({
      subtype: "success",
      is_error: false,
      stop_reason: "tool_deferred",
      terminal_reason: "tool_deferred",
      num_turns: 1,
      deferred_tool_use: { name: "Bash", input: { command: "touch made" } },
    });
    expect(agent.lines.some(is("user"))).toBe(false);
    expect(made(place)).toBe(false);

    await letGo(place);
    const later = await talk(
      place,
      [{ text: "made it" }],
      ["and now?"],
      ["--resume", String(first?.session_id)],
    );
    expect(made(place)).toBe(true);
    expect(later.results).toMatchObject([{ result: "made it", num_turns: 2 }]);
    const id = expect.stringMatching(/^toolu/);
    expect(later.messages()).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "tool_use", id }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id }, { text: "and now?" }] },
    ]);
    expect(JSON.stringify(later.messages())).not.toContain("interrupted");
  });

  test("waits for a later turn of the same process as well, and prompts wait with it", async () => {
    const place = await waitingPlace();
    const { results } = await talk(place, [TOUCH], ["touch it", "done?"]);
    expect(results).toMatchObject([{ stop_reason: "tool_deferred" }, { stop_reason: "tool_deferred" }]);
    const api = await newApi({ steps: [TOUCH, { text: "made it" }] });
    const agent = openAgent(place, { env: api.env, args: ALLOWED });
    agent.send(prompt("touch it"));
    await agent.line(isResult);
    let from = agent.lines.length;
    agent.send(prompt("one"));
    await agent.line(isResult, from);
    await letGo(place);
    from = agent.lines.length;
    agent.send(prompt("two"));
    expect(await agent.line(isResult, from)).toMatchObject({ result: "made it" });
    const [, request] = api.requests;
    expect(request?.body.messages).toMatchObject([{}, {}, { content: [{}, { text: "one\ntwo" }] }]);
  });

  test("runs in a fork of its session", async () => {
    const place = await waitingPlace();
    const { results } = await talk(place, [TOUCH], ["touch it"]);
    await letGo(place);
    const fork = ["--resume", String(results[0]?.session_id), "--fork-session"];
    const later = await talk(place, [{ text: "made it" }], ["go"], fork);
    expect(later.results).toMatchObject([{ result: "made it" }]);
    expect(made(place)).toBe(true);
    await rm(join(place.cwd, "made"));
    const again = await talk(
      place,
      [{ text: "no more" }],
      ["go"],
      ["--resume", String(later.results[0]?.session_id)],
    );
    expect(again.results).toMatchObject([{ result: "no more" }]);
    expect(made(place), "it has run").toBe(false);
  });

  test("runs without flags on the command line", async () => {
    const place = await waitingPlace();
    const { results } = await talk(place, [TOUCH], ["touch it"]);
    await letGo(place);
    const api = await newApi({ steps: [{ text: "made it" }] });
    const args = ["-p", "--resume", String(results[0]?.session_id), ...ALLOWED];
    const child = startProgram(place, { env: api.env, args });
    child.stdin.end();
    let said = "";
    for await (const text of child.stdout.setEncoding("utf8")) said += text;
    expect(said).toBe("made it\n");
    expect(made(place)).toBe(true);
    expect(api.requests[0]?.body.messages).toMatchObject([{}, {}, { content: [{ type: "tool_result" }] }]);
  });

  test("is named in a failed result if its tool no longer exists", async () => {
    const place = await waitingPlace();
    const { results } = await talk(place, [TOUCH], ["touch it"]);
    const later = await talk(
      place,
      [],
      ["go"],
      ["--resume", String(results[0]?.session_id), "--tools", "Read"],
    );
    expect(later.results).toMatchObject([
      {
        is_error: true,
        terminal_reason: "tool_deferred_unavailable",
        deferred_tool_use: { name: "Bash" },
      },
    ]);
  });

  test("is not deferred if the reply contains another call", async () => {
    const place = await waitingPlace();
    const both = { content: [bash("touch made"), bash("touch other")] };
    const { agent, results } = await talk(place, [both, { text: "both" }], ["touch them"]);
    expect(results).toMatchObject([{ result: "both" }]);
    expect(made(place)).toBe(true);
    expect(agent.lines.find(is("system", "informational"))).toMatchObject({ level: "warning" });
  });
});
