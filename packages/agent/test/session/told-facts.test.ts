import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answers, is, isResult, prompt, request } from "../wire.ts";

async function write(path: string, content: string | JsonObject): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
}

const HEARD = { steps: [], whenExhausted: { text: "heard" } };

async function start(place: Place, args: readonly string[] = []) {
  const api = await newApi(HEARD);
  const agent = openAgent(place, { env: api.env, args });
  agent.send(request("hello", "initialize"));
  const { response } = (await agent.line(answers("hello"))) as { response: { response: JsonObject } };
  const say = async (message: JsonObject) => {
    const from = agent.lines.length;
    agent.send(message);
    return agent.line(isResult, from);
  };
  return {
    api,
    agent,
    greeting: response.response,
    say,
    init: () => agent.lines.findLast(is("system", "init")),
  };
}

describe("the host receives", { timeout: 30_000 }, () => {
  test("the origin of a prompt that it named itself, and the times of the model call", async () => {
    const { say } = await start(await newPlace());
    const human = await say({ ...prompt("hi"), origin: { kind: "human" } });
    expect(human).toMatchObject({
      origin: { kind: "human" },
      ttft_ms: expect.any(Number),
      ttft_stream_ms: expect.any(Number),
      time_to_request_ms: expect.any(Number),
      fast_mode_state: "off",
    });
    expect(Number(human.time_to_request_ms)).toBeLessThanOrEqual(Number(human.ttft_ms));
    expect(Number(human.ttft_ms)).toBeLessThanOrEqual(Number(human.duration_ms));
    expect(await say(prompt("hi"))).not.toHaveProperty("origin");
    expect(await say(prompt("/usage"))).not.toHaveProperty("ttft_ms");
  });

  test("what the models support", async () => {
    const { greeting } = await start(await newPlace());
    const models = greeting.models as readonly JsonObject[];
    expect(models.map(({ value }) => value)).toEqual(["default", "opus", "fable", "sonnet", "haiku"]);
    expect(models[0]).toMatchObject({
      resolvedModel: "claude-opus-5-5",
      supportsEffort: true,
      supportedEffortLevels: ["low", "medium", "high", "xhigh", "max"],
      supportsFastMode: true,
    });
    expect(models.find(({ value }) => value === "haiku")).not.toHaveProperty("supportsFastMode");
  });

  test("the output style from the settings, and all available styles", async () => {
    const place = await newPlace();
    await write(join(place.configDir, "settings.json"), { outputStyle: "Explanatory" });
    const user = await start(place);
    expect(user.greeting).toMatchObject({
      output_style: "Explanatory",
      available_output_styles: ["default", "Proactive", "Concise", "Explanatory", "Learning"],
    });
    await user.say(prompt("hi"));
    expect(user.init()).toMatchObject({ output_style: "Explanatory" });
    expect(JSON.stringify(user.api.requests[0]?.body.system)).toContain("Output style: Explanatory");
    // A name without a style is kept, because the host may know more styles.
    await write(join(place.cwd, ".claude", "settings.local.json"), { outputStyle: "local-test-style" });
    const local = await start(place);
    await local.say(prompt("hi"));
    expect(local.init()).toMatchObject({ output_style: "local-test-style" });
    expect(JSON.stringify(local.api.requests[0]?.body.system)).not.toContain("Output style:");
  });

  test("the source of each command", async () => {
    const place = await newPlace();
    await write(join(place.cwd, ".claude", "commands", "mine.md"), "---\ndescription: Says it\n---\nx");
    await write(join(place.configDir, "commands", "ours.md"), "---\ndescription: Says it\n---\nx");
    await write(join(place.cwd, "plug", ".claude-plugin", "plugin.json"), { name: "plug" });
    await write(join(place.cwd, "plug", "commands", "theirs.md"), "---\ndescription: Says it\n---\nx");
    const { greeting } = await start(place, ["--plugin-dir", join(place.cwd, "plug")]);
    const written = (greeting.commands as readonly JsonObject[]).filter(({ builtin }) => !builtin);
    expect(written.map(({ name, description }) => [name, description])).toEqual([
      ["plug:theirs", "(plug) Says it"],
      ["ours", "Says it (user)"],
      ["mine", "Says it (project)"],
    ]);
  });

  test("an error for a missing plugin", async () => {
    const { say, init } = await start(await newPlace(), ["--plugin-dir", "/nowhere"]);
    await say(prompt("hi"));
    expect(init()).toMatchObject({
      plugins: [],
      plugin_errors: [
        {
          plugin: "inline[0]",
          type: "path-not-found",
          message: "Path not found: /nowhere",
          path: "/nowhere",
        },
      ],
    });
  });

  test("a mode or model change only if there is one", async () => {
    const { agent, say } = await start(await newPlace(), ["--model", "claude-opus-5-5"]);
    const changes = [
      ["set_permission_mode", { mode: "default" }],
      ["set_permission_mode", { mode: "plan" }],
      ["set_permission_mode", { mode: "plan" }],
      ["set_model", { model: "claude-opus-5-5" }],
      ["set_model", { model: "claude-sonnet-5-5" }],
      ["set_model", { model: "claude-sonnet-5-5" }],
    ] as const;
    for (const [i, [subtype, fields]] of changes.entries()) {
      agent.send(request(`change ${i}`, subtype, fields));
      expect(await agent.line(answers(`change ${i}`))).toMatchObject({ response: { subtype: "success" } });
    }
    await say(prompt("hi"));
    const modes = agent.lines.filter(is("system", "status")).filter(({ permissionMode }) => permissionMode);
    expect(modes).toHaveLength(1);
    expect(agent.lines.filter(({ type, isReplay }) => type === "user" && isReplay)).toHaveLength(1);
  });

  test("the budget that was exceeded", async () => {
    const { say } = await start(await newPlace(), [
      "--model",
      "claude-opus-5-5",
      "--max-budget-usd",
      "0.000001",
    ]);
    expect(await say(prompt("hi"))).toMatchObject({
      subtype: "error_max_budget_usd",
      errors: ["Reached maximum budget ($0.000001)"],
    });
  });
});

describe("--bare", { timeout: 30_000 }, () => {
  test("leaves out what was not named, except the rules of the settings", async () => {
    const place = await newPlace();
    const hook = { hooks: [{ type: "command", command: "echo HOOK-RAN" }] };
    await write(join(place.cwd, ".claude", "settings.json"), {
      permissions: { deny: ["Edit"] },
      hooks: { UserPromptSubmit: [hook] },
    });
    await write(join(place.cwd, "CLAUDE.md"), "PROJECT-NOTES");
    await write(join(place.cwd, ".claude", "commands", "c.md"), "x");
    await write(join(place.cwd, ".mcp.json"), { mcpServers: { m: { command: "false" } } });
    const { api, say, init } = await start(place, ["--bare"]);
    await say(prompt("hi"));
    expect(init()).toMatchObject({ tools: ["Bash", "Read"], mcp_servers: [] });
    expect(init()?.slash_commands).not.toContain("c");
    const sent = JSON.stringify(api.requests[0]?.body);
    for (const left of ["PROJECT-NOTES", "HOOK-RAN", "You are a coding agent"])
      expect(sent).not.toContain(left);
    expect(sent).toContain(`Working folder: ${place.cwd}`);
  });
});
