import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { JsonMender } from "../../src/translate/mend-json.ts";

function mended(text: string, size = text.length || 1): string {
  const mender = new JsonMender();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += mender.push(text.slice(at, at + size));
  return out + mender.end();
}

test("valid arguments are unchanged, however they are split", () => {
  const object = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue());
  fc.assert(
    fc.property(
      object,
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 2),
      (value, size, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.parse(mended(text, size))).toEqual(JSON.parse(text));
        if (Object.keys(value).length > 0) expect(mended(text, size)).toBe(text);
      },
    ),
  );
});

describe("repairs", () => {
  test.each([
    ["a comma before a bracket", '{"a": [1, 2, ], }', { a: [1, 2] }],
    ["a missing comma", '{"a": 1 "b": 2}', { a: 1, b: 2 }],
    ["a superfluous comma", '{"a": 1,, "b": 2}', { a: 1, b: 2 }],
    ["single quotes", "{'a': 'it is \"so\"'}", { a: 'it is "so"' }],
    ["an apostrophe in double quotes", `{"a": "it's"}`, { a: "it's" }],
    ["an escaped apostrophe", `{"a": "it\\'s"}`, { a: "it's" }],
    ["a line break in a string", '{"a": "one\ntwo\tthree"}', { a: "one\ntwo\tthree" }],
    ["another control character in a string", '{"a": "\u0001"}', { a: "\u0001" }],
    ["an invalid escape", '{"a": "\\d+\\.ts"}', { a: "\\d+\\.ts" }],
    ["keys without quotes", "{a: 1, b_c: [true]}", { a: 1, b_c: [true] }],
    ["an equals sign", '{"a" = 1}', { a: 1 }],
    ["Python's literals", '{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }],
    ["brackets that are never closed", '{"a": {"b": [1, {"c": 2', { a: { b: [1, { c: 2 }] } }],
    ["a fence", '```json\n{"a": 1}\n```', { a: 1 }],
    ["a fence without a language", '```\n{"a": 1,}\n```', { a: 1 }],
    ["JSON inside a string", '"{\\"a\\": 1}"', { a: 1 }],
    ["text after the JSON", '{"a": 1} That is it.', { a: 1 }],
    ["an empty object before it", '{}{"a": 1}', { a: 1 }],
    ["whitespace before it", ' \n {"a": 1}', { a: 1 }],
    ["null in place of no arguments", "null", {}],
    ["nothing but brackets", "{ }", {}],
  ])("%s", (_what, text, value) => {
    for (let size = 1; size <= text.length; size++) expect(JSON.parse(mended(text, size))).toEqual(value);
  });
});

describe("does not repair, so that the model is told,", () => {
  test.each([
    ["a truncated string, which may be half a file", '{"file_path": "a", "content": "one'],
    ["a key without a value", '{"a":'],
    ["plain text", "I would like to list the files"],
    ["a list", "[1, 2]"],
    ["mismatched brackets", '{"a": [1}'],
    ["an invalid literal", '{"a": nothing}'],
    ["a quote inside a string", '{"a": "say "hi" now"}'],
    ["an object with a missing colon", '{"a" "b"}'],
  ])("%s", (_what, text) => {
    for (let size = 1; size <= text.length; size++) {
      const out = mended(text, size);
      expect(isObject(out), out).toBe(false);
      expect(out).not.toBe("");
    }
  });

  function isObject(text: string): boolean {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === "object" && value !== null && !Array.isArray(value);
    } catch {
      return false;
    }
  }
});

test("mending never throws, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."{}[]\"':,\\ \nabtrue019-.`=") }), (text) => {
      expect(typeof mended(text)).toBe("string");
    }),
  );
});
