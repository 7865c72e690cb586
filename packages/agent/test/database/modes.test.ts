import { readFile, stat } from "node:fs/promises";
import type { Script } from "@agentwire/models/script";
import { describe, expect, test } from "vitest";
import { startProgram } from "../agent-process.ts";
import { newApi, playing } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { close, databaseOf, results, startMiriad, user } from "./miriad-agent.ts";

/** Runs the program to its end. */
async function run(
  place: Place,
  args: readonly string[],
  { input = "", env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = startProgram(place, { args: ["--db", databaseOf(place), ...args], env });
  child.stdin.end(input);
  const [out, err]: string[][] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out?.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err?.push(text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout: out?.join("") ?? "", stderr: err?.join("") ?? "" };
}

/** A place with a database that contains one session. */
async function placeWithTalk(script: Script = { steps: [{ text: "Noted." }] }): Promise<Place> {
  const place = await newPlace();
  const agent = startMiriad(place, { args: await playing(place, script) });
  agent.send(user("remember the milk"));
  await results(agent, 1);
  expect(await close(agent)).toBe(0);
  return place;
}

describe("-p with a database", { timeout: 30_000 }, () => {
  test.each(["-p", "--prompt"])("%s answers one prompt and remembers it for the next", async (flag) => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "One." }, { text: "Two." }] });
    expect(await run(place, [flag, "first"], api)).toMatchObject({ code: 0, stdout: "One.\n" });
    expect(await run(place, [flag, "second", "--format", "text"], api)).toMatchObject({ stdout: "Two.\n" });
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain("first");
  });

  test("--format json prints the result", async () => {
    const place = await newPlace();
    const args = await playing(place, { steps: [{ text: "One." }] });
    const { stdout } = await run(place, ["-p", "hello", "--format", "json", "--session-id", "x", ...args]);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "One.",
      session_id: "x",
      usage: { input_tokens: 100, output_tokens: 20 },
    });
  });
});

describe("--inspect", { timeout: 30_000 }, () => {
  test("shows sessions, messages, tokens, queue and memory, even while another process answers", async () => {
    const place = await placeWithTalk();
    const busy = startMiriad(place, {
      args: await playing(place, { steps: [{ text: "Never.", delayBefore: 100_000 }] }),
    });
    busy.send(user("wait", "b"), user("and wait", "b"));
    await busy.line(({ subtype }) => subtype === "queued");
    const { code, stdout } = await run(place, ["--inspect", "--format", "json"]);
    expect(code).toBe(0);
    const { sessions, memory } = JSON.parse(stdout);
    expect(sessions).toMatchObject([
      { id: "b", messages: 1, queued_messages: 1 },
      { id: "default", messages: 2, queued_messages: 0, input_tokens: 100, output_tokens: 20 },
    ]);
    expect(memory).toMatchObject({ entries: 0, archived: 0, tree: [] });
    const text = (await run(place, ["--inspect"])).stdout;
    expect(text).toContain('"default": 2 messages, 100 tokens in, 20 out, 0 queued');
    expect(text).toContain("memory: 0 entries");
  });

  test("reports a missing database and does not create one", async () => {
    const place = await newPlace();
    const { code, stderr } = await run(place, ["--inspect"]);
    expect(code).toBe(1);
    expect(stderr).toContain("can't be opened");
    await expect(stat(databaseOf(place))).rejects.toThrow();
  });
});

describe("--dump", { timeout: 30_000 }, () => {
  test("prints exactly the request that the prompt later sends, and stores nothing", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "Noted." } });
    await run(place, ["-p", "remember the milk"], api);
    const { code, stdout } = await run(place, ["--dump", "what", "was", "it?"], api);
    expect(code).toBe(0);
    expect(api.requests).toHaveLength(1);
    await run(place, ["-p", "what was it?"], api);
    const { metadata: _, ...sent } = api.requests[1]?.body ?? {};
    expect(JSON.parse(stdout)).toEqual(sent);
  });

  test("--format text prints a readable form", async () => {
    const { stdout } = await run(await placeWithTalk(), ["--dump", "--format", "text"]);
    expect(stdout).toMatch(/^# model: .*\n\n# system\n/);
    expect(stdout).toMatch(/\n# tools: Bash, .*\n\n# user\n\nremember the milk\n\n# assistant\n\nNoted\.\n/);
  });
});

describe("--compact", { timeout: 30_000 }, () => {
  test("replaces the conversation with a summary", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [
        { text: "One." },
        { text: "Two." },
        { text: "<summary>The user wants milk.</summary>" },
        { text: "Milk." },
      ],
    });
    await run(place, ["-p", "remember the milk"], api);
    await run(place, ["-p", "and the bread"], api);
    expect(await run(place, ["--compact"], api)).toMatchObject({ code: 0, stdout: "Compacted.\n" });
    await run(place, ["-p", "what was it?"], api);
    const messages = JSON.stringify(api.requests.at(-1)?.body.messages);
    expect(messages).toContain("The user wants milk.");
    expect(messages).not.toContain("remember the milk");
    expect((await run(place, ["--inspect"])).stdout).toContain("summarized");
  });

  test("reports if there is nothing to compact", async () => {
    const { code, stdout } = await run(await newPlace(), ["--compact"]);
    expect([code, stdout]).toEqual([0, "There is nothing to compact yet.\n"]);
  });
});

describe("--repl", { timeout: 30_000 }, () => {
  test("answers typed prompts, knows its commands, asks before a tool runs, and remembers the lines", async () => {
    const place = await newPlace();
    const file = { file_path: "{{cwd}}/made", content: "x" };
    const call = { type: "tool_use", name: "Write", input: file };
    const script = await playing(place, {
      steps: [
        { text: "Hello you." },
        { content: [call] },
        { text: "Wrote." },
        { content: [call] },
        { text: "Not." },
      ],
    });
    const input = [
      "hello",
      "help",
      "inspect",
      "dump",
      "write it",
      "y",
      "again",
      "n",
      "quit",
      "never sent",
      "",
    ].join("\n");
    const { code, stdout } = await run(place, ["--repl", ...script], { input });
    expect(code).toBe(0);
    for (const text of [
      "Hello you.",
      "Ctrl-D",
      '"default": 2 messages',
      '"max_tokens"',
      "· Write ",
      "\n+ x\nAllow this? y for yes, n for no, or a reason why not:",
      "Wrote.",
      "Not.",
    ])
      expect(stdout).toContain(text);
    expect(stdout).not.toContain("never sent");
    expect(await readFile(`${place.cwd}/made`, "utf8")).toBe("x");
    const history = await readFile(`${databaseOf(place)}-history`, "utf8");
    expect(history.split("\n").slice(0, 2)).toEqual(["hello", "help"]);
    expect((await stat(`${databaseOf(place)}-history`)).mode & 0o777).toBe(0o600);
  });

  test("shows questions in readable form, takes a sentence as the reason for a denial, and escapes control characters", async () => {
    const place = await newPlace();
    const asked = {
      question: "Which\u001b[2K?",
      header: "",
      multiSelect: false,
      options: [
        { label: "tea", description: "green" },
        { label: "coffee", description: "coffee" },
      ],
    };
    const script = await playing(place, {
      steps: [
        { content: [{ type: "tool_use", name: "AskUserQuestion", input: { questions: [asked] } }] },
        { content: [{ type: "tool_use", name: "Bash", input: { command: "touch made\u001b[8m; rm x" } }] },
        { text: "Done\u001b]0;title\u0007." },
      ],
    });
    const input = ["ask", "2", "yes, but why", "quit", ""].join("\n");
    const { stdout } = await run(place, ["--repl", ...script], { input });
    expect(stdout).toContain("Which\\u001b[2K?\n  1. tea – green\n  2. coffee\nNumber or your own answer:");
    expect(stdout).not.toContain('{"questions"');
    expect(stdout).toContain("$ touch made\\u001b[8m; rm x\nAllow this?");
    expect(stdout).not.toContain("\u001b");
    await expect(readFile(`${place.cwd}/made`)).rejects.toThrow();
    const dumped = await run(place, ["--dump", "and", "--format", "json", ...script]);
    expect(dumped.stdout).toContain("The user said no: yes, but why");
  });

  test("ends with the input, after the last answer", async () => {
    const place = await newPlace();
    const script = await playing(place, { steps: [{ text: "Hello you." }] });
    const { code, stdout } = await run(place, ["--repl", ...script], { input: "hello" });
    expect(code).toBe(0);
    expect(stdout).toContain("Hello you.");
  });
});
