import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { adaptSchema } from "../../src/translate/schema.ts";

const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: "object", properties, ...more });

describe("every provider receives", () => {
  test("an object schema, even for a tool without one", () => {
    expect(adaptSchema(undefined, "full")).toEqual(object({}));
    expect(adaptSchema({ type: "object" }, "full")).toEqual(object({}));
  });

  test.each(["$defs", "definitions"])("the target of a reference to %s in its place", (table) => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...object({ at: { $ref: `#/${table}/place`, description: "where" } }),
      [table]: { place: object({ x: { type: "number" } }) },
    };
    expect(adaptSchema(schema, "full")).toEqual(
      object({ at: { ...object({ x: { type: "number" } }), description: "where" } }),
    );
  });

  test("a finite schema for a recursive one", () => {
    const schema = {
      ...object({ tree: { $ref: "#/$defs/node" } }),
      $defs: { node: object({ next: { $ref: "#/$defs/node" } }) },
    };
    expect(JSON.stringify(adaptSchema(schema, "full"))).not.toContain("$ref");
  });

  test("a schema without restrictions for a broken reference", () => {
    expect(
      adaptSchema(object({ x: { $ref: "https://elsewhere" }, y: { $ref: "#/nowhere" } }), "full"),
    ).toEqual(object({ x: {}, y: {} }));
  });

  test("unions unchanged, if it supports them", () => {
    const schema = object({ x: { anyOf: [{ type: "string" }, { type: "number" }] } });
    expect(adaptSchema(schema, "full")).toEqual(schema);
  });
});

describe("a provider without support for unions receives", () => {
  const plain = (x: JsonObject) => adaptSchema(object({ x }), "plain").properties as { x: JsonObject };

  test.each<[string, JsonObject, JsonObject]>([
    ["the type next to null", { type: ["string", "null"] }, { type: "string" }],
    ["the schema next to null", { anyOf: [{ type: "string" }, { type: "null" }] }, { type: "string" }],
    ["the first of several types", { oneOf: [{ type: "string" }, { type: "number" }] }, { type: "string" }],
    [
      "all values of several lists",
      {
        anyOf: [
          { type: "string", enum: ["a"] },
          { type: "string", enum: ["b"] },
        ],
      },
      { type: "string", enum: ["a", "b"] },
    ],
    ["an enum of one value for a constant", { const: "a" }, { enum: ["a"] }],
    [
      "the properties of several objects, and what all of them require",
      {
        anyOf: [
          object({ a: { type: "string" }, k: { type: "string" } }, { required: ["a", "k"] }),
          object({ b: { type: "string" }, k: { type: "string" } }, { required: ["b", "k"] }),
        ],
      },
      object({ a: { type: "string" }, k: { type: "string" }, b: { type: "string" } }, { required: ["k"] }),
    ],
    [
      "the combination of all schemas in allOf",
      {
        allOf: [
          object({ a: { type: "string" } }, { required: ["a"] }),
          object({ b: { type: "string" } }, { required: ["b"] }),
        ],
      },
      object({ a: { type: "string" }, b: { type: "string" } }, { required: ["a", "b"] }),
    ],
    [
      "no keywords that it does not support",
      { type: "number", exclusiveMinimum: 0, maximum: 9, multipleOf: 2 },
      { type: "number", maximum: 9 },
    ],
    [
      "the same inside lists",
      { type: "array", items: { type: ["integer", "null"] } },
      { type: "array", items: { type: "integer" } },
    ],
  ])("%s", (_what, schema, expected) => {
    expect(plain(schema).x).toEqual(expected);
  });

  test("no additionalProperties", () => {
    expect(adaptSchema(object({}, { additionalProperties: false }), "plain")).toEqual(object({}));
  });
});
