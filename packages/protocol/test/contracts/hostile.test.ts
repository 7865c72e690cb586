import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialect/choose.ts";
import type { Dialect } from "../../src/dialect/dialect.ts";
import { isJsonObject, type JsonObject } from "../../src/json.ts";
import { encodeLine } from "../../src/lines/encode.ts";
import type { Contract } from "./contract.ts";
import { openEnds } from "./ends.ts";
import { readFixture } from "./fixtures.ts";
import { hear, written } from "./hearing.ts";
import { TABLES } from "./tables.ts";

/** Values that a peer may put in any place: none may be turned into text or looked up carelessly. */
const NASTY: readonly unknown[] = [
  null,
  true,
  -1,
  "",
  "__proto__",
  [],
  [null],
  {},
  JSON.parse('{"toString":1,"valueOf":1,"toJSON":1}'),
  JSON.parse('{"__proto__":{"type":"result"},"constructor":null,"length":-1}'),
];

/** All copies of a value with one part replaced by another value. */
function* spoiled(value: unknown, replacement: unknown): Generator<unknown> {
  yield replacement;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const bad of spoiled(item, replacement)) yield value.with(index, bad);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const { [key]: item, ...rest } = value;
      yield rest;
      for (const bad of spoiled(item, replacement)) yield { ...value, [key]: bad };
    }
  }
}

/** Reads a line and writes the message it was read as, as a program between host and agent would. */
function passOn(dialect: Dialect, { from, before }: Pick<Contract, "from" | "before">, line: JsonObject) {
  const near = openEnds(dialect, before);
  const far = openEnds(dialect);
  if (from === "agent") {
    const heard = hear(near.host, line);
    for (const message of heard.messages) written(far.agent, message);
    return heard;
  }
  const heard = hear(near.agent, line);
  for (const message of heard.messages) written(far.host, message);
  for (const reply of heard.replies) encodeLine(reply);
  for (const fault of heard.faults)
    for (const refusal of near.agent.refuse?.(fault) ?? []) encodeLine(refusal);
  return heard;
}

describe.each(TABLES)("$folder", ({ folder, dialect, contracts }) => {
  test.each(contracts)(
    "$file with any fault in it is read, refused or reported, but never throws",
    (contract) => {
      const { file, inside = (part: JsonObject) => part } = contract;
      for (const line of readFixture(folder, file).map(inside))
        for (const nasty of NASTY)
          for (const bad of spoiled(line, nasty)) {
            if (!isJsonObject(bad)) continue;
            const { messages, faults, replies } = passOn(dialect, contract, bad);
            expect(messages.length + faults.length + replies.length, JSON.stringify(bad)).toBeGreaterThan(0);
          }
    },
  );
});

/** The keys that translations read. */
const KEYS = [
  "type",
  "subtype",
  "message",
  "request",
  "response",
  "request_id",
  "jsonrpc",
  "id",
  "method",
  "params",
  "error",
  "result",
];

describe.each(Object.values(DIALECTS))("$name", (dialect) => {
  test.each(["host", "agent"] as const)("handles any object that a %s writes", (from) => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...KEYS), fc.jsonValue()), (line) => {
        passOn(dialect, { from }, line as JsonObject);
      }),
    );
  });
});
