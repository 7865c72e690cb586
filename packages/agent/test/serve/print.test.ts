import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import { describe, expect, test } from "vitest";
import { finishProcess, finishProgram, startProgram } from "../agent-process.ts";
import { bash, newApi, playing, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";

/** Runs the program to its end; `input` is all of its stdin. */
const print = (
  place: Place,
  args: readonly string[],
  input = "",
  env: Readonly<Record<string, string>> = {},
) => finishProgram(place, { args, input, env });

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

async function scripted(...steps: readonly ScriptStep[]) {
  const place = await newPlace();
  return { place, flags: await playing(place, { steps }) };
}

describe("-p", { timeout: 30_000 }, () => {
  test("prints only the answer", async () => {
    const { place, flags } = await scripted({ text: "forty-two" });
    const args = [...flags, "-p", "what is it?"];
    expect(await finishProcess(place, { args })).toEqual({
      code: 0,
      stdout: "forty-two\n",
      stderr: "",
    });
  });

  test("prints the result as one line of JSON", async () => {
    const { place, flags } = await scripted({ text: "forty-two" });
    const { code, stdout } = await print(place, [...flags, "-p", "--output-format", "json", "what is it?"]);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toMatchObject([{ type: "result", subtype: "success", result: "forty-two" }]);
  });

  test("prints all messages as one JSON list with --verbose", async () => {
    const { place, flags } = await scripted({ text: "forty-two" });
    const args = [...flags, "-p", "--output-format", "json", "--verbose", "what is it?"];
    const { code, stdout } = await print(place, args);
    expect(code).toBe(0);
    const types = JSON.parse(stdout).map((message: { readonly type: string }) => message.type);
    expect(types).toEqual(["system", "assistant", "result"]);
  });

  test("prints all messages as lines with stream-json", async () => {
    const { place, flags } = await scripted({ content: [bash("echo hi")] }, { text: "done" });
    const args = [...flags, ...UNASKED, "-p", "--output-format=stream-json", "--verbose", "go"];
    const { code, stdout } = await print(place, args);
    expect(code).toBe(0);
    const types = linesOf(stdout).map((line) => line.type);
    expect(types).toEqual(["system", "assistant", "user", "assistant", "result"]);
  });

  test.each([
    { from: "the arguments", args: ["-p", "from the arguments"], input: "", asked: "from the arguments" },
    { from: "stdin", args: ["-p"], input: "from stdin\n", asked: "from stdin\n" },
    {
      from: "both",
      args: ["-p", "explain this:"],
      input: "some text\n",
      asked: "explain this:\nsome text\n",
    },
    { from: "--print=", args: ["--print=inline"], input: "", asked: "inline" },
    { from: "behind --", args: ["-p", "--", "--not-a-flag"], input: "", asked: "--not-a-flag" },
  ])("reads the prompt from $from", async ({ args, input, asked }) => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "ok" }] });
    expect(await finishProcess(place, { args, input, env: api.env })).toMatchObject({
      code: 0,
      stdout: "ok\n",
    });
    const messages = JSON.stringify(api.requests[0]?.body.messages);
    expect(messages).toContain(JSON.stringify(asked).slice(1, -1));
  });

  test("without a prompt says how to give one, and exits with 1", async () => {
    const { place, flags } = await scripted();
    const { code, stdout, stderr } = await print(place, [...flags, "-p"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^agentwire-agent: .*-p/);
  });

  test.each([
    [["--output-format", "yaml"], "output-format"],
    [["--permission-mode", "yolo"], "permission-mode"],
    [["--max-turns", "many"], "max-turns"],
    [["--script", "nowhere.json"], "nowhere.json"],
  ])("rejects %j with a reason, and exits with 1", async (flags, reason) => {
    const place = await newPlace();
    const { code, stdout, stderr } = await print(place, [...flags, "-p", "go"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/at .*\.js:\d+/);
  });

  test("does not wait forever for a stdin that stays open", async () => {
    const { place, flags } = await scripted({ text: "answered" });
    const child = startProgram(place, { args: [...flags, "-p", "go"] });
    const [said] = await once(child.stdout.setEncoding("utf8"), "data");
    expect(said).toBe("answered\n");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test("ends quietly if its output is not read", async () => {
    const { place, flags } = await scripted({ text: "unheard ".repeat(200), chunkDelay: 2, chunkSize: 40 });
    const args = [...flags, "-p", "--output-format=stream-json", "--include-partial-messages", "go"];
    const child = startProgram(place, { args });
    child.stdin.end();
    let complaints = "";
    child.stderr.on("data", (text) => {
      complaints += text;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [, signal] = await once(child, "close");
    expect({ signal, complaints }).toEqual({ signal: null, complaints: "" });
  });

  test("exits with 1 if the model fails, and says why", async () => {
    const { place, flags } = await scripted({
      type: "error",
      status: 403,
      error: { type: "permission_error", message: "not for you" },
    });
    const { code, stdout } = await finishProcess(place, { args: [...flags, "-p", "go"] });
    expect(code).toBe(1);
    expect(stdout).toContain("not for you");
  });

  test("reports while it waits that the model can't be reached", async () => {
    const { code, stderr } = await print(await newPlace(), ["-p", "hi"], "", {
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      CLAUDE_CODE_MAX_RETRIES: "1",
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /the model did not answer \(no connection\); trying again in \d s \(attempt 1 of 1\)\n/,
    );
  });

  test("exits with 1 if the session to resume does not exist", async () => {
    const { place, flags } = await scripted();
    const id = "11111111-2222-4333-8444-555555555555";
    const { code, stderr } = await print(place, [...flags, "--resume", id, "-p", "go"]);
    expect(code).toBe(1);
    expect(stderr).toContain(id);
  });

  test("warns about an unknown flag and continues", async () => {
    const { place, flags } = await scripted({ text: "fine" });
    const { code, stdout, stderr } = await print(place, [...flags, "--frobnicate", "-p", "go"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "fine\n" });
    expect(stderr).toContain("--frobnicate");
  });

  test.each([
    ["SIGINT", 1],
    ["SIGTERM", 143],
  ] as const)("leaves no process behind after %s", async (signal, code) => {
    const { place, flags } = await scripted({ content: [bash(STUBBORN)] });
    const child = startProgram(place, { args: [...flags, ...UNASKED, "-p", "go"] });
    child.stdin.end();
    child.stdout.resume();
    await place.file("running");
    child.kill(signal);
    const exit = await new Promise((resolve) => child.once("close", (exitCode) => resolve(exitCode)));
    expect(exit).toBe(code);
    await expectNothingLeft(place);
  });
});

describe("-p without a key and without a network", { timeout: 30_000 }, () => {
  /** An address that nothing listens on, in case the agent tries to connect. */
  const NO_WAY_OUT = { HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
  const ask = (place: Place, ...args: readonly string[]) => print(place, args, "", NO_WAY_OUT);

  test("reports once that the offline model answers", async () => {
    const options = { args: ["-p", "hello"], env: NO_WAY_OUT };
    const { code, stdout, stderr } = await finishProcess(await newPlace(), options);
    expect(code).toBe(0);
    expect(stdout).toContain("offline");
    expect(stderr.match(/offline/g)).toHaveLength(1);
  });

  test("lists a folder", async () => {
    const place = await newPlace();
    await writeFile(join(place.cwd, "shopping.txt"), "milk\n");
    const { code, stdout } = await ask(place, "-p", "list .");
    expect(code).toBe(0);
    expect(stdout).toContain("shopping.txt");
  });

  test("reads a file", async () => {
    const place = await newPlace();
    await writeFile(join(place.cwd, "shopping.txt"), "milk\n");
    const { code, stdout } = await ask(place, "-p", "read shopping.txt");
    expect(code).toBe(0);
    expect(stdout).toContain("milk");
  });

  test("does not run a command that needs permission, and says so", async () => {
    const place = await newPlace();
    const { code, stdout } = await ask(place, "-p", "run `echo hi > made`");
    expect(code).toBe(0);
    expect(stdout).toContain("could not");
    await expect(readFile(join(place.cwd, "made"))).rejects.toThrow("ENOENT");
  });

  test.each([
    [["--allowedTools", "Bash"]],
    [["--dangerously-skip-permissions"]],
    [["--permission-mode=bypassPermissions", "--allow-dangerously-skip-permissions"]],
  ])("runs such a command with %j", async (flags) => {
    const place = await newPlace();
    const { code, stdout } = await ask(place, ...flags, "-p", "run `echo hi > made; echo said`");
    expect(code).toBe(0);
    expect(stdout).toContain("said");
    expect(await readFile(join(place.cwd, "made"), "utf8")).toBe("hi\n");
  });

  test("runs a command that changes nothing without permission", async () => {
    const { code, stdout } = await ask(await newPlace(), "-p", "run `echo hi`");
    expect({ code, said: stdout.includes("hi") }).toEqual({ code: 0, said: true });
  });

  test("edits a file if edits are accepted", async () => {
    const place = await newPlace();
    await writeFile(join(place.cwd, "shopping.txt"), "milk\n");
    const args = ["--permission-mode", "acceptEdits", "-p", "replace `milk` with `tea` in shopping.txt"];
    const { code } = await ask(place, ...args);
    expect(code).toBe(0);
    expect(await readFile(join(place.cwd, "shopping.txt"), "utf8")).toBe("tea\n");
  });
});
