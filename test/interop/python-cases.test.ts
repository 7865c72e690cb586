import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.ts";
import { PythonSide } from "./python-side.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

// What the end-to-end tests of the Python SDK 0.2.143 ask of an agent, beyond what other files of this folder try.

const FLAGS = ["--output-format", "stream-json", "--verbose", "--system-prompt", ""];
const INPUT = ["--input-format", "stream-json"];

/** Runs one prompt as `query()` does; returns what the program that uses the SDK gets. */
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

describe("a test of the Python SDK finds", () => {
  test.each([[["--setting-sources=user,project,local"]], [[]]])(
    "the output style of local settings with %j",
    async (args) => {
      const bench = await open();
      write(bench.path(".claude/settings.local.json"), { outputStyle: "local-test-style" });
      expect((await ask(bench, args)).init).toMatchObject({ output_style: "local-test-style" });
    },
  );

  test("the user's settings applied to a session that it resumes from a store of its own", async () => {
    const bench = await open();
    const first = await ask(bench, ["--session-mirror"]);
    expect(first.init).toMatchObject({ output_style: "default" });
    const mirrored = first.messages.filter(({ type }) => type === "transcript_mirror");
    const entries = mirrored.flatMap(({ entries }) => entries as readonly JsonObject[]);
    // What the SDK does: the session goes into a fresh folder, beside the user's settings of today.
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

  test("twenty agents of 13 KB each", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `large-agent-${i}`);
    const agent = (name: string) => ({
      description: `Large ${name}`,
      prompt: `You are ${name}. ${"x".repeat(13_312)}`,
    });
    const agents = Object.fromEntries(names.map((name) => [name, agent(name)]));
    const { init } = await ask(await open(), ["--max-turns", "1"], { agents });
    expect(init?.agents).toEqual(expect.arrayContaining(names));
  });

  test("nothing on stderr without --debug", async () => {
    const { python } = await ask(await open());
    expect(python.errors()).toBe("");
  });

  test("a tool of its own allowed by name, and one disallowed not offered", async () => {
    const server = { mcpServers: { sums: { type: "sdk", name: "sums" } } };
    const args = ["--mcp-config", JSON.stringify(server)];
    const script = { steps: [use("mcp__sums__add", { a: 2, b: 3 }), say("done")] };
    const allowed = await ask(await open(script), [...args, "--allowedTools", "mcp__sums__add"]);
    expect(JSON.stringify(allowed.messages)).toContain("the sum is 5");
    const disallowed = await ask(await open(script), [...args, "--disallowedTools", "mcp__sums__add"]);
    expect(disallowed.init?.tools).not.toContain("mcp__sums__add");
    expect(JSON.stringify(disallowed.messages)).not.toContain("the sum is 5");
  });

  test("the result of a model that there is not, with the exit code of an error", async () => {
    const error = { type: "not_found_error", message: "model: nobody" };
    const bench = await open({ steps: [], whenExhausted: { type: "error", status: 404, error } });
    const { python, result } = await ask(bench, ["--model", "claude-nobody"]);
    expect(result).toMatchObject({ subtype: "success", is_error: true, terminal_reason: "api_error" });
    expect(result?.result).toEqual(expect.stringMatching(/\S/));
    expect(await python.exit()).toBe(1);
  });

  test("its stamp on a prompt echoed, and none where it set none", async () => {
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
