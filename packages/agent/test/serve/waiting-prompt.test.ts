import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AgentProcess, startAgent } from "../agent-process.ts";
import { bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { answers, is, isResult, prompt, request } from "../wire.ts";

const SESSION = "6f1c2a9e-5f0a-4a57-9d30-5d6f1d0a7c11";
const WAITING = "0d9a51c3-4d0f-4f2e-8d8e-3c1f0b8f7a22";
/** The first prompt keeps a tool busy; every later model call would touch a file. */
const SCRIPT = { steps: [{ content: [bash(STUBBORN)] }, { content: [bash("touch unseen")] }] };

/** An agent whose tool runs while a second prompt waits. */
async function busyAgent(place: Place, env: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const agent = startAgent(place, { env, args: [...UNASKED, "--session-id", SESSION] });
  agent.send(prompt("work"));
  await place.file("running");
  agent.send(prompt("then touch a file", { uuid: WAITING }));
  await agent.line((line) => is("command_lifecycle")(line) && line.command_uuid === WAITING);
  return agent;
}

/** Sends the waiting prompt to the next process, as a host does that received no answer. */
async function askAgain(place: Place): Promise<void> {
  const api = await newApi({ steps: [{ content: [bash("touch unseen")] }, { text: "Touched." }] });
  const agent = startAgent(place, {
    env: api.env,
    args: [...UNASKED, "--resume", SESSION, "--replay-user-messages"],
  });
  agent.send(prompt("then touch a file", { uuid: WAITING }));
  expect(await agent.line(isResult)).toMatchObject({ subtype: "success", result: "Touched." });
  expect(existsSync(join(place.cwd, "unseen"))).toBe(true);
  agent.child.stdin.end();
  await agent.ended();
}

describe("a prompt that waits while a tool runs", { timeout: 30_000 }, () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 0],
  ] as const)("is not started after %s, and the next process answers it", async (signal, code) => {
    const place = await newPlace();
    const api = await newApi(SCRIPT);
    const agent = await busyAgent(place, api.env);
    agent.child.kill(signal);
    expect(await agent.ended(5000)).toEqual({ code, signal: null });
    expect(api.requests).toHaveLength(1);
    expect(existsSync(join(place.cwd, "unseen"))).toBe(false);
    await expectNothingLeft(place);
    await askAgain(place);
  });

  test("is discarded by end_session, and its host is notified", async () => {
    const place = await newPlace();
    const api = await newApi(SCRIPT);
    const agent = await busyAgent(place, api.env);
    agent.send(request("end", "end_session"));
    await agent.line(answers("end"));
    expect(await agent.ended(5000)).toEqual({ code: 1, signal: null });
    expect(agent.lines.filter(isResult)).toHaveLength(1);
    const states = agent.lines.filter(({ command_uuid }) => command_uuid === WAITING);
    expect(states.map(({ state }) => state)).toEqual(["queued", "discarded"]);
    expect(api.requests).toHaveLength(1);
  });

  test("is not started if the host has died, even if the agent was not told to exit", async () => {
    const place = await newPlace();
    const command = "touch running; while [ ! -e gone ]; do sleep 0.02; done";
    const api = await newApi({ steps: [{ content: [bash(command)] }, { content: [bash("touch unseen")] }] });
    const agent = await busyAgent(place, api.env);
    // A killed host closes all its pipes at once.
    agent.child.stdin.destroy();
    agent.child.stdout.destroy();
    agent.child.stderr.destroy();
    await writeFile(join(place.cwd, "gone"), "");
    await agent.ended(5000);
    expect(existsSync(join(place.cwd, "unseen"))).toBe(false);
    await askAgain(place);
  });
});

describe("a prompt that was stored but never answered", { timeout: 30_000 }, () => {
  const flags = ["--resume", SESSION, "--replay-user-messages"];

  /** An agent that is killed before the model has replied. */
  async function killedWhileAsking(place: Place): Promise<void> {
    const api = await newApi({ steps: [{ text: "Ready." }] });
    const silent = createServer();
    onTestFinished(() => void silent.close());
    const asked = once(silent, "request");
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { port } = silent.address() as AddressInfo;
    const first = startAgent(place, { env: api.env, args: ["--session-id", SESSION] });
    first.send(prompt("get ready"));
    await first.line(isResult);
    first.child.stdin.end();
    await first.ended();
    const env = { ...api.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const second = startAgent(place, { env, args: flags });
    second.send(prompt("go", { uuid: WAITING }));
    await asked;
    await vi.waitFor(async () => expect(await storedPrompts(place)).toHaveLength(1));
    second.child.kill("SIGKILL");
    await second.ended();
    silent.closeAllConnections();
  }

  /** The lines of the session file that contain the prompt. */
  async function storedPrompts(place: Place): Promise<readonly string[]> {
    const folder = join(place.configDir, "projects");
    const [project = ""] = await readdir(folder);
    const text = await readFile(join(folder, project, `${SESSION}.jsonl`), "utf8");
    return text.split("\n").filter((line) => line.includes(`"uuid":"${WAITING}"`));
  }

  test("is answered when it is sent again, stored once, and not answered twice", async () => {
    const place = await newPlace();
    await killedWhileAsking(place);
    const api = await newApi({ steps: [{ text: "Gone." }] });
    const agent = startAgent(place, { env: api.env, args: flags });
    agent.send(prompt("go", { uuid: WAITING }));
    expect(await agent.line(isResult)).toMatchObject({ subtype: "success", result: "Gone." });
    agent.send(prompt("go", { uuid: WAITING }));
    // The first one belongs to the turn.
    await vi.waitFor(() => expect(agent.lines.filter((line) => line.isReplay === true)).toHaveLength(2));
    agent.child.stdin.end();
    await agent.ended();
    expect(api.requests).toHaveLength(1);
    expect(JSON.stringify(api.requests[0]?.body).split('"go"')).toHaveLength(2);
    expect(await storedPrompts(place)).toHaveLength(1);
  });

  test("remains in the conversation when another prompt follows instead, and counts as answered with it", async () => {
    const place = await newPlace();
    await killedWhileAsking(place);
    const api = await newApi({ steps: [{ text: "Both." }] });
    const agent = startAgent(place, { env: api.env, args: flags });
    agent.send(prompt("and hurry"));
    expect(await agent.line(isResult)).toMatchObject({ result: "Both." });
    agent.send(prompt("go", { uuid: WAITING }));
    await agent.line((line) => line.isReplay === true && line.uuid === WAITING);
    agent.child.stdin.end();
    await agent.ended();
    expect(api.requests).toHaveLength(1);
    expect(JSON.stringify(api.requests[0]?.body)).toMatch(/"go".*and hurry/);
  });
});
