import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type AgentTalk, openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answers, isResult, prompt, request } from "../wire.ts";

/** The scripted API's reply to calls without tools. */
const SIDE_ANSWER = "(side call)";

let asked = 0;

/** Sends a control request; returns its answer, or the text of its error. */
async function ask(agent: AgentTalk, subtype: string, fields: JsonObject = {}): Promise<JsonObject | string> {
  const id = `ask ${++asked}`;
  agent.send(request(id, subtype, fields));
  const { response } = (await agent.line(answers(id))) as { response: JsonObject };
  return response.subtype === "success" ? (response.response as JsonObject) : String(response.error);
}

async function say(agent: AgentTalk, text: string): Promise<void> {
  const from = agent.lines.length;
  agent.send(prompt(text));
  await agent.line(isResult, from);
}

describe("a conversation", { timeout: 30_000 }, () => {
  test("gets a title from a small model, and keeps it if the host wants that", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "hello" }] });
    const agent = openAgent(place, { env: api.env });
    await say(agent, "the login is broken");
    expect(
      await ask(agent, "generate_session_title", { description: "the login is broken", persist: true }),
    ).toEqual({
      title: SIDE_ANSWER,
    });
    const { model, messages } = api.requests[1]?.body ?? {};
    expect([model, JSON.stringify(messages)]).toEqual([
      expect.stringContaining("haiku"),
      expect.stringContaining("the login is broken"),
    ]);
    expect(await ask(agent, "generate_session_title", { description: " " })).toEqual({ title: null });
    expect(await ask(agent, "generate_session_title", {})).toContain("description");
    expect(api.requests).toHaveLength(2);
    agent.input.end();
    await agent.ended();
    const [, folder] = /"cwd":"([^"]+)"/.exec(JSON.stringify(agent.lines)) ?? [];
    const id = String(agent.lines.find(isResult)?.session_id);
    const file = join(
      place.configDir,
      "projects",
      String(folder).replace(/[^a-zA-Z0-9]/g, "-"),
      `${id}.jsonl`,
    );
    expect(await readFile(file, "utf8")).toContain(`"aiTitle":"${SIDE_ANSWER}"`);
  });

  test("can be exported as text, and its plan and status can be read", async () => {
    const place = await newPlace();
    const plan = { type: "tool_use", name: "ExitPlanMode", input: { plan: "# Do it" } };
    const api = await newApi({
      steps: [
        { content: [bash("echo seen")] },
        { text: "Done." },
        { content: [plan] },
        { text: "No plan mode." },
      ],
    });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    expect(await ask(agent, "export_conversation")).toMatchObject({
      text: "",
      default_filename: expect.stringMatching(/^conversation-\d{4}-\d\d-\d\d-\d{6}\.txt$/),
    });
    expect(await ask(agent, "get_plan")).toEqual({ exists: false });
    await say(agent, "Look around, please!");
    const { text, default_filename } = (await ask(agent, "export_conversation")) as JsonObject;
    for (const part of ["❯ Look around, please!", "● Bash(", "⎿  seen", "● Done."])
      expect(text).toContain(part);
    expect(text).not.toContain("system-reminder");
    expect(default_filename).toMatch(/-look-around-please\.txt$/);
    await say(agent, "plan");
    expect(await ask(agent, "get_plan")).toEqual({ exists: true, content: "# Do it" });
    const status = JSON.stringify(await ask(agent, "get_status"));
    for (const fact of [place.cwd, "ANTHROPIC_API_KEY", api.env.ANTHROPIC_BASE_URL, "Session ID"])
      expect(status).toContain(fact);
    expect(status).not.toContain(api.env.ANTHROPIC_API_KEY);
  });

  test("can move to another folder that the user trusts", async () => {
    const place = await newPlace({ isTrusted: false });
    const other = join(place.cwd, "other");
    await mkdir(other);
    await writeFile(join(place.cwd, "file"), "");
    const api = await newApi({ steps: [{ text: "one" }, { content: [bash("pwd")] }, { text: "two" }] });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    await say(agent, "hello");
    expect(await ask(agent, "set_cwd", { path: "nowhere" })).toMatchObject({
      status: "rejected",
      reason: "not_found",
    });
    expect(await ask(agent, "set_cwd", { path: "file" })).toMatchObject({ reason: "not_a_directory" });
    expect(await ask(agent, "set_cwd", { path: "." })).toMatchObject({ status: "ok", changed: false });
    const directory = await realpath(other);
    expect(await ask(agent, "set_cwd", { path: "other" })).toEqual({ status: "needs_trust", directory });
    expect(
      await ask(agent, "set_cwd", { path: "other", trust_accepted: true, trusted_directory: "/" }),
    ).toMatchObject({
      status: "needs_trust",
    });
    expect(
      await ask(agent, "set_cwd", { path: "other", trust_accepted: true, trusted_directory: directory }),
    ).toMatchObject({ status: "ok", cwd: directory, changed: true });
    await say(agent, "where are you?");
    expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain(
      `moved the session to the folder ${directory}`,
    );
    expect(await ask(agent, "export_conversation")).toMatchObject({
      text: expect.stringContaining(`⎿  ${directory}`),
    });
    const known = JSON.parse(await readFile(join(place.env.HOME ?? "", ".claude.json"), "utf8"));
    expect(known.projects[directory]).toEqual({ allowedTools: [], hasTrustDialogAccepted: true });
  });

  test("has servers without sign-in, and accepts ratings without effect", async () => {
    const place = await newPlace();
    const servers = { here: { command: "false" }, afar: { type: "http", url: "http://127.0.0.1:9/" } };
    const agent = openAgent(place, { args: ["--mcp-config", JSON.stringify({ mcpServers: servers })] });
    const missing = "Server not found: nope";
    expect(await ask(agent, "mcp_authenticate", { serverName: "nope" })).toBe(missing);
    expect(await ask(agent, "mcp_clear_auth", { serverName: "nope" })).toBe(missing);
    expect(await ask(agent, "mcp_reconnect", { serverName: "nope" })).toBe(missing);
    expect(await ask(agent, "mcp_toggle", { serverName: "nope", enabled: true })).toBe(missing);
    expect(await ask(agent, "mcp_read_resource", { serverName: "nope", uri: "ui://x" })).toBe(missing);
    expect(await ask(agent, "mcp_authenticate", { serverName: "here" })).toContain(
      '"stdio" does not support OAuth',
    );
    expect(await ask(agent, "mcp_authenticate", { serverName: "afar" })).toContain("in headers");
    expect(await ask(agent, "mcp_clear_auth", { serverName: "here" })).toContain("Cannot clear auth");
    expect(await ask(agent, "mcp_clear_auth", { serverName: "afar" })).toEqual({});
    const rating = { messageUuid: "u", sentiment: "positive", surface: "assistant_text", cleared: false };
    expect(await ask(agent, "message_rated", rating)).toEqual({});
    expect(await ask(agent, "message_rated", { messageUuid: "u" })).toEqual(expect.any(String));
  });
});
