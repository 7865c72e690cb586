import { readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { times } from "../../../../test/times.ts";
import { DIALECTS } from "../../src/dialect/choose.ts";
import type { Dialect, Translation } from "../../src/dialect/dialect.ts";
import type { Sink } from "../../src/lines/decode.ts";
import { encodeLine } from "../../src/lines/encode.ts";
import { type Line, LineSplitter } from "../../src/lines/lines.ts";
import { Malformed } from "../../src/lines/malformed.ts";
import { parseLine } from "../../src/lines/parse.ts";

const folder = new URL("../../../../test/transcripts/claude-2.1.325/", import.meta.url);
const recorded: string[] = readdirSync(folder)
  .flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n"))
  .filter((record) => record !== "")
  .map((record) => JSON.stringify(JSON.parse(record).line ?? {}));

/** Passes a line through a dialect, in both directions; returns the number of resulting messages. */
function takeThrough(dialect: Dialect, line: Line): number {
  const value = parseLine(line);
  if (value instanceof Malformed) return 0;
  let count = 0;
  const through = <In, Out>(translation: Translation<In, Out>, back: Translation<Out, In>) => {
    const sink: Sink<In> = {
      message(message) {
        count++;
        for (const out of back.encode(message, ignoring)) encodeLine(out);
      },
      // Not with `expect`: this is called for every line.
      repaired(_type, { length }) {
        if (length > 100) throw new Error(`${length} repairs are told`);
      },
      malformed: (fault) => void translation.refuse?.(fault).map(encodeLine),
      reply: (reply) => void encodeLine(reply),
    };
    translation.decode(value, sink);
  };
  through(dialect.forHost(), dialect.forAgent());
  through(dialect.forAgent(), dialect.forHost());
  return count;
}

const ignoring: Sink<unknown> = { message() {}, repaired() {}, malformed() {}, reply() {} };

const known = new Map<string, readonly RegExpMatchArray[]>();

/** Searched once per recorded line: most of them are modified hundreds of times. */
function keysOf(line: string): readonly RegExpMatchArray[] {
  const keys = known.get(line) ?? [...line.matchAll(/"([a-z_A-Z]+)":/g)];
  known.set(line, keys);
  return keys;
}

/** Changes a recorded line the way a newer, older or broken peer might. */
const bent = fc
  .tuple(
    fc.constantFrom(...recorded),
    fc.jsonValue({ maxDepth: 2 }),
    fc.nat(),
    fc.integer({ min: 0, max: 5 }),
  )
  .map(([line, value, place, way]) => {
    const at = place % Math.max(1, line.length);
    const keys = way === 3 || way === 4 ? keysOf(line) : [];
    const key = keys[place % Math.max(1, keys.length)];
    switch (way) {
      case 0:
        return line.slice(0, at);
      case 1:
        return line.slice(0, at) + JSON.stringify(value) + line.slice(at);
      case 2:
        return line.replace(/"type":"[a-z_]*"/, `"type":${JSON.stringify(value)}`);
      case 3: // another value under a known key, before the real one: a duplicate key
        return key ? line.replace(key[0], `${key[0]}${JSON.stringify(value)},${key[0]}`) : line;
      case 4: // a known key renamed: a missing field and an unknown one
        return key ? line.replace(key[0], `"x${key[1]}":`) : line;
      default: // every number as a string, every string as a number
        return line
          .replace(/:(\d+)/g, ':"$1"')
          .replace(/:"[^"]*"/g, (text) => (place % 3 === 0 ? ":7" : text));
    }
  });

const strange = fc.oneof(
  fc.json(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '{"type":"__proto__"}',
    '{"type":"constructor","constructor":{"prototype":{"polluted":true}}}',
    '{"__proto__":{"polluted":true},"type":"user","message":{"role":"user","content":"x","__proto__":{"polluted":true}}}',
    '{"type":"system","subtype":"toString"}',
    '{"type":"control_request","request_id":"r","request":{"subtype":"hasOwnProperty"}}',
    '{"type":"assistant","message":{"content":[{"type":"text","text":"\\ud800"},{"type":"\\udfff"}]}}',
    '{"type":"user","type":"assistant","message":null}',
    '{"type":"result","usage":{"input_tokens":1e999,"output_tokens":-0}}',
    '{"jsonrpc":"2.0","id":{},"method":"run","params":[]}',
    '{"jsonrpc":"2.0","id":1e999,"method":"__proto__"}',
    '{"type":"callback.response","response":{"request_id":"__proto__","response":{"__proto__":{"polluted":true}}}}',
  ),
  fc.nat(2000).map((depth) => `{"type":"user","message":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  fc
    .nat(300)
    .map(
      (depth) =>
        `{"type":"user","message":{"role":"user","content":${'[{"type":"tool_result","tool_use_id":"t","content":'.repeat(depth)}"x"${"}]".repeat(depth)}}}`,
    ),
);

/** A line of up to 80 kB: one of them takes as long as a hundred others. */
const giant = fc
  .nat(5000)
  .map((size) => `{"type":"assistant","message":{"content":[${'{"type":"text"},'.repeat(size)}{}]}}`);

const LINES = times(50_000, 200_000);
const LINES_PER_BATCH = 1000;
const dialects = Object.values(DIALECTS);

test(`${LINES} hostile lines cause no throw, no prototype pollution and no memory leak`, {
  timeout: 300_000,
}, () => {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  const heap = () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const line = fc.oneof(
    { arbitrary: bent, weight: 400 },
    { arbitrary: strange, weight: 99 },
    { arbitrary: giant, weight: 1 },
  );
  let lines = 0;
  let messages = 0;
  let warm = 0;
  // In batches with a seed each instead of one property: fast-check keeps everything a property has
  // generated, and this test measures memory.
  for (let seed = 0; lines < LINES; seed++) {
    const splitter = new LineSplitter(1 << 20);
    const batch = fc.sample(line, { seed, numRuns: LINES_PER_BATCH });
    for (const text of [...splitter.push(Buffer.from(`${batch.join("\n")}\n`)), ...splitter.end()]) {
      const dialect = dialects[lines++ % dialects.length] as Dialect;
      try {
        messages += takeThrough(dialect, text);
      } catch (cause) {
        throw new Error(`${dialect.name} failed on a line of seed ${seed}: ${String(text)}`, { cause });
      }
    }
    if (warm === 0 && lines > 20_000) warm = heap();
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(messages).toBeGreaterThan(lines / 4);
  expect(heap() - warm).toBeLessThan(32 << 20);
});

test("giant lines are refused or read, never fatal", () => {
  const splitter = new LineSplitter();
  const big = `{"type":"user","message":{"role":"user","content":"${"x".repeat(9 << 20)}"}}`;
  const huge = `{"type":"user","message":{"role":"user","content":"${"x".repeat(11 << 20)}"}}`;
  const deep = "[".repeat(5 << 20);
  const lines = splitter.push(
    Buffer.from(`${big}\n${huge}\n${deep}\n${'{"a":'.repeat(1 << 20)}1${"}".repeat(1 << 20)}\n`),
  );
  expect(
    lines.map((line) => parseLine(line)).map((value) => (value instanceof Malformed ? value.code : "read")),
  ).toEqual(["read", "too_long", "not_json", "too_deep"]);
});

test("one unknown block under deep nesting does not make the reader read the rest repeatedly", () => {
  const blocks = [
    ...Array.from({ length: 1000 }, () => ({ type: "text", text: "x" })),
    { type: "brand_new" },
  ];
  let looks = 0;
  const watched = new Proxy(blocks, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key, receiver);
    },
  });
  let content: unknown = watched;
  for (let i = 0; i < 200; i++) content = [{ type: "tool_result", tool_use_id: "t", content }];
  const messages: unknown[] = [];
  DIALECTS.claude
    .forHost()
    .decode(
      { type: "user", message: { role: "user", content } },
      { ...ignoring, message: (message) => messages.push(message) },
    );
  expect(messages).toHaveLength(1);
  expect(looks).toBeLessThan(5 * blocks.length);
});
