import { once } from "node:events";
import { statSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startProgram } from "../agent-process.ts";
import { program } from "../mcp/session.ts";
import { bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { answers, isResult, prompt, request } from "../wire.ts";
import { type SharedProcess, startShared } from "./shared-process.ts";

/** A session with its own API, key, variables, notes, hook, MCP server and errors, all marked with its name. */
async function openMarked(shared: SharedProcess, mark: string) {
  const place = await newPlace();
  await writeFile(join(place.cwd, "CLAUDE.md"), `note-${mark}`);
  await mkdir(place.configDir, { recursive: true });
  await writeFile(
    join(place.configDir, "settings.json"),
    JSON.stringify({
      env: { FROM_SETTINGS: `setting-${mark}` },
      hooks: {
        PreToolUse: [{ hooks: [{ type: "command", command: `(echo hook-${mark}; env) >>seen-by-hook` }] }],
      },
    }),
  );
  const mcpServers = { own: program("good", { GREETING: `server-${mark}` }) };
  const look = `env; pwd; echo file-${mark} >made-${mark}; cat /proc/$PPID/environ | tr '\\0' '\\n'`;
  const calls = [
    bash(look),
    { type: "tool_use" as const, name: "mcp__own__echo", input: { text: `told-${mark}` } },
    { type: "tool_use" as const, name: "Read", input: { file_path: `missing-${mark}` } },
  ];
  const api = await newApi({
    steps: [
      { content: calls },
      { content: [bash(`export KEPT=shell-${mark}; env; set`)] },
      { content: [bash("env; set")] },
      { text: `said-${mark}` },
    ],
  });
  const env = { ...api.env, ANTHROPIC_API_KEY: `key-${mark}`, OWN: `variable-${mark}` };
  const agent = shared.open(mark, place, {
    env,
    args: [
      ...UNASKED,
      "--append-system-prompt",
      `flag-${mark}`,
      "--mcp-config",
      JSON.stringify({ mcpServers }),
      `--complaint-${mark}`,
    ],
  });
  return { place, api, agent };
}

/** Everything that a session has written below its place. */
async function filesOf(place: Place): Promise<string> {
  const folder = join(place.cwd, "..");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return `${files.join("\n")}\n${(await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n")}`;
}

describe("a process with many sessions", { timeout: 60_000 }, () => {
  test("runs two at once, fully isolated from each other", async () => {
    const shared = await startShared(await newPlace());
    expect(statSync(shared.path).mode & 0o777).toBe(0o600);
    const marks = ["aaaa1111", "bbbb2222"] as const;
    const sessions = await Promise.all(marks.map((mark) => openMarked(shared, mark)));
    for (const [index, { agent }] of sessions.entries()) agent.send(prompt(`asked-${marks[index]}`));
    await Promise.all(sessions.map(({ agent }) => agent.line(isResult)));
    for (const [index, { agent, api, place }] of sessions.entries()) {
      const [own, other] = [marks[index], marks[1 - index]];
      const seen = JSON.stringify([
        agent.lines,
        agent.garbage,
        agent.complaints(),
        api.requests.map(({ headers, body }) => [headers, body]),
        await filesOf(place),
      ]);
      const belonging = [
        ...["note", "setting", "file", "said", "key", "variable", "flag", "asked"],
        ...["hook", "server", "told", "missing", "shell", "complaint"],
      ];
      expect(belonging.filter((word) => !seen.includes(`${word}-${own}`))).toEqual([]);
      expect(seen).not.toContain(other);
      agent.input.end();
      expect(await agent.ended()).toEqual({ code: 0, signal: null });
    }
    shared.child.stdin.end();
    expect(await once(shared.child, "exit")).toEqual([0, null]);
  });

  test("ends one with its commands when its connection closes or it gets a signal, and no other", async () => {
    const shared = await startShared(await newPlace());
    const stubborn = async (name: string) => {
      const place = await newPlace();
      const api = await newApi({ steps: [{ content: [bash(STUBBORN)] }] });
      const agent = shared.open(name, place, { env: api.env, args: UNASKED });
      agent.send(prompt("go"));
      await place.file("running");
      return { place, agent };
    };
    const [closed, signalled, other] = await Promise.all(["closed", "signalled", "other"].map(stubborn));
    closed?.agent.input.destroy();
    shared.signal("signalled", "SIGTERM");
    expect(await signalled?.agent.ended()).toEqual({ code: 143, signal: null });
    for (const one of [closed, signalled]) if (one) await expectNothingLeft(one.place);
    expect(other?.place.processes()).not.toEqual([]);
    other?.agent.send(request("still", "get_binary_version"));
    await other?.agent.line(answers("still"));
    // However the process ends, the commands of all its sessions end with it.
    shared.child.kill("SIGKILL");
    if (other) await expectNothingLeft(other.place);
  });

  test("ends a session that exceeds its memory limit, with a reason, and continues with the others", async () => {
    const shared = await startShared(await newPlace());
    const open = async (name: string) => {
      const place = await newPlace();
      const api = await newApi({ steps: [{ content: [bash(STUBBORN)] }, { text: "later" }] });
      const agent = shared.open(name, place, {
        env: { ...api.env, AGENTWIRE_SESSION_MEMORY_MB: "4" },
        args: UNASKED,
      });
      agent.send(prompt("go"));
      await place.file("running");
      return { place, agent };
    };
    const [large, small] = [await open("large"), await open("small")];
    large.agent.send(...Array.from({ length: 5 }, () => prompt("x".repeat(1024 * 1024))));
    const result = await large.agent.line(isResult);
    expect(result).toMatchObject({ is_error: true, subtype: "error_during_execution" });
    expect(JSON.stringify(result.errors)).toMatch(
      /used about [5-9] MB of memory; in a shared process, 4 MB are allowed.*AGENTWIRE_SESSION_MEMORY_MB/,
    );
    expect(await large.agent.ended()).toEqual({ code: 1, signal: null });
    expect(large.agent.lines.filter(isResult)).toHaveLength(1);
    expect(large.agent.complaints()).toContain("4 MB are allowed");
    await expectNothingLeft(large.place);
    small.agent.send(request("still", "get_binary_version"));
    await small.agent.line(answers("still"));
    const load = await shared.told("load");
    expect(load.largest_session_bytes).toBeGreaterThan(0);
    expect(load.largest_session_bytes).toBeLessThan(1024 * 1024);
  });

  test("ends a session that is too large before its first turn", async () => {
    const shared = await startShared(await newPlace());
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "a".repeat(600_000) }] });
    const first = shared.open("first", place, { env: api.env });
    first.send(prompt("go"));
    const { session_id } = await first.line(isResult);
    first.input.end();
    await first.ended();
    const env = { ...api.env, AGENTWIRE_SESSION_MEMORY_MB: "1" };
    const again = shared.open("again", place, { env, args: ["--resume", String(session_id)] });
    expect(await again.ended()).toEqual({ code: 1, signal: null });
    expect(again.complaints()).toContain("in a shared process, 1 MB are allowed");
    expect(again.lines.filter(isResult)).toEqual([]);
  });

  test("holds back a reply while the host does not read", async () => {
    const shared = await startShared(await newPlace());
    const pieces = Array.from({ length: 40 }, () => "b".repeat(50_000));
    const api = await newApi({ steps: [{ content: pieces.map((text) => ({ type: "text", text })) }] });
    const agent = shared.open("deaf", await newPlace(), {
      env: api.env,
      args: ["--include-partial-messages"],
    });
    await agent.line(answers("claim"));
    const socket = agent.input as Socket;
    socket.pause();
    agent.send(prompt("go"));
    const { end } = await api.request(0);
    await shared.told("load");
    const { largest_session_bytes } = await shared.told("load");
    expect(largest_session_bytes).toBeLessThan(1_000_000);
    socket.resume();
    expect(await agent.line(isResult)).toMatchObject({ is_error: false });
    expect(await end).toBe("complete");
  });

  test("is not blocked by connections that send nothing, too much, or nonsense", async () => {
    const shared = await startShared(await newPlace());
    const silent = Array.from({ length: 300 }, () => shared.say());
    const nonsense = shared.say();
    nonsense.input.write(Buffer.from([0, 255, 254, 10]));
    const endless = shared.say();
    endless.input.write("x".repeat(5 * 1024 * 1024));
    await Promise.all([nonsense.ended(), endless.ended()]);
    const api = await newApi({ steps: [{ text: "hello" }] });
    const agent = shared.open("well", await newPlace(), { env: api.env });
    agent.send(prompt("hi"));
    expect(await agent.line(isResult)).toMatchObject({ result: "hello" });
    // Connections that have not sent a claim in time are closed.
    await Promise.all(silent.map((one) => one.ended()));
  });

  test("refuses sessions that it can't run, with a reason, and continues", async () => {
    const shared = await startShared(await newPlace());
    const place = await newPlace();
    const claim = (params: object) => request("claim", "claim_session", { cwd: place.cwd, ...params });
    const refusal = async (line: ReturnType<typeof claim>) => {
      const agent = shared.say(line);
      const { response } = await agent.line(answers("claim"));
      await agent.ended();
      return response;
    };
    const error = (text: string) => ({ subtype: "error", error: expect.stringContaining(text) });
    expect(await refusal(claim({ cwd: "/nowhere" }))).toMatchObject(error("cwd_not_found: "));
    expect(await refusal(claim({ args: ["--stdio"] }))).toMatchObject(error("needs_own_process: "));
    expect(await refusal(request("claim", "initialize"))).toMatchObject(error("must be claim_session"));
    const sandboxed = ["--input-format", "stream-json", "--settings", '{"sandbox":{"enabled":true}}'];
    expect(await refusal(claim({ args: sandboxed }))).toMatchObject(error("needs_own_process: the sandbox"));
    const streaming = ["--input-format", "stream-json"];
    const env = { CLAUDE_CODE_USE_BEDROCK: "1" };
    expect(await refusal(claim({ args: streaming, env }))).toMatchObject(
      error("needs_own_process: cloud clients"),
    );
    expect(await refusal(claim({ args: ["--effort", "huge", "--model"] }))).toMatchObject(
      error("--model needs"),
    );
    const nonsense = shared.say({ type: "user" });
    await nonsense.ended();
    const first = shared.open("twin", place);
    await first.line(answers("claim"));
    expect(await refusal(claim({ name: "twin", args: streaming }))).toMatchObject(error("name_in_use: "));
    expect(await shared.told("load")).toMatchObject({ sessions: 1, rss_bytes: expect.any(Number) });
  });

  test("reports why it can't listen", async () => {
    const place = await newPlace();
    const taken = join(place.cwd, "taken");
    await writeFile(taken, "");
    const long = join(place.cwd, "x".repeat(100));
    const open = join(place.cwd, "open");
    await mkdir(open);
    await chmod(open, 0o777);
    const said = [join(place.cwd, "missing", "agents.sock"), taken, long, join(open, "agents.sock")].map(
      async (path) => {
        const child = startProgram(place, { args: ["--listen", path] });
        const chunks = await Promise.all([child.stderr.toArray(), once(child, "exit")]);
        return [Buffer.concat(chunks[0]).toString(), chunks[1][0]];
      },
    );
    expect(await Promise.all(said)).toEqual([
      [expect.stringContaining(`the folder ${join(place.cwd, "missing")} does not exist; create it`), 1],
      [expect.stringContaining("the file already exists"), 1],
      [expect.stringMatching(/the path is \d+ bytes long; the limit is 103/), 1],
      [expect.stringContaining(`everyone can write to ${open}`), 1],
    ]);
  });
});
