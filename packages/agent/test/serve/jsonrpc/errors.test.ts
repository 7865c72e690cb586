import { describe, expect, test } from "vitest";
import { ends, inside, openScripted, run } from "./rpc.ts";

const request = (fields: object) => JSON.stringify({ jsonrpc: "2.0", id: 5, ...fields });

/** Mistakes of a host, and their errors. */
const MISTAKES: readonly (readonly [string, string | Buffer, number, unknown])[] = [
  ["text that is not JSON", "hello", -32700, null],
  ["half a request", '{"jsonrpc":"2.0","id":5,"meth', -32700, null],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), -32700, null],
  ["an empty batch", "[]", -32600, null],
  ["null", "null", -32600, null],
  ["an empty object", "{}", -32600, null],
  ["another version", JSON.stringify({ jsonrpc: "1.0", id: 5, method: "status" }), -32600, 5],
  ["no method", request({}), -32600, 5],
  ["params that are a string", request({ method: "run", params: "x" }), -32600, 5],
  ["an id that is an object", request({ id: {}, method: "status" }), -32600, null],
  ["a line of 11 MB", request({ method: "x".repeat(11_000_000) }), -32600, null],
  ["a deeply nested line", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`, -32600, null],
  ["a prompt outside a run", '{"type":"user","message":{"role":"user","content":"x"}}', -32600, null],
  ["an unknown method", request({ method: "walk" }), -32601, 5],
  ["an inherited property name as the method", request({ method: "constructor" }), -32601, 5],
  ["a run without params", request({ method: "run" }), -32602, 5],
  ["a run without a prompt", request({ method: "run", params: {} }), -32602, 5],
  ["a prompt that is a number", request({ method: "run", params: { prompt: 7 } }), -32602, 5],
  [
    "a session id that is a number",
    request({ method: "run", params: { prompt: "x", session_id: 7 } }),
    -32602,
    5,
  ],
  ["a cancel without a run", request({ method: "cancel" }), -32002, 5],
];

describe("a mistake of the host", { timeout: 30_000 }, () => {
  test("is answered with its code and has no other effect", async () => {
    const agent = await openScripted({ steps: [{ text: "Still here." }] });
    for (const [, line] of MISTAKES) {
      agent.input.write(line);
      agent.input.write("\n");
    }
    agent.send(run(1, "Are you there?"));
    expect(inside(await agent.line(ends(1)))).toMatchObject({ result: "Still here." });
    const refusals = agent.lines.slice(0, MISTAKES.length);
    expect(MISTAKES.map(([mistake], at) => [mistake, refusals[at]])).toEqual(
      MISTAKES.map(([mistake, , code, id]) => [
        mistake,
        { jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(/\S/) } },
      ]),
    );
    expect(agent.lines.filter((line) => "error" in line)).toHaveLength(MISTAKES.length);
    expect(agent.garbage).toEqual([]);
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
  });

  test("during a run does not affect the run", async () => {
    const agent = await openScripted({ steps: [{ text: "Slowly.", delayBefore: 300 }] });
    agent.send(run(1, "Hello"));
    agent.input.write("nonsense\n");
    expect(inside(await agent.line(ends(1)))).toMatchObject({ result: "Slowly." });
    expect(agent.lines.filter((line) => line.id === null)).toMatchObject([{ error: { code: -32700 } }]);
  });
});
