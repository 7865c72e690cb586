import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usage } from "../../src/content/usage.ts";
import { DIALECTS } from "../../src/dialect/choose.ts";
import { claudeV1 } from "../../src/dialect/claude-v1.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage } from "../../src/message.ts";
import { isFailure, resultMessage } from "../../src/messages/result.ts";
import { Unknown } from "../../src/schema/unknown.ts";
import { readFixture } from "./fixtures.ts";
import { hear, written } from "./hearing.ts";
import { TABLES } from "./tables.ts";

const dialects = Object.values(DIALECTS);
const fixture = (file: string) => readFixture("claude_code_v1_0_x", file)[0] ?? {};

/** Reads a line of a 1.0 agent as a host does. */
function readOld(line: JsonObject): AgentMessage | undefined {
  return hear(claudeV1.forHost(), line).messages[0];
}

describe("rule 1: unknown fields are ignored", () => {
  const agentLines = TABLES.filter(({ dialect }) => dialect === claudeV1).flatMap(({ folder, contracts }) =>
    contracts
      .filter(({ from }) => from === "agent")
      .flatMap(({ file }) => readFixture(folder, file).map((line) => ({ file, line }))),
  );

  test.each(agentLines)("$file has the same meaning with two more fields", ({ line }) => {
    const more = { brand_new: "value", another: { nested: [true] } };
    const heard = hear(claudeV1.forHost(), { ...line, ...more });
    expect(heard.messages).toEqual([{ ...readOld(line), ...more }]);
    expect(heard.faults).toEqual([]);
    expect(written(claudeV1.forAgent(), heard.messages[0] as AgentMessage)[0]).toMatchObject(more);
  });
});

describe("rule 2: unknown message types are kept, not fatal", () => {
  const line = { type: "telemetry_v9", payload: { nested: [1, null] }, session_id: "s1" };
  const subtype = { type: "system", subtype: "aurora", sky: "green" };

  test.each(dialects)("$name keeps an unknown type unchanged", (dialect) => {
    const { messages, faults } = hear(dialect.forHost(), line);
    expect(faults).toEqual([]);
    expect(messages).toEqual([new Unknown("telemetry_v9", line)]);
    expect(JSON.parse(JSON.stringify(messages[0]))).toEqual(line);
  });

  test.each(dialects)("$name keeps an unknown system subtype unchanged", (dialect) => {
    const { messages } = hear(dialect.forHost(), subtype);
    expect(messages).toEqual([new Unknown("system/aurora", subtype)]);
  });

  test.each(dialects)("$name passes an unknown message on to its host", (dialect) => {
    const lines = written(dialect.forAgent(), new Unknown("telemetry_v9", line));
    const [again] = lines.flatMap((one) => hear(dialect.forHost(), one).messages);
    expect(again).toEqual(new Unknown("telemetry_v9", line));
  });

  test.each(dialects)("$name continues reading after an unknown message", (dialect) => {
    const host = dialect.forHost();
    hear(host, line);
    expect(hear(host, { type: "keep_alive" }).messages).toEqual([{ type: "keep_alive" }]);
  });
});

describe("rule 3: missing optional fields have sensible values", () => {
  test("an init claims nothing that it was not given", () => {
    expect(readOld({ type: "system", subtype: "init", session_id: "s1" })).toMatchObject({
      session_id: "s1",
      tools: [],
      model: "",
      cwd: "",
      permissionMode: "default",
      mcp_servers: [],
      slash_commands: [],
    });
  });

  test("a result has no cost unless it reports one, and zero time and tokens", () => {
    const message = readOld({ type: "result", session_id: "s1" });
    expect(message).toMatchObject({ subtype: "success", is_error: false, duration_ms: 0, num_turns: 0 });
    expect(message).toMatchObject({ usage: { input_tokens: 0, output_tokens: 0 } });
    expect(message).not.toHaveProperty("total_cost_usd");
  });

  test.each(["total_cost_usd", "duration_ms", "usage"])("a result without %s is still a result", (field) => {
    const { [field]: _, ...rest } = fixture("result_message.json");
    expect(readOld(rest)).toMatchObject({ type: "result", subtype: "success" });
  });

  test("fields that the old wire never had do not count as repairs", () => {
    const lines = [
      "system_init.json",
      "assistant_message.json",
      "user_tool_result.json",
      "result_message.json",
    ];
    expect(lines.flatMap((file) => hear(claudeV1.forHost(), fixture(file)).repairs)).toEqual([]);
  });
});

test("an unreadable field that the old wire had counts as a repair", () => {
  const line = { ...fixture("result_message.json"), duration_ms: "soon", num_turns: "2" };
  expect(hear(claudeV1.forHost(), line).repairs).toEqual([
    { path: "duration_ms", kind: "defaulted", was: "soon" },
    { path: "num_turns", kind: "coerced", was: "2" },
  ]);
});

describe("rule 4: a number may be a string, field by field", () => {
  const result = fixture("result_message.json");
  const numbers = (fields: readonly { readonly name: string; readonly doc: { readonly type: string } }[]) =>
    fields.filter(({ doc }) => doc.type.startsWith("number")).map(({ name }) => name);
  const counts = numbers(usage.doc().fields ?? []);
  const figures = numbers(resultMessage.doc().fields ?? []);

  test("the fields are those counted by the dialects and the official wire", () => {
    expect(counts.toSorted()).toEqual([
      "cache_creation_input_tokens",
      "cache_read_input_tokens",
      "input_tokens",
      "output_tokens",
    ]);
    expect(figures).toEqual(
      expect.arrayContaining(["duration_ms", "duration_api_ms", "num_turns", "total_cost_usd"]),
    );
  });

  test.each(counts)("usage.%s may be a string", (field) => {
    const before = Object.fromEntries(counts.map((name, index) => [name, 100 + index]));
    const readUsage = (value: unknown) => readOld({ ...result, usage: { ...before, [field]: value } });
    expect(readUsage("150")).toMatchObject({ usage: { ...before, [field]: 150 } });
    for (const bad of ["many", "", null, {}, [7], true, "NaN", "Infinity"])
      expect(readUsage(bad), JSON.stringify(bad)).toMatchObject({ usage: { ...before, [field]: 0 } });
  });

  test.each(figures)("%s may be a string", (field) => {
    const { [field]: _, ...others } = result;
    expect(readOld({ ...result, [field]: "12.5" })).toMatchObject({ ...others, [field]: 12.5 });
    expect(readOld({ ...result, [field]: "soon" })).toMatchObject(others);
    expect(readOld({ ...result, [field]: "soon" })).not.toHaveProperty(field, "soon");
  });

  test("the Dart dialect's own figures may be strings too", () => {
    const line = { type: "result", subtype: "success", turn_count: "3", duration_seconds: "5.2" };
    expect(hear(DIALECTS.dart.forHost(), line).messages).toMatchObject([{ num_turns: 3, duration_ms: 5200 }]);
  });
});

describe("rule 5: no order is assumed", () => {
  test.each(dialects)("$name reads every line the same, whatever its position", (dialect) => {
    const lines = TABLES.filter((table) => table.dialect === dialect).flatMap(({ folder, contracts }) =>
      contracts
        .filter(({ from, inside }) => from === "agent" && !inside)
        .flatMap(({ file }) => readFixture(folder, file)),
    );
    const alone = new Map(lines.map((line) => [line, hear(dialect.forHost(), line).messages]));
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        const host = dialect.forHost();
        for (const line of shuffled) expect(hear(host, line).messages).toEqual(alone.get(line));
      }),
      { numRuns: 25 },
    );
  });
});

describe("an unknown result subtype", () => {
  test.each([
    [{ subtype: "success" }, false],
    [{ subtype: "partial" }, false],
    [{}, false],
    [{ subtype: "partial", is_error: true }, true],
    [{ subtype: "error", error: "Rate limit exceeded" }, true],
    [{ subtype: "error_of_tomorrow" }, true],
    [{ subtype: "success", is_error: "true" }, true],
  ])("%j counts as failed: %s", (fields, failed) => {
    const message = readOld({ type: "result", session_id: "s1", ...fields });
    if (message?.type !== "result") throw new Error("this is no result");
    expect(isFailure(message)).toBe(failed);
  });
});
