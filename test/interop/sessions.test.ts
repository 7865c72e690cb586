import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.ts";
import { ofType, resultOf } from "./messages.ts";
import { sdk } from "./official-sdk.ts";
import { sentMessages } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("a session", () => {
  test("is resumed under its id with its history", async () => {
    const bench = await openBench({ steps: [say("blue"), say("you said blue")] });
    const { session_id } = resultOf(await bench.ask("my colour?"));
    const talk = await bench.ask("again?", { resume: session_id });
    expect(resultOf(talk)).toMatchObject({ result: "you said blue", session_id });
    expect(sentMessages(bench, 1)).toMatch(/my colour\?.*blue.*again\?/);
    expect(ofType(talk, "assistant")).toHaveLength(1);
  });

  test("is continued without an id", async () => {
    const bench = await openBench({ steps: [say("blue"), say("you said blue")] });
    const { session_id } = resultOf(await bench.ask("my colour?"));
    expect(resultOf(await bench.ask("again?", { continue: true }))).toMatchObject({ session_id });
    expect(sentMessages(bench, 1)).toContain("my colour?");
  });

  test("is forked into a new one, and the old one is unchanged", async () => {
    const bench = await openBench({ steps: [say("blue"), say("forked"), say("resumed")] });
    const { session_id } = resultOf(await bench.ask("my colour?"));
    const fork = resultOf(await bench.ask("in the fork", { resume: session_id, forkSession: true }));
    expect(fork.session_id).not.toBe(session_id);
    expect(sentMessages(bench, 1)).toContain("my colour?");
    await bench.ask("in the old one", { resume: session_id });
    expect(sentMessages(bench, 2)).not.toContain("in the fork");
  });

  test("is resumed at a message in the middle", async () => {
    const bench = await openBench({ steps: [say("first"), say("second"), say("third")] });
    const first = await bench.ask("one");
    const { session_id } = resultOf(first);
    await bench.ask("two", { resume: session_id });
    const [answer] = ofType(first, "assistant");
    await bench.ask("three", { resume: session_id, resumeSessionAt: answer?.uuid });
    expect(sentMessages(bench, 2)).toContain("first");
    expect(sentMessages(bench, 2)).not.toContain("second");
  });

  test("has the id that the host chooses", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    const sessionId = randomUUID();
    expect(resultOf(await bench.ask("hi", { sessionId }))).toMatchObject({ session_id: sessionId });
  });

  test("that does not exist can't be resumed", async () => {
    const bench = await openBench({ steps: [] });
    const talk = await bench.ask("hi", { resume: randomUUID() });
    expect(resultOf(talk)).toMatchObject({ subtype: "error_during_execution", is_error: true });
    expect(talk.error?.message).toMatch(/No conversation found/);
  });

  test("is kept in the host's store, and resumed from there", async () => {
    const bench = await openBench({ steps: [say("blue"), say("you said blue")] });
    const sessionStore = new sdk.InMemorySessionStore();
    const { session_id } = resultOf(await bench.ask("my colour?", { sessionStore }));
    expect(await sdk.getSessionMessages(session_id, { dir: bench.cwd, sessionStore })).toHaveLength(2);
    rmSync(bench.configDir, { recursive: true });
    await bench.ask("again?", { sessionStore, resume: session_id });
    expect(sentMessages(bench, 1)).toMatch(/my colour\?.*blue.*again\?/);
  });

  test("leaves no files behind if the host asks for that", async () => {
    const bench = await openBench({ steps: [say("ok")] });
    await bench.ask("hi", { persistSession: false });
    const projects = join(bench.configDir, "projects");
    const files = existsSync(projects) ? readdirSync(projects, { recursive: true, encoding: "utf8" }) : [];
    expect(files.filter((name) => name.endsWith(".jsonl"))).toEqual([]);
  });
});

describe("the SDK's own functions", () => {
  // They read the transcripts in this process, so only its environment can name the folder.
  const before = process.env.CLAUDE_CONFIG_DIR;
  let bench: Bench;
  let sessionId: string;

  afterEach(() => {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
    else process.env.CLAUDE_CONFIG_DIR = before;
  });

  async function talkOnce(): Promise<void> {
    bench = await openBench(
      { steps: [use("Read", { file_path: "{{cwd}}/note.txt" }), say("it is a note"), say("more")] },
      { "note.txt": "a note\n" },
    );
    process.env.CLAUDE_CONFIG_DIR = bench.configDir;
    sessionId = resultOf(await bench.ask("what is in the note?")).session_id;
  }

  test("list a session and return its details", async () => {
    await talkOnce();
    const [info, ...others] = await sdk.listSessions({ dir: bench.cwd });
    expect(others).toEqual([]);
    expect(info).toMatchObject({
      sessionId,
      firstPrompt: "what is in the note?",
      summary: "what is in the note?",
      cwd: bench.cwd,
    });
    expect(await sdk.getSessionInfo(sessionId, { dir: bench.cwd })).toEqual(info);
    expect(await sdk.getSessionInfo(sessionId)).toMatchObject({ sessionId });
  });

  test("read the messages of a session in order", async () => {
    await talkOnce();
    const messages = await sdk.getSessionMessages(sessionId, { dir: bench.cwd });
    expect(messages.map(({ type }) => type)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(JSON.stringify(messages)).toMatch(/what is in the note\?.*tool_use.*tool_result.*it is a note/);
    expect(messages).toSatisfy((all: typeof messages) => all.every((one) => one.session_id === sessionId));
  });

  test("rename a session that the agent can still resume", async () => {
    await talkOnce();
    await sdk.renameSession(sessionId, "About a note", { dir: bench.cwd });
    await sdk.tagSession(sessionId, "kept", { dir: bench.cwd });
    expect(await sdk.getSessionInfo(sessionId)).toMatchObject({ customTitle: "About a note", tag: "kept" });
    const talk = await bench.ask("and?", { resume: sessionId });
    expect(resultOf(talk)).toMatchObject({ result: "more", session_id: sessionId });
    expect(await sdk.getSessionInfo(sessionId)).toMatchObject({ customTitle: "About a note", tag: "kept" });
  });

  test("fork a session into one that the agent resumes", async () => {
    await talkOnce();
    const fork = await sdk.forkSession(sessionId, { dir: bench.cwd });
    expect(fork.sessionId).not.toBe(sessionId);
    const talk = await bench.ask("and?", { resume: fork.sessionId });
    expect(resultOf(talk)).toMatchObject({ result: "more", session_id: fork.sessionId });
    expect(sentMessages(bench, 2)).toMatch(/what is in the note\?.*it is a note.*and\?/);
  });

  test("delete a session, which can then no longer be resumed", async () => {
    await talkOnce();
    await sdk.deleteSession(sessionId, { dir: bench.cwd });
    expect(await sdk.listSessions({ dir: bench.cwd })).toEqual([]);
    expect((await bench.ask("and?", { resume: sessionId })).error).toBeInstanceOf(Error);
  });

  test("find the subagents of a session", async () => {
    bench = await openBench({
      steps: [
        use("Agent", {
          description: "Look",
          prompt: "look around",
          subagent_type: "general-purpose",
          run_in_background: false,
        }),
        say("nothing here"),
        say("done"),
      ],
    });
    process.env.CLAUDE_CONFIG_DIR = bench.configDir;
    sessionId = resultOf(await bench.ask("delegate")).session_id;
    const [agentId = "", ...others] = await sdk.listSubagents(sessionId, { dir: bench.cwd });
    expect(others).toEqual([]);
    const messages = await sdk.getSubagentMessages(sessionId, agentId, { dir: bench.cwd });
    expect(JSON.stringify(messages)).toMatch(/look around.*nothing here/);
  });
});
