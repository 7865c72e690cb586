import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, bash, newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, answers, asks, is, isResult, prompt, request } from "../wire.ts";

async function newSpare(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const place = await newPlace();
  const folder = join(place.cwd, "..", "project");
  await mkdir(join(folder, ".claude"), { recursive: true });
  await writeFile(join(folder, "CLAUDE.md"), "Rhyme.");
  const api = await newApi({ steps: [{ content: [bash("pwd")] }, { text: "done" }] });
  const agent = openAgent(place, {
    env: { ...api.env, ...env },
    args: ["--await-claim", ...ASKED, ...args],
  });
  const claim = async (params: JsonObject): Promise<JsonObject> => {
    agent.send(request("claim", "claim_session", params), prompt("go"));
    return (await agent.line(answers("claim"))).response as JsonObject;
  };
  return { place, folder, api, agent, claim };
}

describe("a spare", { timeout: 30_000 }, () => {
  test("becomes the session of the folder that claims it, with everything it received before", async () => {
    const { folder, api, agent, claim } = await newSpare();
    agent.onLine = (line) => {
      if (asks("hook_callback")(line)) agent.send(answer(line.request_id, {}));
      if (asks("can_use_tool")(line)) agent.send(answer(line.request_id, { behavior: "allow" }));
    };
    const hooks = { PreToolUse: [{ hookCallbackIds: ["pre"] }], SessionEnd: [{ hookCallbackIds: ["end"] }] };
    agent.send(request("hello", "initialize", { hooks, appendSystemPrompt: "Be brief." }));
    await agent.line(answers("hello"));
    agent.send(request("over", "apply_flag_settings", { settings: { effortLevel: "low" } }));
    const claimed = await claim({
      cwd: folder,
      additional_directories: ["..", "nowhere"],
      permission_mode: "acceptEdits",
      agents: { scout: { description: "Scouts", prompt: "Scout." } },
      env: { CLAUDE_CODE_HOST_SESSION_ID: "h1" },
      include_initialize: true,
    });
    agent.send(request("model", "set_model", { model: "claude-haiku-4-5" }));
    expect(claimed).toMatchObject({
      subtype: "success",
      response: {
        cwd: folder,
        session_id: expect.any(String),
        parked_ms: expect.any(Number),
        initialize: {
          agents: expect.arrayContaining([expect.objectContaining({ name: "scout" })]),
          current_permission_mode: "acceptEdits",
        },
      },
    });
    const init = await agent.line(is("system", "init"));
    const { session_id } = claimed.response as JsonObject;
    expect(init).toMatchObject({ cwd: folder, permissionMode: "acceptEdits", session_id });
    expect(init.additional_directories).toEqual([join(folder, "..")]);
    expect(await agent.line(isResult)).toMatchObject({ result: "done" });
    expect(await agent.line(asks("hook_callback"))).toMatchObject({
      request: { callback_id: "pre", input: { cwd: folder } },
    });
    const sent = JSON.stringify(api.requests.map(({ body }) => body));
    expect(sent).toContain("Rhyme.");
    expect(sent).toContain("Be brief.");
    expect(sent).toContain(`${folder}\\n`);
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    // The spare itself was not a session, so no hooks report its end.
    expect(agent.lines.filter(asks("hook_callback"))).toHaveLength(1);
  });

  test.each([
    ["cwd_not_found", { cwd: "/nowhere/at/all" }],
    ["env_key_not_claimable", { cwd: "/", env: { PATH: "/" } }],
    ["permission_mode_not_claimable", { cwd: "/", permission_mode: "bypassPermissions" }],
  ])("refuses a claim with %s, and runs no prompt", async (code, params) => {
    const { agent, api, claim } = await newSpare();
    expect(await claim(params)).toMatchObject({
      subtype: "error",
      error: expect.stringMatching(new RegExp(`^${code}: `)),
    });
    expect(await agent.line(isResult)).toMatchObject({ errors: [expect.stringMatching(/^not_claimed/)] });
    expect(await agent.ended()).toMatchObject({ code: 1 });
    expect(api.requests).toEqual([]);
  });

  test("that is not claimed exits when its input ends", async () => {
    const { agent } = await newSpare();
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(agent.lines).toEqual([]);
  });

  test("can be claimed only once, and other agents can't be claimed", async () => {
    const place = await newPlace();
    const agent = openAgent(place);
    agent.send(request("claim", "claim_session", { cwd: place.cwd }));
    expect(await agent.line(answers("claim"))).toMatchObject({
      response: { subtype: "error", error: expect.stringMatching(/^not_a_spare/) },
    });
  });
});

describe("administrator settings delivered with initialize", { timeout: 30_000 }, () => {
  const DENY = { permissions: { deny: ["Bash"] } };

  async function newAgent() {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "done" } });
    return { api, agent: openAgent(place, { env: api.env, args: ["--managed-settings-in-initialize"] }) };
  }

  test("apply to everything that follows", async () => {
    const { agent } = await newAgent();
    agent.send(request("hello", "initialize", { managedSettings: DENY }), prompt("go"));
    expect(await agent.line(answers("hello"))).toMatchObject({
      response: { subtype: "success", response: { managed_settings_applied: true } },
    });
    expect((await agent.line(is("system", "init"))).tools).not.toContain("Bash");
    await agent.line(isResult);
    agent.send(request("again", "initialize", { managedSettings: {} }));
    expect(await agent.line(answers("again"))).toMatchObject({
      response: { response: { managed_settings_applied: false } },
    });
    agent.send(request("rules", "list_permission_rules"));
    expect(JSON.stringify(await agent.line(answers("rules")))).toContain("policySettings");
  });

  test.each([
    ["another message comes first", [prompt("go")], "initialize_not_first"],
    [
      "initialize contains none",
      [request("hello", "initialize"), prompt("go")],
      "managed_settings_not_delivered",
    ],
    [
      "they are invalid",
      [request("hello", "initialize", { managedSettings: { permissions: 7 } }), prompt("go")],
      "managed_settings_not_delivered",
    ],
    ["the input ends", [], "managed_settings_not_delivered"],
  ])("prevent the start if %s", async (_what, lines, code) => {
    const { agent, api } = await newAgent();
    agent.send(...lines);
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 1 });
    expect(agent.lines.filter(isResult)).toMatchObject([{ startup_failure_reason: code }]);
    expect(api.requests).toEqual([]);
  });
});
