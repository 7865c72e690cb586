import { randomUUID } from "node:crypto";
import { mkdir, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectFolder, sessionFile } from "@agentwire/local/transcript";
import { describe, expect, test } from "vitest";
import { latestSession } from "../../src/store/find-session.ts";
import { copyHistory, loadSession } from "../../src/store/load.ts";
import { refuseSessionId } from "../../src/store/open-conversation.ts";
import { compact } from "./compact.ts";
import { newFolder } from "./folder.ts";
import { call, said, sessionIn, text, Writer } from "./writer.ts";

describe("resuming", () => {
  test("an unknown id or title is refused with the official CLI's message", async () => {
    const folder = await newFolder();
    const id = "11111111-2222-4333-8444-555555555555";
    const where = { configDir: folder, cwd: folder };
    expect(await loadSession({ ...where, idOrTitle: id })).toEqual({
      refusal: `No conversation found with session ID: ${id}`,
    });
    expect(await loadSession({ ...where, idOrTitle: "../x" })).toEqual({
      refusal: "No conversation found with session ID: ../x",
    });
  });

  test("a file that can't be read is refused with the reason", async () => {
    const folder = await newFolder();
    const idOrTitle = randomUUID();
    await mkdir(sessionFile(projectFolder(folder, folder), idOrTitle), { recursive: true });
    const loading = await loadSession({ configDir: folder, cwd: folder, idOrTitle });
    expect(loading).toEqual({ refusal: `Session ${idOrTitle} cannot be read (EISDIR)` });
  });

  test("finds a session by its newest title", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("hi");
    writer.transcript.note({ type: "custom-title", customTitle: "Old" });
    writer.transcript.note({ type: "custom-title", customTitle: "My Title" });
    const session = sessionIn(await writer.load(folder, { idOrTitle: "my title" }));
    expect(session).toMatchObject({ sessionId: writer.transcript.sessionId, title: "My Title" });
    expect(await writer.load(folder, { idOrTitle: "Old" })).toHaveProperty("refusal");
  });

  test("finds a session of another project by its id, and any session by the path of its file", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder, { cwd: join(folder, "elsewhere") });
    writer.user("hi");
    const { sessionId, path = "" } = writer.transcript;
    expect(await writer.load(folder)).toMatchObject({ session: { sessionId }, folder: dirname(path) });
    expect(await writer.load(folder, { idOrTitle: path })).toMatchObject({ session: { sessionId } });
    expect(await writer.load(folder, { idOrTitle: `${path}.jsonl` })).toHaveProperty("refusal");
  });

  test("knows the conversation's cost from the newest line with it", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("hi");
    for (const inputTokens of [1, 2])
      writer.transcript.note({ type: "cost-state", modelUsage: { m: { inputTokens, costUSD: 0.5 } } });
    writer.transcript.note({ type: "cost-state", modelUsage: "none" });
    expect(sessionIn(await writer.load(folder)).spent?.get("m")).toMatchObject({
      inputTokens: 2,
      outputTokens: 0,
      costUSD: 0.5,
    });
  });

  test("finds the latest session that was written to and has a message", async () => {
    const folder = await newFolder();
    expect(await latestSession(folder, folder)).toBeUndefined();
    const writers = [new Writer(folder), new Writer(folder), new Writer(folder)];
    for (const [i, writer] of writers.entries()) {
      if (i < 2) writer.user("hi");
      else writer.transcript.note({ type: "custom-title", customTitle: "empty" });
      await writer.transcript.flush();
      await utimes(writer.transcript.path ?? "", i, i);
    }
    expect(await latestSession(folder, folder)).toBe(writers[1]?.transcript.sessionId);
  });

  test("keeps the conversation up to the given line, of any branch", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    const at = writer.reply("m1", text("a"));
    const cutOff = writer.user("two");
    writer.reply("m2", text("b"));
    const loading = await writer.load(folder, { resumeAt: at });
    expect(said(loading)).toHaveLength(2);
    expect(sessionIn(loading).lastUuid).toBe(at);
    expect(sessionIn(loading).promptIds.has(cutOff)).toBe(false);
    const branch = new Writer(folder, { sessionId: writer.transcript.sessionId, lastUuid: at });
    branch.user("three");
    expect(said(await branch.load(folder, { resumeAt: cutOff })).at(-1)).toEqual({
      role: "user",
      content: "two",
    });
    expect(await branch.load(folder, { resumeAt: "nowhere" })).toEqual({
      refusal: "No message found with message.uuid of: nowhere",
    });
  });

  test.each<[string, (writer: Writer) => { resumeAt: string; dropsTurn: string }, boolean]>([
    ["the turn that it names", (w) => drop(w, ["two"]), true],
    ["the rest of a turn whose prompt is kept", dropRest, true],
    ["another prompt next to it", (w) => drop(w, ["two", "joined meanwhile"]), false],
    ["a reply of the previous turn", dropReplyBefore, false],
    ["a failed result of the previous turn", (w) => dropResultBefore(w, true), true],
    ["a result of the previous turn", (w) => dropResultBefore(w, false), false],
  ])("checks with a guard whether it may drop %s: %#", async (_, write, allowed) => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    const loading = await writer.load(folder, write(writer));
    if (allowed) expect(loading).toHaveProperty("session");
    else
      expect(loading).toEqual({
        refusal: expect.stringMatching(/^Resume rejected by --resume-drops-turn: /),
      });
  });

  test("into a fork copies the history under a new id", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    const kept = writer.reply("m1", text("a"));
    compact(writer, [kept], kept);
    writer.user("two");
    const loading = await writer.load(folder);
    const fork = new Writer(folder);
    copyHistory("entries" in loading ? loading.entries : [], fork.transcript);
    fork.reply("m2", text("b"));
    const forked = await fork.load(folder);
    expect(said(forked)).toEqual([...said(loading), { role: "assistant", content: [text("b")] }]);
    expect(said(await writer.load(folder))).toEqual(said(loading));
    expect("entries" in forked && forked.entries.map(({ line }) => line.sessionId)).toEqual(
      Array(5).fill(fork.transcript.sessionId),
    );
  });
});

function drop(writer: Writer, prompts: readonly string[]) {
  writer.user("one");
  const resumeAt = writer.reply("m1", text("a"));
  const [dropsTurn = ""] = prompts.map((prompt) => writer.user(prompt));
  writer.reply("m2", text("b"));
  return { resumeAt, dropsTurn };
}

function dropRest(writer: Writer) {
  const dropsTurn = writer.user("one");
  writer.reply("m1", text("a"));
  return { resumeAt: dropsTurn, dropsTurn };
}

function dropReplyBefore(writer: Writer) {
  const resumeAt = writer.user("one");
  writer.reply("m1", text("a"));
  return { resumeAt, dropsTurn: writer.user("two") };
}

function dropResultBefore(writer: Writer, isError: boolean) {
  writer.user("one");
  const resumeAt = writer.reply("m1", call("a"));
  writer.result("a", "x", isError);
  return { resumeAt, dropsTurn: writer.user("two") };
}

describe("the id of a new session", () => {
  test("must be a UUID that no session has", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("hi");
    await writer.transcript.flush();
    expect(await refuseSessionId(folder, folder, randomUUID())).toBeUndefined();
    expect(await refuseSessionId(folder, folder, "../../etc/passwd")).toMatch(/valid UUID/);
    expect(await refuseSessionId(folder, folder, writer.transcript.sessionId)).toMatch(/already in use/);
  });
});
