import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { ASKED, bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, answers, asks, holds, isResult, prompt, request } from "../wire.ts";

describe("initialize", { timeout: 30_000 }, () => {
  test("sent again returns the open questions, and their answers still count", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ content: [bash("touch done")] }, { text: "ok" }] });
    const agent = openAgent(place, { env: api.env, args: ASKED });
    agent.send(request("one", "initialize"), prompt("go"));
    expect((await agent.line(answers("one"))).response).not.toHaveProperty("pending_permission_requests");
    const question = await agent.line(asks("can_use_tool"));
    agent.send(request("two", "initialize"));
    expect(await agent.line(answers("two"))).toMatchObject({
      response: { subtype: "success", pending_permission_requests: [question] },
    });
    agent.send(answer(question.request_id, { behavior: "allow" }));
    expect(await agent.line(isResult)).toMatchObject({ result: "ok", permission_denials: [] });
    agent.send(request("three", "initialize"));
    expect((await agent.line(answers("three"))).response).not.toHaveProperty("pending_permission_requests");
  });

  test("gives tools additional names, which the model may use and which hooks and rules do not see", async () => {
    const place = await newPlace();
    await writeFile(join(place.cwd, "note.txt"), "a note");
    const call = (name: string) => ({
      content: [{ type: "tool_use", name, input: { file_path: join(place.cwd, "note.txt") } }],
    });
    // Aliases are not chained: Look means Read, but Glance means Look, which is not a tool.
    const api = await newApi({ steps: [call("Look"), call("Glance"), { text: "seen" }] });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(
      request("hello", "initialize", {
        toolAliases: { Look: "Read", Glance: "Look" },
        hooks: { PreToolUse: [{ matcher: "Read", hookCallbackIds: ["pre"] }] },
      }),
      prompt("go"),
    );
    const hook = await agent.line(asks("hook_callback"));
    expect(hook).toMatchObject({ request: { input: { tool_name: "Read" } } });
    agent.send(answer(hook.request_id, {}));
    await agent.line(isResult);
    const results = agent.lines.filter(holds("tool_result")).map((line) => JSON.stringify(line.message));
    expect(results[0]).toContain("a note");
    expect(results[1]).toContain("No such tool");
    expect(agent.lines.find(holds("tool_use"))).toMatchObject({ message: { content: [{ name: "Look" }] } });
  });
});

/** A server that never connects. */
const SERVER = { command: "false" };

describe("reload_plugins", { timeout: 30_000 }, () => {
  test("adds plugins by absolute path, and none to a busy session if the host refuses that", async () => {
    const place = await newPlace();
    const kit = join(place.cwd, "..", "kit");
    await mkdir(join(kit, ".claude-plugin"), { recursive: true });
    await mkdir(join(kit, "commands"));
    await writeFile(join(kit, ".claude-plugin/plugin.json"), JSON.stringify({ name: "kit" }));
    await writeFile(join(kit, "commands/greet.md"), "Greet.");
    const api = await newApi({ steps: [{ text: "a long tale", stallAfterChunks: 1 }] });
    const agent = openAgent(place, { env: api.env });
    const reload = async (id: string, params: JsonObject) => {
      agent.send(request(id, "reload_plugins", params));
      return agent.line(answers(id));
    };
    expect(await reload("rel", { add_plugins: [{ type: "local", path: "kit" }] })).toMatchObject({
      response: { subtype: "error" },
    });
    expect(await reload("abs", { add_plugins: [{ type: "local", path: kit }] })).toMatchObject({
      response: {
        response: {
          plugins: [{ name: "kit", path: kit }],
          commands: expect.arrayContaining([expect.objectContaining({ name: "kit:greet" })]),
        },
      },
    });
    agent.send(prompt("go"));
    await expect.poll(() => api.requests.length, { timeout: 10_000 }).toBe(1);
    expect(await reload("busy", { refuse_if_busy: true })).toMatchObject({
      response: { subtype: "error", error_code: "reload_plugins_busy" },
    });
    expect(await reload("anyway", {})).toMatchObject({ response: { subtype: "success" } });
  });

  test("holds back and reports changes to the tools of a conversation that has begun", async () => {
    const place = await newPlace();
    const kit = join(place.cwd, "..", "kit");
    await mkdir(join(kit, ".claude-plugin"), { recursive: true });
    await writeFile(join(kit, ".claude-plugin/plugin.json"), JSON.stringify({ name: "kit" }));
    const serve = (...names: readonly string[]) =>
      writeFile(
        join(kit, ".mcp.json"),
        JSON.stringify(Object.fromEntries(names.map((name) => [name, SERVER]))),
      );
    await serve("one");
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env, args: ["--plugin-dir", kit] });
    agent.send(prompt("go"));
    await agent.line(isResult);
    let asked = 0;
    const reload = async (hold_on_cache_impact?: boolean) => {
      const id = `r${asked++}`;
      agent.send(request(id, "reload_plugins", { hold_on_cache_impact }));
      const { response } = (await agent.line(answers(id))).response as { response: JsonObject };
      const servers = (response.mcpServers as JsonObject[]).map(({ name }) => name);
      return { held: response.held, impact: response.cache_impact, servers };
    };
    expect(await reload(true)).toEqual({ held: false, impact: undefined, servers: ["plugin:kit:one"] });
    await serve("two");
    const impact = {
      mcp_servers_added: ["plugin:kit:two"],
      mcp_servers_removed: ["plugin:kit:one"],
      lsp_tool_change: null,
    };
    expect(await reload(true)).toEqual({ held: true, impact, servers: ["plugin:kit:one"] });
    expect(await reload()).toEqual({ held: undefined, impact: undefined, servers: ["plugin:kit:two"] });
  });
});
