import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Disposition, type Event, PromptState, SessionStatus } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openBench, ownAgent, type Talk } from "./daemon-bench.ts";

const calls = (name: string, input: JsonObject, text?: string) => ({
  content: [...(text === undefined ? [] : [{ type: "text", text }]), { type: "tool_use", name, input }],
});
const bash = (command: string) => calls("Bash", { command, description: "Do it" });

/** Decides every permission question in the same way. */
const deciding =
  ({ questions }: Talk, decision: Parameters<Talk["questions"]["decide"]>[0]["decision"]) =>
  ({ body }: Event) =>
    body.case === "permissionAsked"
      ? questions.decide({ questionId: body.value.question?.id ?? "", decision }).then(() => {})
      : undefined;

const ALLOW = { case: "allow", value: {} } as const;

describe("a conversation with the built-in agent", () => {
  test("can be rewound: files are restored to their content before a prompt", async () => {
    const bench = openBench();
    const file = join(bench.project, "notes.txt");
    const write = (content: string) => [calls("Write", { file_path: file, content }), { text: "Done." }];
    const talk = await bench.open({ agents: [ownAgent(bench, [...write("one"), ...write("one\ntwo\n")])] });
    const id = await talk.create();
    await talk.sessions.setMode({ sessionId: id, permissionMode: "acceptEdits" });
    await talk.turn(id, "first");
    const second = await talk.turn(id, "second");
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
    const promptId = second.of("promptChange")[0]?.promptId ?? "";
    const wish = { sessionId: id, promptId };
    expect(await talk.sessions.rewind({ ...wish, dryRun: true })).toMatchObject({ files: [file] });
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
    expect(await talk.sessions.rewind(wish)).toMatchObject({ files: [file] });
    expect(readFileSync(file, "utf8")).toBe("one");
  }, 60_000);

  test("reports the session, streams the text, and ends with usage and an idle session", async () => {
    const bench = openBench();
    const talk = await bench.open({
      agents: [ownAgent(bench, [{ text: "I'll read the file for you.", chunkSize: 5 }])],
    });
    const id = await talk.create();
    const turn = await talk.turn(id, "Read the file");
    const [info] = turn.of("sessionInfo");
    expect(info).toMatchObject({ agentSessionId: id, cwd: bench.project });
    expect(info?.tools).toContain("Bash");
    const deltas = turn.of("textDelta");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ text }) => text).join("")).toBe("I'll read the file for you.");
    expect(turn.of("text").map(({ text }) => text)).toEqual(["I'll read the file for you."]);
    expect(turn.cases.slice(-4)).toEqual(["usageReport", "turnComplete", "promptChange", "statusChange"]);
    expect(turn.of("usageReport")[0]?.turn?.outputTokens).toBeGreaterThan(0n);
    // The finished text replaces its deltas.
    const { events } = await talk.sessions.listEvents({ sessionId: id });
    expect(events.some(({ body }) => body.case === "textDelta")).toBe(false);
    const finished = events.find(({ body }) => body.case === "text");
    expect(finished?.supersedesFrom).toBe(turn.events.find(({ body }) => body.case === "textDelta")?.seq);
  }, 60_000);

  test("stores the raw line behind each event that came from an agent's line", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [ownAgent(bench, [bash("touch one"), { text: "Done." }])] });
    const id = await talk.create();
    const turn = await talk.turn(id, "go", deciding(talk, ALLOW));
    const { lines } = await talk.sessions.listRawLines({ sessionId: id });
    const byNumber = new Map(lines.map(({ seq, line }) => [seq, JSON.parse(line) as JsonObject]));
    const typeOf = (name: string) =>
      turn.events.filter(({ body }) => body.case === name).map(({ seq }) => byNumber.get(seq)?.type);
    expect(typeOf("sessionInfo")).toEqual(["system"]);
    expect(typeOf("toolCallStart")).toEqual(["assistant"]);
    expect(typeOf("permissionAsked")).toEqual(["control_request"]);
    expect(typeOf("toolCallResult")).toEqual(["user"]);
    expect(typeOf("usageReport")).toEqual(["result"]);
    expect([...byNumber.values()].some(({ type }) => type === "stream_event")).toBe(false);
  }, 60_000);

  test("runs an allowed tool with the input as changed by the client", async () => {
    const bench = openBench();
    const talk = await bench.open({
      agents: [ownAgent(bench, [bash("echo asked > out.txt"), { text: "Done." }])],
    });
    const changed = JSON.stringify({ command: "echo changed > out.txt", description: "Do it" });
    const decision = { case: "allow", value: { updatedInputJson: changed } } as const;
    const turn = await talk.turn(await talk.create(), "make it", deciding(talk, decision));
    expect(readFileSync(join(bench.project, "out.txt"), "utf8")).toBe("changed\n");
    expect(turn.of("permissionDecided")).toMatchObject([
      { disposition: Disposition.ALLOWED, inputChanged: true },
    ]);
    expect(turn.of("toolCallResult")).toMatchObject([{ isError: false }]);
  }, 60_000);

  test("tells the agent why a tool was denied, and continues", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [ownAgent(bench, [bash("touch out.txt"), { text: "I see." }])] });
    const decision = { case: "deny", value: { message: "User denied permission." } } as const;
    const turn = await talk.turn(await talk.create(), "make it", deciding(talk, decision));
    expect(existsSync(join(bench.project, "out.txt"))).toBe(false);
    expect(turn.of("toolCallResult")).toMatchObject([
      { isError: true, text: expect.stringContaining("User denied permission.") },
    ]);
    expect(turn.of("text").map(({ text }) => text)).toEqual(["I see."]);
  }, 60_000);

  test("asks the user, and returns the answers keyed by question text", async () => {
    const bench = openBench();
    const questions = [
      {
        question: "Which database?",
        header: "Database",
        options: [
          { label: "PostgreSQL", description: "A server" },
          { label: "SQLite", description: "A file" },
        ],
        multiSelect: false,
      },
    ];
    const talk = await bench.open({
      agents: [ownAgent(bench, [calls("AskUserQuestion", { questions }), { text: "Good." }])],
    });
    const turn = await talk.turn(await talk.create(), "choose", ({ body }) => {
      if (body.case !== "questionAsked") return undefined;
      const answers = { "Which database?": "SQLite" };
      return talk.questions.answer({ questionId: body.value.question?.id ?? "", answers }).then(() => {});
    });
    expect(turn.of("questionAnswered")).toMatchObject([{ answers: { "Which database?": "SQLite" } }]);
    expect(turn.of("toolCallResult")[0]?.text).toContain("SQLite");
  }, 60_000);

  test("continues with a second prompt in the same process, and in a new one under the next daemon", async () => {
    const bench = openBench();
    const first = await bench.open({ agents: [ownAgent(bench, [{ text: "One." }, { text: "Two." }])] });
    const id = await first.create();
    await first.turn(id, "first");
    const second = await first.turn(id, "second");
    expect(second.of("text").map(({ text }) => text)).toEqual(["Two."]);
    expect(second.of("statusChange").map(({ status }) => status)).not.toContain(SessionStatus.STARTING);
    await first.running.stop();
    const later = await bench.open({ agents: [ownAgent(bench, [{ text: "Three." }])] });
    const third = await later.turn(id, "third");
    expect(third.of("text").map(({ text }) => text)).toEqual(["Three."]);
    expect(third.of("sessionInfo")).toMatchObject([{ agentSessionId: id }]);
    const { events } = await later.sessions.listEvents({ sessionId: id });
    const numbers = events.map(({ seq }) => Number(seq));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  }, 60_000);

  test("is interrupted, and reports that in its only result", async () => {
    const bench = openBench();
    const long = { text: "word ".repeat(2000), chunkSize: 5, chunkDelay: 20 };
    const talk = await bench.open({ agents: [ownAgent(bench, [long, { text: "Here." }])] });
    const id = await talk.create();
    let isInterrupted = false;
    const turn = await talk.turn(id, "talk", async ({ body }) => {
      if (body.case !== "textDelta" || isInterrupted) return;
      isInterrupted = true;
      expect((await talk.sessions.interrupt({ sessionId: id })).interrupted).toBe(true);
    });
    expect(turn.of("turnComplete")).toMatchObject([{ isError: true }]);
    expect(turn.of("promptChange").at(-1)?.state).toBe(PromptState.COMPLETED);
    expect((await talk.turn(id, "still there?")).of("text").map(({ text }) => text)).toEqual(["Here."]);
  }, 60_000);

  test("asks in several sessions at once without one question blocking another", async () => {
    const bench = openBench();
    const talk = await bench.open({
      agents: [ownAgent(bench, [bash("touch $PPID.txt"), { text: "Done." }])],
    });
    const [waiting = "", ...others] = await Promise.all([1, 2, 3].map(() => talk.create()));
    const first = talk.turn(waiting, "go");
    const open = async () => (await talk.questions.listQuestions({ sessionId: waiting })).questions;
    await expect.poll(open, { timeout: 20_000 }).toHaveLength(1);
    const questionId = (await open())[0]?.id ?? "";
    // The first one stays open while the others finish.
    for (const turn of await Promise.all(others.map((id) => talk.turn(id, "go", deciding(talk, ALLOW)))))
      expect(turn.of("turnComplete")).toMatchObject([{ isError: false }]);
    const { questions } = await talk.questions.listQuestions({});
    expect(questions.map(({ id }) => id)).toEqual([questionId]);
    await talk.questions.decide({ questionId, decision: ALLOW });
    expect((await first).of("turnComplete")).toMatchObject([{ isError: false }]);
  }, 60_000);
});
