import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { answersOf, checkedContent, contentFromAnswers, fieldsOf } from "../../src/permission/form.ts";

const only = (schema: JsonObject, isRequired = true) =>
  fieldsOf({ type: "object", properties: { it: schema }, required: isRequired ? ["it"] : [] });

/** What an answer to the only field becomes, or why it is refused. */
function given(schema: JsonObject, text: string): unknown {
  const fields = only({ title: "It", ...schema });
  try {
    return contentFromAnswers(fields, { It: text }).it;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a form field", () => {
  const colours = {
    type: "string",
    oneOf: [
      { const: "r", title: "Red" },
      { const: "b", title: "Blue, dark" },
    ],
  };
  const several = { type: "array", items: { anyOf: colours.oneOf }, minItems: 1, maxItems: 2 };
  test.each([
    [{ type: "string" }, " Ada ", "Ada"],
    [{ type: "string", minLength: 3 }, "😀😀", "It: enter at least 3 characters"],
    [{ type: "string", maxLength: 2 }, "😀😀", "😀😀"],
    [{ type: "string", format: "email" }, "ada", "It: enter an e-mail address"],
    [{ type: "string", format: "email" }, "ada@example.com", "ada@example.com"],
    [{ type: "string", format: "uri" }, "example", "It: enter an address such as https://example.com"],
    [{ type: "string", format: "date" }, "2026-02-30", "It: enter a date such as 2026-01-31"],
    [{ type: "string", format: "date" }, "2026-02-28", "2026-02-28"],
    [{ type: "string", format: "date-time" }, "2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z"],
    [{ type: "string", format: "of the future" }, "anything", "anything"],
    [{ type: "number", minimum: 1 }, "0.5", "It: enter at least 1"],
    [{ type: "number" }, "1e3", 1000],
    [{ type: "integer" }, "1.5", "It: enter a whole number"],
    [{ type: "integer" }, "many", "It: enter a number"],
    [{ type: "boolean" }, "yes", true],
    [{ type: "boolean" }, "false", false],
    [{ type: "boolean" }, "maybe", "It: choose Yes or No"],
    [{ type: "string", enum: ["a", "b"], enumNames: ["First", "Second"] }, "Second", "b"],
    [{ type: "string", enum: ["a", "b"] }, "c", "It: choose a or b"],
    [colours, "Blue, dark", "b"],
    [colours, "r", "r"],
    [several, "Blue, dark, Red", ["b", "r"]],
    [several, "red,b", ["r", "b"]],
    [several, "Green", "It: choose from Red, Blue, dark"],
    [{ ...several, maxItems: 1 }, "Red, Blue, dark", "It: choose at most 1"],
    [{ type: "string" }, "  ", "no answer given to: It"],
  ] as const)("%j turns %j into %j", (schema, text, expected) => {
    expect(given(schema as JsonObject, text)).toEqual(expected);
  });

  test("may be left empty if it is optional, and shows its default by its label", () => {
    const [field] = only({ ...colours, default: "b" }, false);
    expect(field?.asked).toMatchObject({ optional: true, onlyOptions: true, initial: "Blue, dark" });
    expect(contentFromAnswers(field ? [field] : [], {})).toEqual({});
  });
});

describe("a form", () => {
  test("asks in the order it lists, and distinguishes fields with the same text", () => {
    const field = { type: "string", description: "Which one?" };
    const fields = fieldsOf({ properties: { a: field, b: field, c: { type: "string" } } }, ["b", "nothing"]);
    expect(fields.map(({ name, asked }) => [name, asked.question])).toEqual([
      ["b", "Which one?"],
      ["a", "Which one? (a)"],
      ["c", "c"],
    ]);
  });

  test.each([
    [{ properties: { a: { type: "object" } } }, /field a has a type that can't be shown/],
    [{ properties: { a: null } }, /field a has a type/],
    [{ properties: { a: { type: "array", items: { type: "string" } } } }, /has no options/],
    [{ properties: {}, required: ["b"] }, /requires b/],
    [
      {
        properties: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: "string" }])),
      },
      /more than 50 fields/,
    ],
  ])("that can't be shown is refused: %#", (schema, fault) => {
    expect(() => fieldsOf(schema as JsonObject)).toThrow(fault);
  });

  test("checks content given by schema names just as strictly, and shows it by its labels", () => {
    const fields = fieldsOf({
      properties: { a: { type: "boolean", title: "Sure?" }, n: { type: "number" } },
      required: ["a"],
    });
    expect(answersOf(fields, checkedContent(fields, { a: true, n: 2 }))).toEqual({ "Sure?": "Yes", n: "2" });
    expect(() => checkedContent(fields, { a: "true" })).toThrow("Sure?: choose Yes or No");
    expect(() => checkedContent(fields, { n: 1 })).toThrow("no answer given to: Sure?");
    expect(() => checkedContent(fields, { a: true, n: "2" })).toThrow("n: enter a number");
    expect(() => checkedContent(fields, { a: true, x: 1 })).toThrow("the form has no field x");
  });
});
