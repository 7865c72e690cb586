import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { finishProcess, finishProgram } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";

const SERVER = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));

type Env = Readonly<Record<string, string>>;

/** Runs the program to its end. */
const run = (place: Place, args: readonly string[], env: Env = {}) => finishProgram(place, { args, env });

/** The same as a process. */
const start = (place: Place, args: readonly string[], env: Env = {}) => finishProcess(place, { args, env });

const json = async (path: string) => JSON.parse(await readFile(path, "utf8"));
const userFile = ({ env }: Place) => join(env.HOME ?? "", ".claude.json");

describe("a command", { timeout: 60_000 }, () => {
  test("never becomes a prompt, and creates no session", async () => {
    const api = await newApi({ steps: [], whenExhausted: { text: "I was asked." } });
    const place = await newPlace();
    const refused = "config update upgrade install setup-token attach logs stop rm purge ultrareview gateway";
    const answers = async (lines: readonly string[]) =>
      Promise.all(lines.map(async (line) => ({ line, ...(await run(place, line.split(" "), api.env)) })));
    for (const { line, code, stdout, stderr } of await answers(refused.split(" "))) {
      expect([line, code, stdout]).toEqual([line, 1, ""]);
      expect(stderr).toContain(`the command "${line}" is not supported`);
    }
    const wrong = [
      "config list",
      "auth login",
      "mcp serve",
      "plugin install x",
      "mcp bogus",
      "auth",
      "agents",
    ];
    for (const { line, code } of await answers(wrong)) expect([line, code]).toEqual([line, 1]);
    const right = ["auth status", "mcp list", "doctor", "agents --json", "plugin list", "mcp --help", "help"];
    for (const { line, code } of await answers(right)) expect([line, code]).toEqual([line, 0]);
    expect(api.requests).toEqual([]);
    expect(await readdir(place.configDir).catch(() => [])).toEqual([]);
  });

  test("is a prompt after -p, as is text that only starts like one", async () => {
    const api = await newApi({ steps: [], whenExhausted: { text: "I was asked." } });
    const place = await newPlace();
    for (const args of [["-p", "doctor"], ["doctor, who?"]])
      expect(await start(place, args, api.env)).toMatchObject({ code: 0, stdout: "I was asked.\n" });
    expect(api.requests).toHaveLength(2);
  });

  test("auth status shows how requests are authenticated", async () => {
    const place = await newPlace();
    const none = await start(place, ["auth", "status", "--json"]);
    expect(none.code).toBe(1);
    expect(JSON.parse(none.stdout)).toMatchObject({ loggedIn: false, authMethod: "none" });
    const key = await start(place, ["auth", "status"], { ANTHROPIC_API_KEY: "sk-secret" });
    expect(key).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(key.stdout)).toMatchObject({
      loggedIn: true,
      authMethod: "api_key",
      apiKeySource: "ANTHROPIC_API_KEY",
      configDirectory: place.configDir,
    });
    expect(key.stdout).not.toContain("sk-secret");
    const token = await start(place, ["auth", "status", "--text"], { ANTHROPIC_AUTH_TOKEN: "t" });
    expect(token).toMatchObject({ code: 0, stdout: "Auth token: ANTHROPIC_AUTH_TOKEN\n" });
  });

  test("doctor lists the problems in the files that a session would read", async () => {
    const place = await newPlace();
    await mkdir(join(place.cwd, ".claude"));
    await writeFile(join(place.cwd, ".claude", "settings.json"), "{bad");
    await writeFile(join(place.cwd, ".mcp.json"), '{"mcpServers":{"odd":{"type":"http"}}}');
    const { code, stdout } = await run(place, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/settings\.json: .*JSON/);
    expect(stdout).toContain("MCP odd: url must be a URL");
  });

  test("plugin validate reports the problems of a plugin", async () => {
    const place = await newPlace();
    await mkdir(join(place.cwd, "good", ".claude-plugin"), { recursive: true });
    await writeFile(
      join(place.cwd, "good", ".claude-plugin", "plugin.json"),
      '{"name":"good","version":"1.0.0"}',
    );
    await mkdir(join(place.cwd, "bad"));
    expect(await run(place, ["plugin", "validate", "good"])).toMatchObject({ code: 0 });
    expect((await run(place, ["plugin", "validate", "bad"])).stderr).toContain("plugin.json");
    expect(await run(place, ["plugin", "validate", "nowhere"])).toMatchObject({ code: 1 });
  });
});

describe("mcp", { timeout: 60_000 }, () => {
  test("stores servers where the official CLI does, and changes nothing else in the files", async () => {
    const place = await newPlace();
    await writeFile(userFile(place), JSON.stringify({ machineID: "m", projects: { "/other": { a: 1 } } }));
    const add = (...args: readonly string[]) => run(place, ["mcp", ...args]);
    expect((await add("add", "one", "-e", "KEY=v", "--", "node", "x.js", "--flag")).stdout).toContain(
      `File modified: ${userFile(place)} [project: ${place.cwd}]`,
    );
    expect(
      await add("add", "-s", "user", "-t", "http", "two", "https://x.test/mcp", "-H", "X-A: b"),
    ).toMatchObject({
      code: 0,
    });
    expect(
      await add("add-json", "three", '{"type":"stdio","command":"true"}', "-s", "project"),
    ).toMatchObject({
      code: 0,
    });
    expect(await json(userFile(place))).toEqual({
      machineID: "m",
      mcpServers: { two: { type: "http", url: "https://x.test/mcp", headers: { "X-A": "b" } } },
      projects: {
        "/other": { a: 1 },
        [place.cwd]: {
          mcpServers: {
            one: { type: "stdio", command: "node", args: ["x.js", "--flag"], env: { KEY: "v" } },
          },
        },
      },
    });
    expect(await json(join(place.cwd, ".mcp.json"))).toEqual({
      mcpServers: { three: { type: "stdio", command: "true" } },
    });
    expect((await add("add", "one", "--", "again")).stderr).toContain("already exists in local config");
    for (const line of ["remove one", "remove two -s user", "remove three"])
      expect(await add(...line.split(" "))).toMatchObject({ code: 0 });
    expect((await json(userFile(place))).projects[place.cwd]).toEqual({ mcpServers: {} });
    expect((await add("remove", "one")).stderr).toContain('No MCP server named "one"');
  });

  test.each([
    [["add", "bad name", "x"], "letters, numbers"],
    [["add", "lonely"], "needs a name and a command"],
    [["add", "a", "-s", "moon", "x"], "--scope moon"],
    [["add", "a", "-t", "pigeon", "x"], '"pigeon"'],
    [["add", "a", "-e", "novalue", "x"], "--env novalue"],
    [["add", "a", "--unheard", "x"], "--unheard"],
    [["add-json", "a", "{no"], "not JSON"],
    [["add-json", "a", '{"type":"http"}'], "url must be a URL"],
    [["get", "nobody"], 'No MCP server named "nobody"'],
  ])("refuses %j and writes nothing", async (args, complaint) => {
    const place = await newPlace({ isTrusted: false });
    const { code, stderr } = await run(place, ["mcp", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(complaint);
    await expect(stat(userFile(place))).rejects.toThrow("ENOENT");
  });

  test("asks for the scope if several of them have a server", async () => {
    const place = await newPlace();
    for (const scope of ["user", "local"])
      await run(place, ["mcp", "add", "-s", scope, "twin", "--", "true"]);
    const { code, stderr } = await run(place, ["mcp", "remove", "twin"]);
    expect(code).toBe(1);
    expect(stderr).toContain("mcp remove twin -s local");
    expect(await run(place, ["mcp", "remove", "twin", "-s", "user"])).toMatchObject({ code: 0 });
  });

  test("list connects to servers, but not to unapproved servers of the project", async () => {
    const place = await newPlace();
    await start(place, ["mcp", "add", "good", "-e", "SECRET=hunter2", "--", process.execPath, SERVER]);
    await start(place, ["mcp", "add", "dead", "--", "false"]);
    await start(place, ["mcp", "add", "-s", "project", "wild", "--", "touch", "ran"]);
    const { code, stdout } = await start(place, ["mcp", "list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^good: .* - ✔ Connected$/m);
    expect(stdout).toMatch(/^dead: false - ✘ Failed to connect/m);
    expect(stdout).toMatch(/^wild: touch ran - ⏸ Pending approval/m);
    expect(await readdir(place.cwd)).not.toContain("ran");
    const shown = (await start(place, ["mcp", "get", "good"])).stdout;
    expect(shown).toContain("Status: ✔ Connected");
    expect(shown).toContain("Environment: SECRET");
    expect(shown).not.toContain("hunter2");
    expect((await stat(userFile(place))).mode & 0o077).toBe(0);
    await expectNothingLeft(place);
  });
});
