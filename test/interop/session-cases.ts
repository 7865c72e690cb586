import { randomUUID } from "node:crypto";
import { conversation, type SessionFolder } from "./session-folder.ts";

/** Writes the lines of one transcript. */
export type Lines = (folder: SessionFolder, id: string) => readonly unknown[];
/** The message of a prompt. */
export const prompt = (text: unknown) => ({ role: "user", content: text });
/** The message of a reply. */
export const reply = (text: string, id = "msg_1") => ({
  role: "assistant",
  id,
  content: [{ type: "text", text }],
});

/** Unusual transcripts, by description. */
export const CASES: Readonly<Record<string, Lines>> = {
  "a plain conversation": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt("hi")), add("assistant", reply("hello")), add("user", prompt("bye"))];
  },
  "titles of both kinds, a tag and a summary": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("hi")),
      { type: "ai-title", aiTitle: "made", sessionId: id },
      { type: "custom-title", customTitle: "first", sessionId: id },
      { type: "custom-title", customTitle: "second", sessionId: id },
      { type: "tag", tag: "red", sessionId: id },
      { type: "summary", summary: "what it was about", leafUuid: randomUUID() },
      { type: "last-prompt", lastPrompt: "the last one", sessionId: id },
    ];
  },
  "a removed tag": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("hi")),
      { type: "tag", tag: "red", sessionId: id },
      { type: "tag", tag: "", sessionId: id },
    ];
  },
  "lines that are torn, foreign or not objects": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      "",
      "{",
      "null",
      "[]",
      '"text"',
      "17",
      add("user", prompt("hi")),
      '{"type":"user"',
      add("assistant", reply("yes")),
      "\u0000",
    ];
  },
  "a title glued to a torn line": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("hi")),
      '{"parentUuid":null,"type":"us{"type":"custom-title","customTitle":"glued"}',
    ];
  },
  "only a title": (_, id) => [{ type: "custom-title", customTitle: "only this", sessionId: id }],
  "nothing to show": (_, id) => [{ type: "mode", mode: "plan", sessionId: id }],
  "a command and no typed prompt": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("<command-name>/clear</command-name>\n<command-args></command-args>")),
      add("user", prompt("<local-command-stdout>x</local-command-stdout>")),
    ];
  },
  "a shell line": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt("<bash-input> ls -l </bash-input>"))];
  },
  "prompts with an image, a document and a long text": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt([{ type: "image", source: {} }])), add("assistant", reply("nice"))];
  },
  "a long prompt": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt(`${"é".repeat(199)}😀😀 and more\nlines`)), add("assistant", reply("ok"))];
  },
  "only generated notes": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("hidden"), { isMeta: true }),
      add("user", prompt("[Request interrupted by user]")),
      add("user", prompt([{ type: "tool_result", tool_use_id: "t", content: "x" }])),
      add("user", prompt("typed")),
      add("system", undefined, { subtype: "informational", content: "note" }),
      add("assistant", reply("ok")),
    ];
  },
  "a subagent's transcript in the wrong place": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt("hi"), { isSidechain: true })];
  },
  "a session of a program": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt("hi"), { entrypoint: "sdk-ts" })];
  },
  "a session of a daemon": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt("hi"), { sessionKind: "daemon" })];
  },
  "a session that moved": ({ project }, id) => {
    const add = conversation(id, project);
    return [add("user", prompt("hi")), { type: "relocated", relocatedCwd: "/elsewhere", sessionId: id }];
  },
  "no dates, no folders and no messages": (_, id) => [
    { type: "user", uuid: randomUUID(), parentUuid: null, sessionId: id, message: { content: "bare" } },
    { type: "user", uuid: randomUUID(), message: null },
    { type: "assistant", uuid: randomUUID(), message: "text" },
  ],
  "two branches": ({ project }, id) => {
    const add = conversation(id, project);
    const first = add("user", prompt("one"));
    const lost = add("assistant", reply("lost", "msg_a"));
    const again = add("user", prompt("again"), { parentUuid: first.uuid });
    return [first, lost, again, add("assistant", reply("kept", "msg_b"))];
  },
  "parallel calls": ({ project }, id) => {
    const add = conversation(id, project);
    const call = (n: string) => ({
      role: "assistant",
      id: "msg_p",
      content: [{ type: "tool_use", id: n, name: "Bash", input: {} }],
    });
    const result = (n: string) => prompt([{ type: "tool_result", tool_use_id: n, content: n }]);
    const asked = add("user", prompt("both"));
    const a = add("assistant", call("a"));
    const b = add("assistant", call("b"));
    const resultA = add("user", result("a"), { parentUuid: a.uuid });
    const resultB = add("user", result("b"), { parentUuid: b.uuid });
    return [asked, a, b, resultA, resultB, add("assistant", reply("done", "msg_q"))];
  },
  "a summary": ({ project }, id) => {
    const add = conversation(id, project);
    const before = [add("user", prompt("old")), add("assistant", reply("older"))];
    const boundary = add("system", undefined, {
      subtype: "compact_boundary",
      content: "Conversation compacted",
      parentUuid: null,
      logicalParentUuid: before[1]?.uuid,
      compactMetadata: { trigger: "auto", preTokens: 5 },
    });
    return [
      ...before,
      boundary,
      add("user", prompt("summary"), { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      add("assistant", reply("new", "msg_n")),
    ];
  },
  "a summary that kept messages": ({ project }, id) => {
    const add = conversation(id, project);
    const [old, kept] = [add("user", prompt("old")), add("assistant", reply("kept", "msg_k"))];
    const boundary = add("system", undefined, { subtype: "compact_boundary", parentUuid: null });
    const summary = add("user", prompt("summary"), { isCompactSummary: true });
    const after = add("user", prompt("next"));
    Object.assign(boundary, {
      compactMetadata: {
        preservedSegment: { headUuid: kept.uuid, tailUuid: kept.uuid, anchorUuid: summary.uuid },
      },
    });
    return [old, kept, boundary, summary, after];
  },
  "a summary that kept a list of messages": ({ project }, id) => {
    const add = conversation(id, project);
    const [old, one, two] = [
      add("user", prompt("old")),
      add("user", prompt("one")),
      add("assistant", reply("two", "msg_k")),
    ];
    const boundary = add("system", undefined, { subtype: "compact_boundary", parentUuid: null });
    const summary = add("user", prompt("summary"), { isCompactSummary: true });
    const after = add("user", prompt("next"));
    Object.assign(boundary, {
      compactMetadata: { preservedMessages: { uuids: [one.uuid, two.uuid], anchorUuid: summary.uuid } },
    });
    return [old, one, two, boundary, summary, after];
  },
  "a cycle of parents": ({ project }, id) => {
    const add = conversation(id, project);
    const [a, b] = [add("user", prompt("a")), add("assistant", reply("b"))];
    return [{ ...a, parentUuid: b.uuid }, b];
  },
  "a missing parent, and duplicates": ({ project }, id) => {
    const add = conversation(id, project);
    const a = add("user", prompt("a"), { parentUuid: randomUUID() });
    return [a, a, add("assistant", reply("b")), { ...a, message: prompt("changed") }];
  },
  "a teammate's lines and progress": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("a")),
      add("progress", undefined),
      add("assistant", reply("b")),
      add("user", prompt("team"), { teamName: "x" }),
      add("progress", undefined),
    ];
  },
  "a prompt sent during a turn": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("a")),
      add("attachment", undefined, { attachment: { type: "queued_command", prompt: "meanwhile" } }),
      add("assistant", reply("b")),
      add("attachment", undefined, {
        attachment: { type: "queued_command", prompt: "later", source_uuid: randomUUID() },
      }),
    ];
  },
  "a prompt sent before an interrupt": ({ project }, id) => {
    const add = conversation(id, project);
    const queued = { attachment: { type: "queued_command", prompt: "meanwhile" } };
    return [
      add("user", prompt("a")),
      add("attachment", undefined, queued),
      add("user", prompt("[Request interrupted by user]")),
      add("attachment", undefined, { ...queued, teamName: "x" }),
    ];
  },
  "a prompt that joined another branch": ({ project }, id) => {
    const add = conversation(id, project);
    const first = add("assistant", reply("first"));
    const queued = add("attachment", undefined, { attachment: { type: "queued_command", prompt: "there" } });
    const there = add("assistant", reply("there", "msg_t"));
    return [first, queued, there, add("attachment", undefined, { parentUuid: queued.uuid, attachment: {} })];
  },
  "a summary that kept a missing message": ({ project }, id) => {
    const add = conversation(id, project);
    const kept = add("user", prompt("kept"));
    const boundary = add("system", undefined, { subtype: "compact_boundary" });
    const segment = { headUuid: randomUUID(), tailUuid: kept.uuid, anchorUuid: boundary.uuid };
    Object.assign(boundary, { compactMetadata: { preservedSegment: segment } });
    return [kept, boundary, add("assistant", reply("after"))];
  },
  "dangerous keys": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      `{"__proto__":{"isMeta":true},"type":"user","uuid":"${randomUUID()}","message":{"content":"trap \\" \\u0041"},"sessionId":"${id}"}`,
      add("user", prompt('"cwd":"/fake","timestamp":"x"')),
    ];
  },
  "carriage returns": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      `${JSON.stringify(add("user", prompt("hi")))}\r`,
      `  ${JSON.stringify(add("assistant", reply("ok")))}\r`,
    ];
  },
  "a first line longer than the part that is read": ({ project }, id) => {
    const add = conversation(id, project);
    return [
      add("user", prompt("x".repeat(200_000))),
      add("assistant", reply("ok")),
      { type: "custom-title", customTitle: "found", sessionId: id },
    ];
  },
  "a title in the middle, out of reach": ({ project }, id) => {
    const add = conversation(id, project);
    const filler = () => add("assistant", reply("y".repeat(1000)));
    return [
      add("user", prompt("hi")),
      ...Array.from({ length: 80 }, filler),
      { type: "custom-title", customTitle: "lost", sessionId: id },
      ...Array.from({ length: 80 }, filler),
    ];
  },
};
