import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentMessages, hostMessages } from "../../src/message.ts";
import { systemMessage } from "../../src/messages/system.ts";
import type { Schema } from "../../src/schema/schema.ts";
import { Unknown } from "../../src/schema/unknown.ts";
import { readSlowly } from "./reading.ts";
import { agentSamples, hostSamples, type Sample, systemSamples } from "./samples.ts";

const schemaIn = (table: ReadonlyMap<string, Schema<unknown>>, key: string) => {
  const schema = table.get(key);
  if (!schema) throw new Error(`no schema for ${key}`);
  return schema;
};

const rows = (
  family: string,
  samples: { readonly [key: string]: Sample },
  table: ReadonlyMap<string, Schema<unknown>>,
) =>
  Object.entries(samples).map(([key, sample]) => ({
    name: `${family}${key}`,
    schema: schemaIn(table, key),
    ...sample,
  }));

const messages = [
  ...rows("", agentSamples, agentMessages),
  ...rows("system/", systemSamples, systemMessage.table),
  ...rows("host ", hostSamples, hostMessages),
];

test("every message has a sample here", () => {
  const sampled = (samples: object) => [
    ...Object.keys(samples),
    "control_request",
    "control_response",
    "control_cancel_request",
    "system",
  ];
  expect(sampled(agentSamples).toSorted()).toEqual([...agentMessages.keys()].toSorted());
  expect(sampled(hostSamples).toSorted()).toEqual([...hostMessages.keys()].toSorted());
  expect(Object.keys(systemSamples).toSorted()).toEqual([...systemMessage.table.keys()].toSorted());
});

describe.each(messages)("$name", ({ schema, line, required }) => {
  test("is accepted unchanged", () => {
    expect(schema.accepts(line)).toBe(true);
    expect(readSlowly(schema, line)).toEqual({ value: line, repairs: [] });
  });

  test.each(Object.keys(line))("without %s is unreadable only if that field is required", (field) => {
    const { [field]: _, ...rest } = line;
    const { value, failure, repairs } = readSlowly(schema, rest);
    expect(schema.accepts(rest)).toBe(false);
    if (required.includes(field)) {
      expect({ value, failure }).toEqual({ value: undefined, failure: `${field} is missing` });
    } else {
      expect(repairs).toEqual([{ path: field, kind: "defaulted", was: undefined }]);
      expect(value).toMatchObject(rest);
      expect(value).toHaveProperty(field);
    }
  });

  test("keeps keys it does not know", () => {
    const newer = { ...line, x_new: { deep: [1, null] } };
    expect(schema.accepts(newer)).toBe(true);
    expect(readSlowly(schema, newer).value).toEqual(newer);
  });

  test("refuses a value that is not an object", () => {
    for (const value of [null, [], "x", 1]) expect(schema.accepts(value)).toBe(false);
  });

  test("reads any value or says why not, and needs no second repair", () => {
    const fields = [...Object.keys(line), ...(schema.doc().fields ?? []).map((field) => field.name)];
    const broken = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    fc.assert(
      fc.property(broken, (damage) => {
        const { value, failure } = readSlowly(schema, { ...line, ...damage });
        if (value === undefined) {
          expect(failure).toEqual(expect.any(String));
          return;
        }
        const again = readSlowly(schema, value);
        expect(JSON.stringify(again.value)).toBe(JSON.stringify(value));
        expect(again.repairs.filter((repair) => repair.kind !== "unknown")).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("system", () => {
  test("an unknown subtype is kept completely under its full name", () => {
    const line = { type: "system", subtype: "brand_new", payload: { a: 1 }, uuid: "u" };
    const { value, repairs } = readSlowly(systemMessage, line);
    expect(value).toEqual(new Unknown("system/brand_new", line));
    expect(repairs).toEqual([{ path: "", kind: "unknown", was: "brand_new" }]);
    expect(JSON.stringify(value)).toBe(JSON.stringify(line));
  });

  test("a known subtype that lacks a required field is kept completely too", () => {
    const line = { type: "system", subtype: "task_started", description: "no id" };
    expect(readSlowly(systemMessage, line).value).toEqual(new Unknown("system/task_started", line));
  });

  test("a subtype named like a member of Object.prototype is unknown", () => {
    const line = { type: "system", subtype: "constructor" };
    expect(readSlowly(systemMessage, line).value).toBeInstanceOf(Unknown);
  });
});

test("a prompt with another role is refused", () => {
  const line = { type: "user", message: { role: "assistant", content: "hi" } };
  expect(readSlowly(schemaIn(hostMessages, "user"), line).failure).toBe('message.role should be "user"');
});

test("a reply without content is refused", () => {
  const line = { type: "assistant", message: { id: "msg_1", model: "m" } };
  expect(readSlowly(schemaIn(agentMessages, "assistant"), line).failure).toBe("message.content is missing");
});
