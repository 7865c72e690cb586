import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type AgentTalk, openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, answers, asks, holds, isResult, prompt, request } from "../wire.ts";

const DENYING = JSON.stringify({ permissions: { deny: ["Bash(touch *)"] } });

/** An agent that has recorded the state of its files, so that any later write is a change. */
async function settledAgent(hooks: JsonObject, answers_: (input: JsonObject) => JsonObject) {
  const place = await newPlace();
  await mkdir(join(place.cwd, ".claude"));
  await writeFile(join(place.cwd, ".claude/settings.json"), "{}");
  const api = await newApi({
    steps: [{ text: "hello" }, { content: [bash("touch made")] }, { text: "done" }],
  });
  const agent = openAgent(place, { env: api.env, args: UNASKED });
  agent.onLine = (line) => {
    if (asks("hook_callback")(line)) agent.send(answer(line.request_id, answers_(inputOf(line))));
  };
  agent.send(request("hello", "initialize", { hooks }));
  await agent.line(answers("hello"));
  agent.send(prompt("hello"));
  await agent.line(isResult);
  return { place, agent };
}

const inputPath = ({ input }: JsonObject) => (input as JsonObject).file_path;
const inputOf = (line: JsonObject) => (line.request as JsonObject).input as JsonObject;

/** Writes a file, each time with different bytes, until the agent notices. */
async function write(agent: AgentTalk, path: string, text: string): Promise<JsonObject> {
  const from = agent.lines.length;
  for (let i = 0; ; i++) {
    await writeFile(path, text + "\n".repeat(i));
    for (const deadline = Date.now() + 1700; Date.now() < deadline; await delay(20)) {
      const told = agent.lines.slice(from).find(asks("hook_callback"));
      if (told) return inputOf(told);
    }
  }
}

describe("settings changed by another program", { timeout: 30_000 }, () => {
  test.each([
    { when: "apply after the ConfigChange hooks", said: {}, isError: true },
    {
      when: "do not apply if such a hook blocks them",
      said: { decision: "block", reason: "no" },
      isError: undefined,
    },
  ])("$when", async ({ said, isError }) => {
    const hooks = { ConfigChange: [{ matcher: "project_settings", hookCallbackIds: ["h1"] }] };
    const { place, agent } = await settledAgent(hooks, () => said);
    const path = join(place.cwd, ".claude/settings.json");
    expect(await write(agent, path, DENYING)).toMatchObject({
      hook_event_name: "ConfigChange",
      source: "project_settings",
      file_path: path,
    });
    const from = agent.lines.length;
    agent.send(prompt("make a file"));
    const result = await agent.line(holds("tool_result"), from);
    expect((result.message as { content: JsonObject[] }).content[0]?.is_error).toBe(isError);
  });

  test("are ignored if they are invalid, and the previous content still applies", async () => {
    const { place, agent } = await settledAgent({}, () => ({}));
    const path = join(place.cwd, ".claude/settings.json");
    for (let i = 0; !agent.complaints().includes("its previous content still applies"); i++) {
      await writeFile(path, `{ "permissions": ${"\n".repeat(i)}`);
      await delay(1500);
    }
    expect(agent.complaints()).toContain(`${path}: is not valid JSON`);
    const from = agent.lines.length;
    agent.send(prompt("make a file"));
    expect(await agent.line(isResult, from)).toMatchObject({ result: "done" });
  });
});

describe("a FileChanged hook", { timeout: 30_000 }, () => {
  test("is called for the files that its matcher names, and for those that it requests", async () => {
    const hooks = {
      FileChanged: [{ matcher: ".env|.envrc", hookCallbackIds: ["h1"] }, { hookCallbackIds: ["h2"] }],
    };
    const { place, agent } = await settledAgent(hooks, () => ({
      hookSpecificOutput: { hookEventName: "FileChanged", watchPaths: [join(place.cwd, "deep/note")] },
    }));
    await mkdir(join(place.cwd, "deep"));
    const path = join(place.cwd, ".envrc");
    const told = await write(agent, path, "A=1");
    expect(told).toMatchObject({
      hook_event_name: "FileChanged",
      file_path: path,
      event: expect.stringMatching(/^(add|change)$/),
    });
    const other = join(place.cwd, "deep/note");
    expect(await write(agent, other, "B=2")).toMatchObject({ file_path: other });
    // The hook with the matcher was called for the first file only.
    const asked = agent.lines.filter(asks("hook_callback")).map((line) => line.request as JsonObject);
    expect(asked.filter(({ callback_id }) => callback_id === "h1").map(inputPath)).not.toContain(other);
  });

  test("is called again for a file that changes again after it has handled the first change", async () => {
    const hooks = { FileChanged: [{ matcher: "busy.log", hookCallbackIds: ["h1"] }] };
    const { place, agent } = await settledAgent(hooks, () => ({}));
    const asked: JsonObject[] = [];
    agent.onLine = (line) => {
      if (asks("hook_callback")(line)) asked.push(line);
    };
    const path = join(place.cwd, "busy.log");
    await write(agent, path, "a line\n");
    for (let i = 0; i < 2; i++) {
      await writeFile(path, "more\n".repeat(i + 2));
      await delay(1500);
    }
    expect(asked).toHaveLength(1);
    const from = agent.lines.length;
    agent.send(answer(asked[0]?.request_id, {}));
    expect(inputOf(await agent.line(asks("hook_callback"), from))).toMatchObject({ event: "change" });
  });
});
