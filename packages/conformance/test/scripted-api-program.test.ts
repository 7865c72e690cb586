import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "../src/agent-driver/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../bin/agentwire-scripted-api", import.meta.url));
const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await makeSandbox();
});

afterAll(() => sandbox.remove());

async function scriptFile(name: string, script: unknown): Promise<string> {
  const file = join(sandbox.root, name);
  await writeFile(file, JSON.stringify(script));
  return file;
}

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: sandbox.cwd,
    env: { ...process.env, HOME: sandbox.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.all([once(child, "close"), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
}

const says = (words: string, more: object = {}) => ({
  content: [{ type: "text", text: words }],
  ...more,
});

describe("the scripted API as a program", { timeout: 40_000 }, () => {
  test("runs an agent, and records its requests", async () => {
    const expected = { messages: [{ role: "user" }] };
    const script = await scriptFile("talk.json", {
      steps: [says("Hello from a script.", { expect: expected })],
    });
    const log = join(sandbox.root, "requests.jsonl");
    const { child, ended } = start("--log", log, script, "--", AGENT, "-p", "hi");
    const [said, end] = await Promise.all([text(child.stdout), ended]);
    expect(end).toEqual({ code: 0, stderr: "" });
    expect(said).toBe("Hello from a script.\n");
    const [request] = (await readFile(log, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(request).toMatchObject({ kind: "turn", body: { messages: [{ role: "user" }] } });
  });

  test("fails if a request lacks expected content, or if a step is never requested", async () => {
    const expected = { messages: [{ role: "user", content: "something else" }] };
    const script = await scriptFile("wrong.json", {
      steps: [says("no", { expect: expected }), says("never")],
    });
    const { child, ended } = start(script, "--", "sh", "-c", POST);
    child.stdout.resume();
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/request 1 lacks .*something else/);
    expect(stderr).toMatch(/1 of the steps were never asked for/);
  });

  test("prints its address, answers, and ends when it is stopped", async () => {
    const script = await scriptFile("serve.json", { steps: [says("served")] });
    const { child, ended } = start(script);
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const response = await fetch(`${String(line).trim()}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(TURN),
    });
    expect(await response.json()).toMatchObject({ content: [{ type: "text", text: "served" }] });
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, stderr: "" });
  });

  test.each([
    [{}, /an object with a list of steps/],
    [{ steps: [{ type: "reply" }] }, /step 1 has the type "reply"/],
    [{ steps: [says("a"), { type: "coffee" }] }, /step 2 has the type "coffee"/],
    [{ steps: [{ content: [{ text: "no type" }] }] }, /step 1: content is a list of blocks/],
    [{ steps: [says("a", { chunkDelayMs: 5 })] }, /step 1: unknown key chunkDelayMs/],
    [{ steps: [says("a", { repeat: "twice" })] }, /step 1: repeat should be number/],
  ])("rejects an invalid script: %j", async (script, why) => {
    const { child, ended } = start(await scriptFile("bad.json", script));
    child.stdout.resume();
    expect(await ended).toEqual({ code: 2, stderr: expect.stringMatching(why) });
  });
});

const TURN = {
  model: "m",
  max_tokens: 100,
  tools: [{ name: "Read" }],
  messages: [{ role: "user", content: "hi" }],
};

/** A shell command that sends an agent's request. */
const POST = `node -e 'fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body: JSON.stringify(${JSON.stringify(TURN)}) })'`;
