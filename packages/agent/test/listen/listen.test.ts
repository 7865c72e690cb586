import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { answers, isResult, prompt, request } from "../wire.ts";
import { type SharedProcess, startShared } from "./shared-process.ts";

/** A session with an API, a key, variables and notes of its own, all of which carry its mark. */
async function openMarked(shared: SharedProcess, mark: string) {
  const place = await newPlace();
  await writeFile(join(place.cwd, "CLAUDE.md"), `note-${mark}`);
  await mkdir(place.configDir, { recursive: true });
  await writeFile(
    join(place.configDir, "settings.json"),
    JSON.stringify({ env: { FROM_SETTINGS: `setting-${mark}` } }),
  );
  const look = `env; pwd; echo file-${mark} >made-${mark}; cat /proc/$PPID/environ | tr '\\0' '\\n'`;
  const api = await newApi({ steps: [{ content: [bash(look)] }, { text: `said-${mark}` }] });
  const env = { ...api.env, ANTHROPIC_API_KEY: `key-${mark}`, OWN: `variable-${mark}` };
  const agent = shared.open(mark, place, {
    env,
    args: [...UNASKED, "--append-system-prompt", `flag-${mark}`],
  });
  return { place, api, agent };
}

/** All that a session has written below its place. */
async function filesOf(place: Place): Promise<string> {
  const folder = join(place.cwd, "..");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return `${files.join("\n")}\n${(await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n")}`;
}

describe("a process of many sessions", { timeout: 60_000 }, () => {
  test("runs two at once, and nothing of one is visible in the other", async () => {
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
      const belonging = ["note", "setting", "file", "said", "key", "variable", "flag", "asked"];
      expect(belonging.filter((word) => !seen.includes(`${word}-${own}`))).toEqual([]);
      expect(seen).not.toContain(other);
      agent.input.end();
      expect(await agent.ended()).toEqual({ code: 0, signal: null });
    }
    shared.child.stdin.end();
    expect(await once(shared.child, "exit")).toEqual([0, null]);
  });

  test("ends one with its commands when its connection is closed, or a signal is meant for it, and no other", async () => {
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
    // However the process ends, so do the commands of all its sessions.
    shared.child.kill("SIGKILL");
    if (other) await expectNothingLeft(other.place);
  });

  test("refuses what can't be a session of it, with a reason, and goes on", async () => {
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
    expect(await refusal(request("claim", "initialize"))).toMatchObject(error("has to be claim_session"));
    const sandboxed = ["--input-format", "stream-json", "--settings", '{"sandbox":{"enabled":true}}'];
    expect(await refusal(claim({ args: sandboxed }))).toMatchObject(error("needs_own_process: the sandbox"));
    const streaming = ["--input-format", "stream-json"];
    const env = { CLAUDE_CODE_USE_BEDROCK: "1" };
    expect(await refusal(claim({ args: streaming, env }))).toMatchObject(
      error("needs_own_process: the clients"),
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
});
