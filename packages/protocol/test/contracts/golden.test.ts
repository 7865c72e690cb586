import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { claude } from "../../src/dialect/claude.ts";
import { encodeLine } from "../../src/lines/encode.ts";
import { Malformed } from "../../src/lines/malformed.ts";
import { parseLine } from "../../src/lines/parse.ts";
import { Unknown } from "../../src/schema/unknown.ts";
import { hear } from "./hearing.ts";

/** One record of a transcript; `raw` marks a line that is not JSON, `eof` the end of a direction. */
interface TranscriptRecord {
  readonly dir: "in" | "out";
  readonly line?: unknown;
  readonly raw?: true;
  readonly eof?: true;
}

/** Lines that are deliberately not read as a known message: the file, how they are read, and why. */
const NOT_KNOWN: readonly (readonly [file: string, readAs: string, why: string])[] = [
  ["control-queries", "unknown system/session_title_changed", "internal to the official agent"],
  [
    "history-lines",
    "repaired: defaulted message.id, defaulted message.type, defaulted message.model, defaulted message.stop_reason, defaulted message.stop_sequence, defaulted message.usage, defaulted uuid",
    "history as a host may send it: role and content alone",
  ],
  ["history-lines", "unknown system/note", "sent to see the agent ignore it"],
  ["invalid-json-first-line", "not_json", "sent to see the agent exit"],
  ["invalid-json-line-on-stdin", "not_json", "sent to see the agent exit"],
  ["json-null-on-stdin", "not_an_object", "sent to see the agent exit"],
  ["unknown-message-type-on-stdin", "unknown totally_new_type", "sent to see the agent ignore it"],
  ["user-message-without-message", "unreadable", "sent to see the agent exit"],
  ["user-message-wrong-role", "unreadable", "sent to see the agent exit"],
];

/** A field that the API omitted in some recordings, and so did the official agent. */
const LEFT_OUT = "repaired: defaulted message.stop_sequence";

const folder = new URL("../../../../test/transcripts/claude-2.1.325/", import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

function linesOf(file: string): readonly { readonly dir: "in" | "out"; readonly text: string }[] {
  return readFileSync(new URL(`${file}.jsonl`, folder), "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as TranscriptRecord)
    .filter(({ eof }) => !eof)
    .map(({ dir, line, raw }) => ({ dir, text: raw ? String(line) : JSON.stringify(line) }));
}

/** Reads a line in the official dialect and writes it again; `readAs` describes anything special about it. */
function passOn(dir: "in" | "out", text: string): { readonly readAs?: string; readonly again?: string } {
  const value = parseLine(text);
  if (value instanceof Malformed) return { readAs: value.code };
  const heard = dir === "out" ? hear(claude.forHost(), value) : hear(claude.forAgent(), value);
  const { messages, faults, repairs } = heard;
  const [message, ...more] = messages;
  const [fault] = faults;
  if (fault) return { readAs: fault.code };
  const again = encodeLine(message);
  if (more.length > 0) return { readAs: `${messages.length} messages`, again };
  if (message instanceof Unknown) return { readAs: `unknown ${message.raw_type}`, again };
  const repaired = repairs.map(({ kind, path }) => `${kind} ${path}`).join(", ");
  return repaired === "" ? { again } : { readAs: `repaired: ${repaired}`, again };
}

test("there are transcripts", () => {
  expect(files.length).toBeGreaterThan(90);
  expect(files.flatMap(linesOf).length).toBeGreaterThan(1000);
});

describe.each(files)("%s", (file) => {
  const passed = linesOf(file).map(({ dir, text }) => ({ text, ...passOn(dir, text) }));

  test("contains only known messages that need no repair, except for those on the list", () => {
    const special = passed.flatMap(({ readAs }) => (readAs === LEFT_OUT ? [] : (readAs ?? [])));
    expect(special).toEqual(NOT_KNOWN.filter(([name]) => name === file).map(([, readAs]) => readAs));
  });

  test("is written again as it was read", () => {
    for (const { text, again, readAs = "" } of passed) {
      // A repaired message is written in its corrected form.
      if (again !== undefined && !readAs.startsWith("repaired"))
        expect(JSON.parse(again)).toEqual(JSON.parse(text));
    }
  });
});

test("every line on the list of exceptions is in a transcript", () => {
  expect(NOT_KNOWN.map(([name]) => name).filter((name) => !files.includes(name))).toEqual([]);
});
