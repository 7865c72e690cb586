import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { query } from "../../src/query/start-query.ts";
import type { QueryOptions } from "../../src/sdk/own-options.ts";
import { agentFile, queryAgent, readAll } from "../programs/agent-file.ts";
import { freshFolder, SHORT, timed } from "../programs/shell-agent.ts";

const BEGIN = "next; answer; next; init";
const STOPPED = "kill -s STOP $$";

const within = (deadlines: NonNullable<QueryOptions["agentwire"]>["deadlines"]): QueryOptions => ({
  agentwire: { deadlines: { ...SHORT, ...deadlines } },
});

describe("a query with deadlines", { timeout: 60_000 }, () => {
  test.each([
    {
      when: "before its first line",
      script: STOPPED,
      deadlines: { firstLineMs: 400 },
      code: "no_first_line",
    },
    {
      when: "in a turn",
      script: `${BEGIN}; text; ${STOPPED}`,
      deadlines: { silenceMs: 400 },
      code: "silent",
    },
    { when: "in a tool", script: `${BEGIN}; tool; ${STOPPED}`, deadlines: { toolMs: 400 }, code: "silent" },
  ])("ends an agent that freezes $when", async ({ script, deadlines, code }) => {
    const { value, ms } = await timed(() => readAll(queryAgent(script, "go", within(deadlines))));
    expect(value.error).toMatchObject({ code, pid: expect.any(Number) });
    expect(ms).toBeLessThan(15_000);
  });

  test("ends an agent that stays after its result, without an error", async () => {
    const script = `${BEGIN}; text; result; ${STOPPED}`;
    expect(await readAll(queryAgent(script, "go", within({ exitMs: 300 })))).toEqual({
      types: ["system", "assistant", "result"],
      error: undefined,
    });
  });

  test("accepts a tool that is silent for longer than a model may be", async () => {
    const script = `${BEGIN}; tool; sleep 1; toolResult; result; cat >/dev/null`;
    const { types, error } = await readAll(queryAgent(script, "go", within({ silenceMs: 400 })));
    expect(error).toBeUndefined();
    expect(types.at(-1)).toBe("result");
  });

  test("denies a call if canUseTool never answers", async () => {
    const folder = freshFolder();
    const script = `${BEGIN}; ask; next; printf '%s' "$line" > ${folder}/answer; result; cat >/dev/null`;
    const options: QueryOptions = { ...within({ answerMs: 300 }), canUseTool: () => new Promise(() => {}) };
    expect((await readAll(queryAgent(script, "go", options))).types.at(-1)).toBe("result");
    expect(JSON.parse(readFileSync(join(folder, "answer"), "utf8"))).toMatchObject({
      response: { response: { behavior: "deny", message: expect.stringContaining("300 ms") } },
    });
  });

  test("gives a control request the configured time", async () => {
    const running = queryAgent(`${BEGIN}; cat >/dev/null`, "go", within({ requestMs: 300 }));
    await expect(running.getContextUsage()).rejects.toMatchObject({ code: "request_timeout" });
    await running.return();
  });
});

test("a query can be recorded", async () => {
  const record = join(freshFolder(), "talk.jsonl");
  const options = { ...agentFile(`${BEGIN}; result; cat >/dev/null`), agentwire: { record } };
  await readAll(query({ prompt: "go", options }));
  const entries = readFileSync(record, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ dir, eof, line }) => (eof ? "eof" : `${dir} ${line.type}`))).toEqual([
    "in control_request",
    "in user",
    "out control_response",
    "out system",
    "out result",
    "eof",
  ]);
});

test.each([
  { agentwire: { deadlines: { silence: 5 } }, code: "unsupported_option" },
  { agentwire: { deadlines: { silenceMs: -1 } }, code: "invalid_option" },
  { agentwire: { deadlines: { silenceMs: "5" } }, code: "invalid_option" },
  { agentwire: { dedlines: {} }, code: "unsupported_option" },
])("$agentwire is rejected before anything starts", ({ agentwire, code }) => {
  const options = { pathToClaudeCodeExecutable: "/no/such/agent", agentwire } as unknown as QueryOptions;
  expect(() => query({ prompt: "go", options })).toThrow(expect.objectContaining({ code }));
});
