import { randomUUID } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectFolder } from "@agentwire/local/transcript";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test, vi } from "vitest";
import { newFolder } from "./folder.ts";
import { text, Writer } from "./writer.ts";

async function linesOf(path: string | undefined): Promise<JsonObject[]> {
  const content = await readFile(path ?? "", "utf8");
  return content
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("a transcript", () => {
  test("has the official layout: each message names the previous one", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder, { gitBranch: "main", entrypoint: "sdk-ts" });
    const prompt = writer.user("hi", { permissionMode: "default" });
    const answer = writer.reply("m1", text("hello"));
    await writer.transcript.flush();
    const { sessionId, path } = writer.transcript;
    expect(path).toBe(join(projectFolder(folder, folder), `${sessionId}.jsonl`));
    const envelope = {
      isSidechain: false,
      userType: "external",
      cwd: folder,
      sessionId,
      version: "2.1.325",
      gitBranch: "main",
      entrypoint: "sdk-ts",
    };
    expect(await linesOf(path)).toEqual([
      {
        ...envelope,
        parentUuid: null,
        type: "user",
        uuid: prompt,
        timestamp: expect.any(String),
        message: { role: "user", content: "hi" },
        permissionMode: "default",
      },
      expect.objectContaining({ ...envelope, parentUuid: prompt, type: "assistant", uuid: answer }),
    ]);
  });

  test("continues after the last line of a resumed session", async () => {
    const writer = new Writer(await newFolder(), { lastUuid: "before" });
    writer.user("hi");
    await writer.transcript.flush();
    expect((await linesOf(writer.transcript.path))[0]).toMatchObject({ parentUuid: "before" });
  });

  test("chains a note that has a uuid and leaves a title outside the chain", async () => {
    const writer = new Writer(await newFolder());
    const prompt = writer.user("hi");
    writer.transcript.note({ type: "custom-title", customTitle: "Mine" });
    writer.transcript.note({ type: "system", subtype: "informational", uuid: "n" });
    const next = writer.user("more");
    await writer.transcript.flush();
    const [, title, note, last] = await linesOf(writer.transcript.path);
    expect(title).toEqual({
      type: "custom-title",
      customTitle: "Mine",
      sessionId: writer.transcript.sessionId,
    });
    expect(note).toMatchObject({ uuid: "n", parentUuid: prompt, sessionId: writer.transcript.sessionId });
    expect(last).toMatchObject({ uuid: next, parentUuid: "n" });
  });

  test("is readable only by its owner", async () => {
    const writer = new Writer(await newFolder());
    writer.user("secret");
    await writer.transcript.flush();
    const path = writer.transcript.path ?? "";
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  test("does not exist before its first line, and never without persistence", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder, { persist: false });
    writer.user("hi");
    writer.transcript.note({ type: "custom-title" });
    await writer.transcript.flush();
    await new Writer(folder).transcript.flush();
    expect(writer.transcript.path).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  test("reports once if the file can't be written", async () => {
    const writer = new Writer("/dev/null");
    writer.user("a");
    await writer.transcript.flush();
    writer.user("b");
    await writer.transcript.flush();
    expect(writer.lost).toEqual(["ENOTDIR"]);
  });

  test("of a subagent is in a folder of its session, with its tool call in a file next to it", async () => {
    const folder = await newFolder();
    const sessionId = randomUUID();
    const subagent = { agentId: "a1", agentType: "Explore", toolUseId: "toolu_1" };
    const writer = new Writer(folder, { sessionId, subagent });
    writer.user("look around");
    await writer.transcript.flush();
    const below = join(projectFolder(folder, folder), sessionId, "subagents");
    expect(await linesOf(join(below, "agent-a1.jsonl"))).toMatchObject([
      { isSidechain: true, agentId: "a1", sessionId },
    ]);
    expect(JSON.parse(await readFile(join(below, "agent-a1.meta.json"), "utf8"))).toEqual(subagent);
  });
});

describe("a mirrored transcript", () => {
  test("is passed on after it has been written, every tenth of a second", async () => {
    const frames: { path: string; entries: readonly JsonObject[] }[] = [];
    const writer = new Writer(await newFolder(), {
      mirror: (path, entries) => frames.push({ path, entries }),
    });
    writer.user("a");
    writer.user("b");
    await vi.waitFor(() => expect(frames).toHaveLength(1));
    expect(frames[0]?.path).toBe(writer.transcript.path);
    expect(frames[0]?.entries).toEqual(await linesOf(writer.transcript.path));
  });

  test("is passed on completely when flushed", async () => {
    const entries: JsonObject[] = [];
    const writer = new Writer(await newFolder(), { mirror: (_, more) => entries.push(...more) });
    writer.user("a");
    await writer.transcript.flush();
    expect(entries).toMatchObject([{ message: { content: "a" } }]);
  });

  test("of a subagent starts with its metadata", async () => {
    const entries: JsonObject[] = [];
    const subagent = { agentId: "a1", agentType: "Explore", toolUseId: "toolu_1" };
    const writer = new Writer(await newFolder(), { subagent, mirror: (_, more) => entries.push(...more) });
    writer.user("look");
    await writer.transcript.flush();
    expect(entries).toMatchObject([{ type: "agent_metadata", toolUseId: "toolu_1" }, { type: "user" }]);
  });
});
