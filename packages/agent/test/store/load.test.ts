import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { INTERRUPTED_CALL } from "../../src/store/tool-pairs.ts";
import { compact } from "./compact.ts";
import { newFolder } from "./folder.ts";
import { call, said, sessionIn, text, Writer } from "./writer.ts";

const interrupted = (id: string): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: INTERRUPTED_CALL,
  is_error: true,
});
const fine = (id: string): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: "fine",
  is_error: false,
});

describe("a loaded session", () => {
  test("reassembles the blocks of a reply and the results of its calls", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    const prompt = writer.user("go");
    const lines = [
      writer.reply("m1", text("I look.")),
      writer.reply("m1", call("a")),
      writer.reply("m1", call("b")),
    ];
    writer.result("a");
    writer.result("b");
    const last = writer.reply("m2", text("done"));
    const loading = await writer.load(folder);
    expect(said(loading)).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: [text("I look."), call("a"), call("b")] },
      { role: "user", content: [fine("a"), fine("b")] },
      { role: "assistant", content: [text("done")] },
    ]);
    const session = sessionIn(loading);
    expect(session.messages[1]).toMatchObject({ uuid: lines[2], uuids: lines });
    expect(session).toMatchObject({
      lastUuid: last,
      title: undefined,
      contextTokens: 105,
      promptIds: new Set([prompt]),
    });
  });

  test("joins a reply whose calls were answered before it was complete", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("go");
    writer.reply("m1", call("a"));
    writer.result("a");
    writer.reply("m1", call("b"));
    writer.result("b");
    expect(said(await writer.load(folder)).slice(1)).toEqual([
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "user", content: [fine("a"), fine("b")] },
    ]);
  });

  test("joins consecutive replies", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("go");
    writer.reply("m1", text("a"));
    writer.reply("m2", text("b"));
    writer.reply("m3", call("c"));
    writer.reply("m4", text("d"));
    expect(said(await writer.load(folder)).slice(1)).toEqual([
      { role: "assistant", content: [text("a"), text("b"), call("c")] },
      { role: "user", content: [interrupted("c")] },
      { role: "assistant", content: [text("d")] },
    ]);
  });

  test("adds results to calls that a crash interrupted, at the end and before a later prompt", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("go");
    writer.reply("m1", call("a"));
    writer.reply("m1", call("b"));
    writer.result("a");
    expect(said(await writer.load(folder)).at(-1)).toEqual({
      role: "user",
      content: [fine("a"), interrupted("b")],
    });
    writer.user("again");
    writer.reply("m2", call("c"));
    expect(said(await writer.load(folder)).slice(2)).toEqual([
      { role: "user", content: [fine("a"), interrupted("b"), text("again")] },
      { role: "assistant", content: [call("c")] },
      { role: "user", content: [interrupted("c")] },
    ]);
  });

  test("drops what the API rejects: thinking alone, blank texts, results of unknown calls, reports of failed calls", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("a");
    writer.reply("m1", { type: "thinking", thinking: "hm", signature: "s" });
    writer.user([{ ...fine("nobody") }, text(" "), text("b")]);
    writer.reply("m2", text("yes"));
    writer.transcript.append({
      uuid: randomUUID(),
      type: "assistant",
      timestamp: "",
      message: { id: "m3", content: [text("API Error")] },
      extra: { isApiErrorMessage: true },
    });
    expect(said(await writer.load(folder))).toEqual([
      { role: "user", content: [text("a"), text("b")] },
      { role: "assistant", content: [text("yes")] },
    ]);
  });

  test("includes results on separate branches, as the official CLI writes them", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("go");
    const first = writer.reply("m1", call("a"));
    const second = writer.reply("m1", call("b"));
    writer.user([fine("a")], { parentUuid: first });
    const last = writer.user([fine("b")], { parentUuid: second });
    writer.transcript.note({ type: "system", subtype: "x", uuid: randomUUID(), parentUuid: last });
    writer.reply("m2", text("done"));
    expect(said(await writer.load(folder)).slice(1, 3)).toEqual([
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "user", content: [fine("a"), fine("b")] },
    ]);
  });

  test("skips torn, foreign and malicious lines and lines of subagents", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    const prompt = writer.user("one");
    await writer.transcript.flush();
    const hostile = [
      "null",
      "[]",
      "{",
      '{"type":"user"}',
      '{"type":"user","uuid":"s","isSidechain":true,"message":{"content":"sub"}}',
      '{"type":"brand-new","uuid":"x","parentUuid":null}',
      `{"type":"assistant","uuid":"h1","parentUuid":"${prompt}","message":{"content":[null,1,{"no":"type"}]}}`,
      '{"type":"system","subtype":"compact_boundary","uuid":"h2","parentUuid":"h1","compactMetadata":{"preservedMessages":{"uuids":[1]}}}',
      '{"type":"user","uuid":"h3","parentUuid":"h3","message":7}',
      '{"type":"user","uuid":"__proto__","parentUuid":"constructor","message":{"content":{}}}',
    ];
    await appendFile(writer.transcript.path ?? "", `${hostile.join("\n")}\n{"type":"user","uuid":"to`);
    const next = new Writer(folder, { sessionId: writer.transcript.sessionId, lastUuid: prompt });
    next.user("two");
    expect(said(await next.load(folder))).toEqual([{ role: "user", content: [text("one"), text("two")] }]);
  });

  test("continues with the preceding line if a parent is missing", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    writer.reply("m1", text("yes"));
    writer.user("two", { parentUuid: randomUUID() });
    expect(said(await writer.load(folder))).toHaveLength(3);
  });

  test("follows the newest branch", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    const first = writer.user("one");
    writer.reply("m1", text("old"));
    const branch = new Writer(folder, { sessionId: writer.transcript.sessionId, lastUuid: first });
    await writer.transcript.flush();
    branch.reply("m2", text("new"));
    expect(said(await branch.load(folder))).toEqual([
      { role: "user", content: "one" },
      { role: "assistant", content: [text("new")] },
    ]);
  });

  test("skips progress lines", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    writer.transcript.note({ type: "progress", uuid: randomUUID() });
    writer.reply("m1", text("a"));
    writer.transcript.note({ type: "progress", uuid: randomUUID() });
    expect(said(await writer.load(folder))).toHaveLength(2);
  });

  test("contains the ids of its prompts, including those before a compaction", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    const prompts = [writer.user("one")];
    writer.reply("m1", call("a"));
    writer.result("a");
    writer.user("note of the agent", { isMeta: true });
    compact(writer, []);
    prompts.push(writer.user("two"));
    writer.reply("m2", text("a"));
    expect(sessionIn(await writer.load(folder)).promptIds).toEqual(new Set(prompts));
  });

  test("lists the prompts at its end separately if they were not processed", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    const answered = writer.user("one");
    writer.reply("m1", text("a"));
    const unanswered = [writer.user("two"), writer.user("three")];
    const session = sessionIn(await writer.load(folder));
    expect(session.promptIds).toEqual(new Set([answered]));
    expect(session.unanswered).toEqual(new Set(unanswered));
    writer.user("[Request interrupted by user]");
    expect(sessionIn(await writer.load(folder)).unanswered).toEqual(new Set());
  });
});
