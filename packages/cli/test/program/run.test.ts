import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { EventSchema } from "@agentwire/api";
import { fromJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holesIn } from "../../../daemon/test/holes.ts";
import { Home } from "./home.ts";

const AGENT = new URL("../../../agent/bin/agentwire-agent", import.meta.url).pathname;

/** A Messages API that rejects every key. */
const api = createServer((_, response) => {
  const error = { type: "authentication_error", message: "invalid x-api-key" };
  response
    .writeHead(401, { "content-type": "application/json" })
    .end(JSON.stringify({ type: "error", error }));
});

let home: Home;
beforeAll(async () => {
  home = new Home();
  mkdirSync(home.state, { mode: 0o700 });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  const { port } = api.address() as AddressInfo;
  const refused = {
    path: AGENT,
    env: {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "of-nobody",
      CLAUDE_CODE_MAX_RETRIES: "0",
    },
  };
  const agents = { gone: { path: "/no/such/agent" }, refused };
  writeFileSync(join(home.state, "settings.json"), JSON.stringify({ agents }));
});
afterAll(async () => {
  await home.end();
  api.close();
});

describe("run", () => {
  test("starts a daemon once, prints the agent's text to stdout and everything else to stderr", async () => {
    writeFileSync(join(home.project, "notes.txt"), "something to read");
    const first = await home.run(["run", "read notes.txt"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^I will read notes\.txt\.\nI did what you asked .*something to read/);
    expect(first.stderr).toMatch(
      /^No key for Claude is set[\s\S]*\(started a daemon[\s\S]*● Read notes\.txt · \d/,
    );
    const second = await home.run(["run", "--continue"], "hello");
    expect(second.stdout).toMatch(/^Hello!/);
    expect(second.stderr).not.toContain("started");
    const listed = async () => JSON.parse((await home.run(["sessions", "--json"])).stdout).sessions;
    const session = { title: "read notes.txt", cwd: home.project, status: "SESSION_STATUS_IDLE" };
    // The command ends with the turn, and the session is at rest a moment later.
    await expect.poll(listed, { timeout: 30_000 }).toMatchObject([session]);
  }, 60_000);

  test("appends piped input to the prompt, and prints only the answer with -p", async () => {
    writeFileSync(join(home.project, "notes.txt"), "something to read");
    const piped = await home.run(["run", "-p", "read"], "notes.txt");
    expect(piped).toMatchObject({ code: 0, stderr: "" });
    expect(piped.stdout).toMatch(/^I did what you asked .*something to read/s);
    const { sessions } = JSON.parse((await home.run(["sessions", "--json"])).stdout);
    const latest = sessions[0] as { readonly id: string; readonly title: string };
    expect(latest.title).toBe("read\nnotes.txt");
    expect((await home.run(["-r", latest.id, "-p", "hello"])).stdout).toMatch(/^Hello!/);
    expect((await home.run(["-c", "hello"])).stdout).toMatch(/^Hello!/);
  }, 60_000);

  test("asks at the terminal if stdin is a pipe", async () => {
    const sitting = home.sitWithShell('echo "run touch piped" | "$@"', ["run"]);
    await sitting.see("Allow?");
    await sitting.press("y", "allowed by");
    expect(await sitting.end()).toBe(0);
    expect(existsSync(join(home.project, "piped"))).toBe(true);
  }, 60_000);

  test("prints every event as a line of JSON", async () => {
    const { stdout } = await home.run(["run", "--json", "hello"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => fromJsonString(EventSchema, line));
    expect(holesIn(events)).toEqual([]);
    const bodies = events.map(({ body }) => body);
    expect(bodies.find((body) => body.case === "text")).toMatchObject({
      value: { text: expect.stringMatching(/^Hello!/) },
    });
    expect(bodies.find((body) => body.case === "turnComplete")).toMatchObject({
      value: { subtype: "success" },
    });
  }, 30_000);

  test("denies calls it can't ask about, and prints how to allow them", async () => {
    const denied = await home.run(["run", "run touch made"]);
    expect(denied.stderr).toContain("agentwire rules allow 'Bash(touch made)'");
    expect(existsSync(join(home.project, "made"))).toBe(false);
    expect(await home.run(["rules", "allow", "Bash(touch made)"])).toMatchObject({ code: 0 });
    const allowed = await home.run(["run", "run touch made"]);
    expect(allowed.stderr).toContain("allowed by the rule Bash(touch made)");
    expect(existsSync(join(home.project, "made"))).toBe(true);
  }, 60_000);

  test("says once what to do about a rejected key, with -p as well", async () => {
    for (const args of [["run"], ["-p"]]) {
      const { code, stdout, stderr } = await home.run([...args, "--agent", "refused", "hello"]);
      expect([code, stdout]).toEqual([1, "API Error: 401 invalid x-api-key\n"]);
      expect(stderr.split("Run claude in a terminal and type /login")).toHaveLength(2);
    }
  }, 60_000);

  test("is interrupted by a signal, and exits with its code", async () => {
    await home.run(["rules", "allow", "Bash(tail:*)"]);
    const child = home.start(["run", "run tail -f /dev/null"]);
    child.stdin?.end();
    const ended = once(child, "close");
    await new Promise<void>((resolve) => {
      child.stderr?.on("data", (text) => String(text).includes("● Bash") && resolve());
    });
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
  }, 30_000);

  test.each<[string, readonly string[], number, string]>([
    ["a missing agent", ["run", "--agent", "gone", "hi"], 72, "no/such/agent"],
    ["an unknown agent", ["run", "--agent", "nobody", "hi"], 2, "choose one of"],
    ["no prompt", ["run"], 2, "no prompt given"],
    ["an unknown session", ["run", "--session", "abcdef", "hi"], 1, "no session abcdef"],
    [
      "a folder without a session to continue",
      ["run", "--continue", "--cwd", "/", "hi"],
      1,
      "no session in / to continue",
    ],
  ])(
    "exits with the right code for %s",
    async (_, args, code, message) => {
      const outcome = await home.run(args);
      expect(outcome.stderr).toContain(message);
      expect(outcome.code).toBe(code);
    },
    60_000,
  );
});

describe("run at a terminal", () => {
  test.each<[string, string, string, boolean]>([
    ["allows once with y", "y", "allowed by", true],
    ["denies with n", "n", "denied by", false],
  ])(
    "%s",
    async (_, key, told, isMade) => {
      const file = `by-${key}`;
      const sitting = home.sit(["run", `run touch ${file}`]);
      await sitting.see("Allow?");
      await sitting.press(key, told);
      expect(await sitting.end()).toBe(0);
      expect(existsSync(join(home.project, file))).toBe(isMade);
    },
    60_000,
  );

  test("takes a sentence that starts with a key as the reason of a denial, sent with Enter", async () => {
    const sitting = home.sit(["run", "run touch by-sentence"]);
    await sitting.see("Allow?");
    await sitting.press("yes, but why", "No, because: yes, but why");
    sitting.type("\r");
    await sitting.see("denied by");
    expect(await sitting.end()).toBe(0);
    expect(existsSync(join(home.project, "by-sentence"))).toBe(false);
  }, 60_000);

  test("shows a rule for a, lets it be edited, and saves it", async () => {
    const sitting = home.sit(["run", "run touch always-1"]);
    await sitting.see("Allow?");
    await sitting.press("a", "Bash(touch always-1)");
    sitting.type("\x7f\x7f*)\r");
    await sitting.see("and from now on Bash(touch always-*)");
    expect(await sitting.end()).toBe(0);
    const { stdout } = await home.run(["explain", "Bash", "touch always-2"]);
    expect(stdout).toMatch(/^allow: .*\n {2}decided by: allow Bash\(touch always-\*\) \(project /);
  }, 60_000);

  test("answers a question to the user by number", async () => {
    const sitting = home.sit(["run", "ask me: tea or coffee?"]);
    await sitting.see("Number or your own words");
    sitting.type("2\r");
    await sitting.see('"tea or coffee?": "coffee"');
    expect(await sitting.end()).toBe(0);
  }, 60_000);

  test("ends the turn with Ctrl-C at a question", async () => {
    const sitting = home.sit(["run", "run touch never"]);
    await sitting.see("Allow?");
    sitting.type("\x03");
    expect(await sitting.end()).toBe(130);
    expect(sitting.all).toContain("interrupting the turn");
  }, 60_000);
});

test("sessions marks a session whose last turn failed", async () => {
  expect((await home.run(["run", "--model", "openai/any", "a turn without a key"])).code).toBe(1);
  const listed = async () => (await home.run(["sessions", "--search", "without a key"])).stdout;
  await expect.poll(listed, { timeout: 30_000 }).toMatch(/^\w+ +turn failed +.* a turn without a key /m);
}, 60_000);

test("run --output-format prints a result or the messages in the wire format, with an id to resume by", async () => {
  const one = await home.run(["--output-format", "json", "-p", "what can you do?"]);
  const result = JSON.parse(one.stdout) as Record<string, unknown>;
  expect(result).toMatchObject({ type: "result", subtype: "success", is_error: false });
  const more = [
    "run",
    "--resume",
    String(result.session_id),
    "--output-format",
    "stream-json",
    "run touch no",
  ];
  const stream = await home.run(more);
  const messages = stream.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(messages.map(({ type }) => type)).toEqual([
    "system",
    "assistant",
    "assistant",
    "user",
    "assistant",
    "result",
  ]);
  expect(new Set(messages.map(({ session_id }) => session_id))).toEqual(new Set([result.session_id]));
  expect(stream.stderr).toContain("denied, because no terminal is available");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: output without a terminal must contain no control sequences.
  expect(one.stdout + stream.stdout + stream.stderr).not.toMatch(/\u001b/);
}, 60_000);
