import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROGRAM as TABLE } from "../../src/commands/program.ts";
import { Home, PROGRAM } from "./home.ts";

const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));
const PROMPT = '{"type":"user","message":{"role":"user","content":"hello"}}\n';
const STREAM = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.end());

describe("sessions", () => {
  test("can be renamed, forked, deleted and restored", async () => {
    await home.run(["run", "hello"]);
    const list = async (...more: string[]) =>
      JSON.parse((await home.run(["sessions", "--json", ...more])).stdout).sessions ?? [];
    const [{ id }] = await list();
    const short = id.slice(0, 8);
    expect(await home.run(["sessions", "rename", short, "the", "parser"])).toMatchObject({ code: 0 });
    expect((await home.run(["sessions", "show", short])).stdout).toMatch(/^title +the parser$/m);
    expect((await home.run(["sessions", "fork", short, "--title", "other"])).code).toBe(0);
    expect((await list()).map(({ title }: { title: string }) => title).sort()).toEqual([
      "other",
      "the parser",
    ]);
    await home.run(["sessions", "delete", short]);
    expect(await list()).toHaveLength(1);
    expect(await list("--deleted")).toHaveLength(2);
    expect(await home.run(["sessions", "restore", short])).toMatchObject({
      code: 0,
      stdout: `${short} is restored\n`,
    });
    expect((await home.run(["sessions", "export", short])).stdout).toMatch(/^› hello\nHello!/);
  }, 60_000);

  test("can be archived, pinned, and found by their text", async () => {
    await home.run(["run", "hello herons"]);
    const found = await home.run(["search", "HERON"]);
    expect(found.stdout).toMatch(/^\S{8} hello herons · prompt · now\n {2}hello herons\n/);
    const short = found.stdout.slice(0, 8);
    const page = (await home.run(["export", short])).stdout;
    expect(page).toMatch(/^<!doctype html>\n[\s\S]*<p>hello herons<\/p>[\s\S]*<\/html>\n$/);
    expect((await home.run(["sessions", "pin", short])).stdout).toBe(`${short} is pinned\n`);
    expect((await home.run(["sessions", "archive", short])).stdout).toBe(`${short} is archived\n`);
    expect((await home.run(["sessions", "--archived"])).stdout).toContain(short);
    expect((await home.run(["sessions", "archive", "--undo", short])).stdout).toContain("no longer archived");
    expect(await home.run(["search", "x", "--limit", "0"])).toMatchObject({ code: 2 });
  }, 120_000);
});

describe("rules", () => {
  test("can be saved, explained and removed", async () => {
    await home.run(["rules", "allow", "Bash(npm test:*)", "--scope", "user"]);
    await home.run(["rules", "deny", "Bash(npm test --watch)"]);
    const explain = async (input: string) =>
      (await home.run(["explain", "Bash", input])).stdout.split(":")[0];
    expect([
      await explain('{"command":"npm test"}'),
      await explain("npm test --watch"),
      await explain("rm x"),
    ]).toEqual(["allow", "deny", "ask"]);
    expect((await home.run(["rules", "remove", "Bash(npm test:*)"])).code).toBe(0);
    expect((await home.run(["rules"])).stdout).not.toContain("user");
    // Stored all the same, because other agents have tools that we don't know.
    const odd = await home.run(["rules", "deny", "bash"]);
    expect(odd).toMatchObject({ code: 0, stderr: "no built-in tool is named bash; did you mean Bash?\n" });
    expect(odd.stdout).toMatch(/^deny bash \(project/);
    const { rule, warnings } = JSON.parse((await home.run(["rules", "deny", "bash", "--json"])).stdout);
    expect({ rule, warnings }).toEqual({ rule: "bash", warnings: [odd.stderr.trim()] });
    const known = await home.run(["rules", "deny", "Bash(reboot)", "--json"]);
    expect(known.stderr).toBe("");
    expect(JSON.parse(known.stdout)).not.toHaveProperty("warnings");
    const bad = await home.run(["rules", "allow", "Bash(("]);
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("Bash(( is not a rule") });
  }, 60_000);
});

test("the version can be asked for like help", async () => {
  const { stdout } = await home.run(["--version"]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(agentwire\)\n$/);
  for (const form of ["version", "-v"]) expect(await home.run([form])).toMatchObject({ code: 0, stdout });
});

describe("record and replay", () => {
  test("a recorded agent behaves as without the recorder, and its recording can be replayed", async () => {
    const recorded = await home.runAlone(["record", "-o", "talk.jsonl", "--", AGENT, ...STREAM], PROMPT);
    expect(recorded.code).toBe(0);
    const file = join(home.project, "talk.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const said = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { dir: string; line: unknown })
      .filter(({ dir }) => dir === "out");
    expect(said.map(({ line }) => line)).toEqual(
      recorded.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    const played = await home.runAlone(["replay", "talk.jsonl", "--", ...STREAM], PROMPT);
    expect(played).toMatchObject({ code: 0, stdout: recorded.stdout });
    expect((await home.run(["replay", "--show", "talk.jsonl"])).stdout).toMatch(
      /host {2}→ user hello\n[\s\S]*agent ← result\/success Hello/,
    );
  }, 60_000);

  test("a version request leaves no transcript, and no transcript is overwritten", async () => {
    const asked = await home.runAlone(["record", "-o", "v.jsonl", "--", AGENT, "--version"]);
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout).toMatch(/^2\.1/);
    const again = await home.runAlone(["record", "-o", "talk.jsonl", "--", AGENT, ...STREAM], PROMPT);
    expect(again.stderr).toContain("talk-2.jsonl");
  }, 60_000);

  test("an agent that can't be run is distinguished from one that fails", async () => {
    expect(await home.runAlone(["record", "--", "no-such-agent"])).toMatchObject({ code: 72 });
    expect(await home.runAlone(["record", "--", "sh", "-c", "exit 7"])).toMatchObject({ code: 7 });
  }, 30_000);
});

describe("shell completion", () => {
  const complete = async (line: string, env: NodeJS.ProcessEnv = process.env) => {
    const words = line
      .split(" ")
      .map((word) => `'${word}'`)
      .join(" ");
    const { stdout: script } = await home.run(["completion", "bash"]);
    const ask = `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _agentwire; echo "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)("bash", ["-c", ask], { env })).stdout.trim().split(" ");
  };

  test.each([
    ["agentwire da", ["daemon"]],
    ["agentwire daemon ", expect.arrayContaining(["start", "stop", "status", "--json"])],
    ["agentwire run --mode p", ["plan"]],
    ["agentwire --json rules re", ["remove"]],
    ["agentwire rules allow Read --scope ", ["session", "project", "user"]],
    ["agentwire questions allow 5b21 --scope ", ["project", "user"]],
    ["agentwire tokens create phone --scope ", ["observe", "answer", "drive", "admin"]],
  ])(
    "completes %j",
    async (line, expected) => {
      expect(await complete(line)).toEqual(expected);
    },
    30_000,
  );

  test("completes sessions and agents from a running daemon, and starts none", async () => {
    // The script calls the program by its name.
    const bin = join(home.folder, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "agentwire"), `#!/bin/sh\nexec ${process.execPath} ${PROGRAM} "$@"\n`, {
      mode: 0o755,
    });
    await home.run(["run", "hello"]);
    const env = { ...home.env, PATH: `${bin}:${process.env.PATH}` };
    const { sessions } = JSON.parse((await home.run(["sessions", "--json"])).stdout) as {
      sessions: { id: string }[];
    };
    const ids = sessions.map(({ id }) => id.slice(0, 8));
    expect(ids).not.toEqual([]);
    expect(await complete("agentwire run --resume ", env)).toEqual(ids);
    expect(await complete("agentwire attach ", env)).toEqual(expect.arrayContaining(ids));
    expect(await complete("agentwire run --agent agentw", env)).toEqual(["agentwire"]);
    expect(await complete("agentwire run --agent ", { ...env, AGENTWIRE_HOME: bin })).not.toContain(
      "agentwire",
    );
  }, 60_000);

  test.each(["zsh", "fish"])(
    "includes every command in %s",
    async (shell) => {
      const { stdout } = await home.run(["completion", shell]);
      const names = (TABLE.subcommands ?? []).map(({ name }) => name);
      expect(names).toContain("attach");
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout))).toEqual([]);
      expect(stdout).toContain(shell === "fish" ? "-l folder" : "--folder");
    },
    30_000,
  );
});

test("errors are JSON if --json is given", async () => {
  const { code, stdout } = await home.run(["sessions", "show", "abcd1234", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({ message: "no session abcd1234", exitCode: 1 });
}, 30_000);
