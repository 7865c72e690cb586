import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import type { AgentTalk } from "../agent-process.ts";
import { isAlive, program } from "../mcp/session.ts";
import { UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { answers, holds, isResult, prompt, request, textOf } from "../wire.ts";
import { type SharedProcess, startShared } from "./shared-process.ts";

const declared = (env: Readonly<Record<string, string>> = {}) => ({ ...program("good", env), shared: true });

const given = (own: JsonObject) => ["--mcp-config", JSON.stringify({ mcpServers: { own } })];

let asked = 0;

/** The result of a tool of a session's server. */
async function callTool(agent: AgentTalk, tool: string, input: JsonObject = {}): Promise<string> {
  const id = `call-${++asked}`;
  agent.send(request(id, "mcp_call", { tool: `mcp__own__${tool}`, arguments: input }));
  const { response } = await agent.line(answers(id));
  if (!isJsonObject(response) || response.subtype !== "success") throw new Error(JSON.stringify(response));
  return textOf({ content: (response.response as JsonObject).content });
}

const pidOf = async (agent: AgentTalk): Promise<number> => JSON.parse(await callTool(agent, "pids"))[0];

async function open(shared: SharedProcess, name: string, place: Place, own: JsonObject) {
  const agent = shared.open(name, place, { args: given(own) });
  await agent.line(answers("claim"));
  return agent;
}

describe("an MCP server in a process with many sessions", { timeout: 60_000 }, () => {
  test("is shared if declared so and configured the same, until its last session has ended", async () => {
    const shared = await startShared(await newPlace());
    const place = await newPlace();
    const [one, two, other, own] = await Promise.all([
      open(shared, "one", place, declared()),
      open(shared, "two", place, declared()),
      open(shared, "other", place, declared({ GREETING: "other" })),
      open(shared, "own", place, program()),
    ]);
    const [pid, ...pids] = await Promise.all([one, two, other, own].map(pidOf));
    if (pid === undefined) throw new Error("no pid");
    expect(pids[0]).toBe(pid);
    expect(new Set([pid, ...pids]).size).toBe(3);

    one.input.end();
    expect(await one.ended()).toEqual({ code: 0, signal: null });
    expect(await pidOf(two)).toBe(pid);
    const three = await open(shared, "three", place, declared());
    expect(await pidOf(three)).toBe(pid);

    const waiting = expect(callTool(three, "wait")).rejects.toThrow(/killed by SIGKILL/);
    await callTool(three, "echo", { text: "it waits now" });
    process.kill(pid, "SIGKILL");
    await waiting;
    const again = await pidOf(two);
    expect(again).not.toBe(pid);
    expect(await pidOf(three)).toBe(again);
    expect(await Promise.all([other, own].map(pidOf))).toEqual(pids.slice(1));

    shared.child.stdin.end();
    expect(await once(shared.child, "exit")).toEqual([0, null]);
    expect(isAlive(again)).toBe(false);
    await expectNothingLeft(place);
  });

  test("is not available to a session that has disabled it, even if others use it", async () => {
    const shared = await startShared(await newPlace());
    const place = await newPlace();
    await writeFile(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { own: declared() } }));
    const without = JSON.stringify({ disabledMcpjsonServers: ["own"] });
    const [one, other] = [
      shared.open("one", place),
      shared.open("other", place, { args: ["--settings", without] }),
    ];
    expect(await callTool(one, "echo", { text: "here" })).toContain("echo: here");
    await expect(callTool(other, "echo", { text: "there" })).rejects.toThrow("mcp_call_not_listed");
  });

  test("gives the turns of each session their own results", async () => {
    const shared = await startShared(await newPlace());
    const place = await newPlace();
    const marks = Array.from({ length: 6 }, (_, index) => `mark-${index}-`);
    const sessions = await Promise.all(
      marks.map(async (mark) => {
        const call = (turn: number) => ({
          type: "tool_use",
          name: "mcp__own__echo",
          input: { text: `${mark}${turn}` },
        });
        const pids = { type: "tool_use", name: "mcp__own__pids", input: {} };
        const script = join(place.cwd, "..", `${mark}.json`);
        await writeFile(
          script,
          JSON.stringify({
            steps: [{ content: [call(1), call(2)] }, { content: [call(3), pids] }, { text: "done" }],
          }),
        );
        const args = [...UNASKED, ...given(declared()), "--script", script];
        return { agent: shared.open(mark, place, { args }), mark };
      }),
    );
    const pids = new Set<string | undefined>();
    for (const { agent } of sessions) agent.send(prompt("go"));
    for (const { agent, mark } of sessions) {
      expect(await agent.line(isResult)).toMatchObject({ result: "done" });
      const results = agent.lines
        .filter(holds("tool_result"))
        .map(({ message }) => textOf(message))
        .join();
      for (const turn of [1, 2, 3]) expect(results).toContain(`echo: ${mark}${turn} from`);
      for (const other of marks) if (other !== mark) expect(JSON.stringify(agent.lines)).not.toContain(other);
      pids.add(/\[(\d+)/.exec(results)?.[1]);
    }
    expect(pids.size).toBe(1);
  });
});
