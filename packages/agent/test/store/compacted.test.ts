import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { boundaryEntry, SUMMARY_LINE } from "../../src/compact/boundary.ts";
import { compact } from "./compact.ts";
import { newFolder } from "./folder.ts";
import { said, sessionIn, text, Writer } from "./writer.ts";

describe("a compacted session", () => {
  test("starts with its last summary, followed by the kept messages", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    const kept = [writer.reply("m1", text("a")), writer.reply("m1", text("b"))];
    compact(writer, kept, kept[1]);
    writer.user("two");
    const keptAgain = writer.reply("m2", text("c"));
    compact(writer, [keptAgain], keptAgain);
    writer.user("three");
    expect(said(await writer.load(folder))).toEqual([
      { role: "user", content: "SUMMARY" },
      { role: "assistant", content: [text("c")] },
      { role: "user", content: "three" },
    ]);
  });

  test("starts with the summary if no messages were kept", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    writer.reply("m1", text("a"));
    compact(writer, []);
    writer.user("two");
    expect(said(await writer.load(folder))).toEqual([
      { role: "user", content: [text("SUMMARY"), text("two")] },
    ]);
  });

  test("keeps its history if a crash came before the summary was written", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    const last = writer.reply("m1", text("a"));
    const compaction = {
      trigger: "auto",
      preTokens: 9,
      durationMs: 1,
      summaryUuid: randomUUID(),
      keptUuids: [last],
    } as const;
    writer.transcript.note(boundaryEntry(compaction, { uuid: randomUUID(), timestamp: "", lastUuid: last }));
    expect(said(await writer.load(folder))).toHaveLength(2);
    writer.user("two");
    expect(said(await writer.load(folder))).toHaveLength(3);
  });

  test("reads a kept segment that is given only by its ends", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    const head = writer.reply("m1", text("a"));
    const tail = writer.user("two");
    const summaryUuid = randomUUID();
    const segment = { headUuid: head, anchorUuid: summaryUuid, tailUuid: tail };
    const compactMetadata = { preservedSegment: segment };
    writer.transcript.note({
      type: "system",
      subtype: "compact_boundary",
      uuid: randomUUID(),
      parentUuid: null,
      compactMetadata,
    });
    writer.user("SUMMARY", SUMMARY_LINE, summaryUuid);
    writer.reply("m2", text("b"));
    expect(said(await writer.load(folder)).map(({ content }) => content)).toEqual([
      "SUMMARY",
      [text("a")],
      "two",
      [text("b")],
    ]);
  });

  test("has no token count before its first reply", async () => {
    const folder = await newFolder();
    const writer = new Writer(folder);
    writer.user("one");
    const kept = writer.reply("m1", text("a"));
    compact(writer, [kept], kept);
    expect(sessionIn(await writer.load(folder)).contextTokens).toBeUndefined();
    writer.user("two");
    writer.reply("m2", text("b"));
    expect(sessionIn(await writer.load(folder)).contextTokens).toBe(105);
  });
});
