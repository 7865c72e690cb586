import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.ts";
import { PythonSide } from "./python-side.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

// Checks from the end-to-end tests of the Python SDK 0.2.143 that other files of this folder do not cover.

const FLAGS = ["--output-format", "stream-json", "--verbose", "--system-prompt", ""];
const INPUT = ["--input-format", "stream-json"];

/** Runs one prompt as `query()` does; returns what the program using the SDK receives. */
async function ask(bench: Bench, args: readonly string[] = [], wishes: JsonObject = {}, text = "go") {
  const python = new PythonSide(bench, [...FLAGS, ...args, ...INPUT]);
  await python.initialize(wishes);
  python.prompt(text);
  await python.result();
  python.child.stdin.end();
  await python.exit();
  expect(python.complaints()).toEqual([]);
  const messages = python.messages();
  const init = messages.find(({ subtype }) => subtype === "init");
  return { python, messages, init, result: messages.at(-1) };
}

function write(path: string, content: JsonObject): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

const configDir = (bench: Bench) => join(String(bench.env.HOME), ".claude");
const open = (script: Script = { steps: [], whenExhausted: say("four") }) => openBench(script);

describe("the Python SDK", () => {
  test.each([[["--setting-sources=user,project,local"]], [[]]])(
    "gets the output style of local settings with %j",
    async (args) => {
      const bench = await open();
      write(bench.path(".claude/settings.local.json"), { outputStyle: "local-test-style" });
      expect((await ask(bench, args)).init).toMatchObject({ output_style: "local-test-style" });
    },
  );

  test("gets the user's settings in a session resumed from a custom store", async () => {
    const bench = await open();
    const first = await ask(bench, ["--session-mirror"]);
    expect(first.init).toMatchObject({ output_style: "default" });
    const mirrored = first.messages.filter(({ type }) => type === "transcript_mirror");
    const entries = mirrored.flatMap(({ entries }) => entries as readonly JsonObject[]);
    // What the SDK does: it writes the session into a new folder, with a copy of the user's current settings.
    rmSync(join(configDir(bench), "projects"), { recursive: true });
    const fresh = bench.path("../fresh-config");
    write(join(fresh, "settings.json"), { outputStyle: "Explanatory" });
    const file = String(mirrored[0]?.filePath).replace(configDir(bench), fresh);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const resumed = await ask({ ...bench, env: { ...bench.env, CLAUDE_CONFIG_DIR: fresh } }, [
      `--resume=${first.result?.session_id}`,
    ]);
    expect(resumed.init).toMatchObject({ output_style: "Explanatory" });
    expect(resumed.result).toMatchObject({ session_id: first.result?.session_id, is_error: false });
  });

  test("can pass twenty agents of 13 KB each", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `large-agent-${i}`);
    const agent = (name: string) => ({
      description: `Large ${name}`,
      prompt: `You are ${name}. ${"x".repeat(13_312)}`,
    });
    const agents = Object.fromEntries(names.map((name) => [name, agent(name)]));
    const { init } = await ask(await open(), ["--max-turns", "1"], { agents });
    expect(init?.agents).toEqual(expect.arrayContaining(names));
  });

  test("reads nothing on stderr without --debug", async () => {
    const { python } = await ask(await open());
    expect(python.errors()).toBe("");
  });

  test("can allow a custom tool by name, and is not offered a disallowed one", async () => {
    const server = { mcpServers: { sums: { type: "sdk", name: "sums" } } };
    const args = ["--mcp-config", JSON.stringify(server)];
    const script = { steps: [use("mcp__sums__add", { a: 2, b: 3 }), say("done")] };
    const allowed = await ask(await open(script), [...args, "--allowedTools", "mcp__sums__add"]);
    expect(JSON.stringify(allowed.messages)).toContain("the sum is 5");
    const disallowed = await ask(await open(script), [...args, "--disallowedTools", "mcp__sums__add"]);
    expect(disallowed.init?.tools).not.toContain("mcp__sums__add");
    expect(JSON.stringify(disallowed.messages)).not.toContain("the sum is 5");
  });

  test("gets an error result for a model that does not exist, and the exit code of an error", async () => {
    const error = { type: "not_found_error", message: "model: nobody" };
    const bench = await open({ steps: [], whenExhausted: { type: "error", status: 404, error } });
    const { python, result } = await ask(bench, ["--model", "claude-nobody"]);
    expect(result).toMatchObject({ subtype: "success", is_error: true, terminal_reason: "api_error" });
    expect(result?.result).toEqual(expect.stringMatching(/\S/));
    expect(await python.exit()).toBe(1);
  });

  test("gets its id of a prompt echoed, and none if it set none", async () => {
    const bench = await open();
    const python = new PythonSide(bench, [...FLAGS, ...INPUT]);
    await python.initialize();
    python.prompt("hi", { origin: { kind: "human" } });
    await python.result();
    python.prompt("hi");
    await python.result(2);
    python.child.stdin.end();
    await python.exit();
    const results = python.messages().filter(({ type }) => type === "result");
    expect(results.map(({ origin }) => origin)).toEqual([{ kind: "human" }, undefined]);
  });
});
