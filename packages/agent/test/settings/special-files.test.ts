import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { readRegularFile, readRegularFileSync } from "@agentwire/local/files";
import { describe, expect, onTestFinished, test } from "vitest";
import { markdownFiles } from "../../src/context/markdown-files.ts";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

/** Every file that an agent reads before its first answer. */
const READ_AT_START = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".mcp.json",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "CLAUDE.local.md",
  ".claude/commands/c.md",
  ".claude/agents/a.md",
  ".claude/skills/s/SKILL.md",
  ".claude/output-styles/o.md",
  ".git/HEAD",
];

const fifo = (path: string) => void execFileSync("mkfifo", [path]);
const device = (path: string) => symlinkSync("/dev/zero", path);
const ring = (path: string) => symlinkSync(path, path);
/** A regular file that claims to be empty, but never ends. */
const endless = (path: string) => symlinkSync("/proc/self/pagemap", path);
const socket = (path: string) =>
  new Promise<void>((resolve) => {
    const server = createServer().listen(path, resolve);
    onTestFinished(() => void server.close());
  });

describe("in place of the files that are read at the start,", { timeout: 60_000 }, () => {
  test.each([
    ["pipes", fifo],
    ["devices", device],
    ["cyclic links", ring],
    ["endless files", endless],
    ["sockets", socket],
  ])("%s don't prevent an agent from answering", async (_what, make) => {
    const place = await newPlace();
    for (const name of READ_AT_START) {
      mkdirSync(dirname(join(place.cwd, name)), { recursive: true });
      await make(join(place.cwd, name));
    }
    const api = await newApi({ steps: [{ text: "here" }] });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("hello"));
    expect(await agent.line(isResult)).toMatchObject({ result: "here" });
    agent.input.end();
    await agent.ended();
  });

  test("links to parent folders do not lead to endless paths", async () => {
    const { cwd } = await newPlace();
    writeFileSync(join(cwd, "one.md"), "One.");
    for (const name of ["a", "b", "c"]) symlinkSync(cwd, join(cwd, name));
    expect((await markdownFiles(cwd)).map(({ name }) => name)).toEqual(["one"]);
  });

  test("a path that is not a file, or too large, is rejected by name", async () => {
    const { cwd } = await newPlace();
    const path = join(cwd, "file");
    writeFileSync(path, "a".repeat(100));
    expect(await readRegularFile(path, 100)).toBe(readRegularFileSync(path, 100));
    await expect(readRegularFile(path, 99)).rejects.toThrow(`${path} is larger than 99 bytes`);
    expect(() => readRegularFileSync(path, 99)).toThrow("larger");
    await expect(readRegularFile("/proc/self/pagemap", 9999)).rejects.toThrow("larger");
    expect(() => readRegularFileSync(cwd)).toThrow("is not a regular file");
  });
});
