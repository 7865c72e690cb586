import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkInput } from "../../src/tools/check-input.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    count: { type: "integer", minimum: 0, maximum: 10 },
    deep: { type: "boolean", default: false },
    mode: { type: "string", enum: ["a", "b"] },
    maybe: { type: ["string", "null"] },
    items: {
      type: "array",
      maxItems: 2,
      items: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
    },
  },
  required: ["path"],
  additionalProperties: false,
};

describe("checkInput", () => {
  test("fills in defaults", () => {
    expect(checkInput(schema, { path: "x" })).toEqual({ ok: true, input: { path: "x", deep: false } });
  });

  test("converts numbers and booleans written as strings", () => {
    const input = { path: "5", count: "5", deep: "true" };
    expect(checkInput(schema, input)).toEqual({ ok: true, input: { path: "5", count: 5, deep: true } });
  });

  test("accepts null only if the schema allows it", () => {
    expect(checkInput(schema, { path: "x", maybe: null })).toEqual({
      ok: true,
      input: { path: "x", maybe: null, deep: false },
    });
    expect(checkInput(schema, { path: "x", count: null })).toEqual({
      ok: false,
      issues: ["The parameter `count` type is expected as `number` but provided as `null`"],
    });
  });

  test.each([
    ["a missing parameter", {}, "The required parameter `path` is missing"],
    ["an unknown parameter", { path: "x", wrong: 1 }, "An unexpected parameter `wrong` was provided"],
    ["null where a value is required", { path: null }, "type is expected as `string` but provided as `null`"],
    [
      "another type",
      { path: 5 },
      "The parameter `path` type is expected as `string` but provided as `number`",
    ],
    [
      "a fraction for an integer",
      { path: "x", count: 1.5 },
      "type is expected as `int` but provided as `number`",
    ],
    ["a number that is too small", { path: "x", count: -1 }, "`count` must be at least 0"],
    ["a number that is too large", { path: "x", count: 11 }, "`count` must be at most 10"],
    ["a string that is too short", { path: "" }, "`path` must have at least 1 characters"],
    ["a value that is not allowed", { path: "x", mode: "c" }, '`mode` must be one of "a", "b"'],
    ["a list that is too long", { path: "x", items: [{ id: 1 }, { id: 2 }, { id: 3 }] }, "at most 2 items"],
    ["a fault inside a list", { path: "x", items: [{ id: 1 }, {}] }, "parameter `items[1].id` is missing"],
    [
      "a property name that every object inherits",
      { path: "x", constructor: 1 },
      "unexpected parameter `constructor`",
    ],
    ["a value that is not an object", [], "must be an object"],
  ])("rejects %s", (_what, input, message) => {
    const checked = checkInput(schema, input);
    expect(checked).toMatchObject({ ok: false });
    expect(checked.ok || checked.issues.join()).toContain(message);
  });

  test("reports all faults at once", () => {
    const checked = checkInput(schema, { wrong: 1, mode: "c" });
    expect(checked.ok || checked.issues).toHaveLength(3);
  });

  test("keeps additional parameters of an open schema", () => {
    const input = JSON.parse('{"other":{"x":1},"__proto__":{"polluted":true}}');
    const checked = checkInput({ type: "object", properties: {} }, input);
    expect(checked.ok && Object.keys(checked.input)).toEqual(["other", "__proto__"]);
    expect(checked.ok && checked.input.polluted).toBeUndefined();
  });

  test("never throws, whatever the schema and the input", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    const anySchema = fc.record({
      type: fc.jsonValue(),
      properties: object,
      required: fc.jsonValue(),
      items: object,
    });
    fc.assert(
      fc.property(anySchema, fc.jsonValue(), (foreign, input) => {
        expect(() => checkInput(foreign, input)).not.toThrow();
      }),
    );
  });
});
