import { appendFile, readFile, truncate } from "node:fs/promises";
import type { JsonObject } from "@agentwire/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { computingMs } from "../../../../test/computing-time.ts";
import { newFolder } from "./folder.ts";
import { said, sessionIn, Writer } from "./writer.ts";

interface Step {
  readonly thought: string | undefined;
  readonly says: string;
  readonly calls: readonly string[];
}

interface Turn {
  readonly prompt: string;
  readonly steps: readonly Step[];
}

const words = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
  .filter((value) => value.trim() !== "");
const step = fc.record({
  thought: fc.option(words, { nil: undefined }),
  says: words,
  calls: fc.array(words, { minLength: 1, maxLength: 4 }),
});
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({ prompt: words, steps: fc.array(step, { maxLength: 4 }) }),
  { minLength: 1, maxLength: 6 },
);

/** A plan for the model: each step calls tools, and each turn ends with text. */
function messagesOf(history: readonly Turn[]): { role: string; content: string | JsonObject[] }[] {
  let next = 0;
  return history.flatMap(({ prompt, steps }) => {
    const spoken = steps.flatMap(({ thought, says, calls }) => {
      const ids = calls.map(() => `toolu_${next++}`);
      const content: JsonObject[] = [
        ...(thought === undefined ? [] : [{ type: "thinking", thinking: thought, signature: "s" }]),
        { type: "text", text: says },
        ...ids.map((id) => ({ type: "tool_use", id, name: "Read", input: { says } })),
      ];
      const results = ids.map((id, i) => ({ type: "tool_result", tool_use_id: id, content: calls[i] }));
      return [
        { role: "assistant", content },
        ...(results.length > 0 ? [{ role: "user", content: results }] : []),
      ];
    });
    return [
      { role: "user", content: prompt },
      ...spoken,
      { role: "assistant", content: [{ type: "text", text: "." }] },
    ];
  });
}

/** Writes one line per block, as an agent does. */
function write(writer: Writer, history: readonly Turn[]): void {
  let id = 0;
  for (const { role, content } of messagesOf(history)) {
    id++;
    if (typeof content === "string") writer.user(content);
    else
      for (const block of content) role === "user" ? writer.user([block]) : writer.reply(`msg_${id}`, block);
  }
}

describe("a stored conversation", () => {
  test("is unchanged when it is loaded", async () => {
    const folder = await newFolder();
    await fc.assert(
      fc.asyncProperty(turns, async (history) => {
        const writer = new Writer(folder);
        write(writer, history);
        expect(said(await writer.load(folder))).toEqual(messagesOf(history));
      }),
      { numRuns: 100 },
    );
  });

  test("is valid for the API wherever its file was cut off, and can be continued", async () => {
    const folder = await newFolder();
    await fc.assert(
      fc.asyncProperty(turns, fc.double({ min: 0, max: 1, noNaN: true }), async (history, share) => {
        const writer = new Writer(folder);
        write(writer, history);
        await writer.transcript.flush();
        const path = writer.transcript.path ?? "";
        const bytes = await readFile(path);
        await truncate(path, Math.floor(bytes.length * share));
        const loading = await writer.load(folder);
        if ("refusal" in loading) return;
        expectAcceptable(said(loading));
        const { lastUuid } = sessionIn(loading);
        const next = new Writer(folder, {
          sessionId: writer.transcript.sessionId,
          ...(lastUuid && { lastUuid }),
        });
        next.user("go on");
        expectAcceptable(said(await next.load(folder)));
        expect(JSON.stringify(said(await next.load(folder)).at(-1))).toContain("go on");
      }),
      { numRuns: 100 },
    );
  });

  test("is read in linear time", async () => {
    const folder = await newFolder();
    const time = async (count: number) => {
      const writer = new Writer(folder);
      for (let i = 0; i < count; i++) writer.user(`line ${i}`);
      await writer.transcript.flush();
      await appendFile(writer.transcript.path ?? "", `{"type":"user","uuid":"${"x".repeat(count)}`);
      const start = computingMs();
      expect(sessionIn(await writer.load(folder)).unanswered.size).toBe(count);
      return computingMs() - start;
    };
    await time(1_000);
    const small = await time(2_000);
    expect(await time(20_000)).toBeLessThan(small * 40 + 100);
  });
});

/** The rules of the Messages API: roles alternate, every call has its result in the next message, nothing is empty. */
function expectAcceptable(messages: ReturnType<typeof said>): void {
  let open: unknown[] = [];
  messages.forEach(({ role, content }, i) => {
    expect(role).toBe(i % 2 === 0 ? "user" : "assistant");
    expect(content.length).toBeGreaterThan(0);
    const blocks = typeof content === "string" ? [] : content;
    const answered = blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    if (role === "user") expect(answered).toEqual(open);
    open = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    if (role === "assistant") expect(blocks.at(-1)?.type).not.toBe("thinking");
  });
  expect(open).toEqual([]);
}
