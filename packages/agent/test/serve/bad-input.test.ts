import { describe, expect, test } from "vitest";
import { openAgent, startAgent } from "../agent-process.ts";
import { bash, playing, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { answers, holds, is, isResult, prompt } from "../wire.ts";

const json = JSON.stringify;
const user = (message: unknown) => json({ type: "user", message });

/** Lines that make the official agent exit. */
const FATAL: readonly (readonly [string, string | Buffer])[] = [
  ["text that is not JSON", "hello"],
  ["half an object", '{"type":"user","message":{"role":"us'],
  ["two objects in one line", `${json(prompt("a"))}${json(prompt("b"))}`],
  ["null", "null"],
  ["a prompt without a message", json({ type: "user" })],
  ["a prompt whose message is null", user(null)],
  ["a prompt whose message is text", user("hi")],
  ["a prompt with the role assistant", user({ role: "assistant", content: "hi" })],
  ["a prompt without a role", user({ content: "hi" })],
  ["a prompt without content", user({ role: "user" })],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ["a deeply nested line", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
  ["a line of 11 MB", json(prompt("x".repeat(11_000_000)))],
];

/** Meaningless lines without effect. */
const HARMLESS: readonly (readonly [string, string])[] = [
  ["an unknown type", json({ type: "hologram", data: 1 })],
  ["an inherited property name as the type", json({ type: "constructor" })],
  ["no type", json({ message: "hi" })],
  ["an array", "[1,2]"],
  ["a string", '"user"'],
  ["a number", "42"],
  ["true", "true"],
  ["blank lines", "\n   \n\t"],
  ["a keep-alive", json({ type: "keep_alive" })],
  [
    "an answer to no request",
    json({ type: "control_response", response: { subtype: "success", request_id: "x" } }),
  ],
  ["a withdrawal of an unknown request", json({ type: "control_cancel_request", request_id: "x" })],
];

const SCRIPT = { steps: [], whenExhausted: { text: "alive" } };

async function startWith(more: readonly string[]) {
  const place = await newPlace();
  return startAgent(place, { args: [...(await playing(place, SCRIPT)), ...more] });
}

/** The same inside the test, for lines that do not end the agent. */
async function openWith(more: readonly string[]) {
  const place = await newPlace();
  return openAgent(place, { args: [...(await playing(place, SCRIPT)), ...more] });
}

describe("a malformed line", { timeout: 30_000 }, () => {
  test.each(FATAL)("ends the process with exit code 1 and a reason on stderr: %s", async (_, line) => {
    const agent = await startWith([]);
    agent.child.stdin.write(line);
    agent.child.stdin.write(`\n${json(prompt("still there?"))}\n`);
    expect(await agent.ended()).toEqual({ code: 1, signal: null });
    expect(agent.complaints()).toMatch(/^agentwire-agent: \S.+\n$/);
    expect(agent.complaints().length).toBeLessThan(1000);
    expect(agent.garbage).toEqual([]);
    expect(agent.lines.filter(isResult)).toEqual([]);
  });

  test.each(FATAL)("is reported and skipped with --tolerant: %s", async (_, line) => {
    const agent = await openWith(["--tolerant"]);
    agent.input.write(line);
    agent.input.write(`\n${json(prompt("still there?"))}\n`);
    expect(await agent.line(isResult)).toMatchObject({ result: "alive", is_error: false });
    expect(agent.complaints()).toMatch(/^agentwire-agent: \S/);
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.garbage).toEqual([]);
  });

  test("during a turn also ends the process, with the running tool", async () => {
    const place = await newPlace();
    const script = { steps: [{ content: [bash(STUBBORN)] }] };
    const agent = startAgent(place, { args: [...(await playing(place, script)), ...UNASKED] });
    agent.send(prompt("work"));
    await place.file("running");
    agent.child.stdin.write("nonsense\n");
    expect(await agent.ended(4000)).toEqual({ code: 1, signal: null });
    expect(agent.lines.filter(isResult)).toEqual([]);
    await expectNothingLeft(place);
  });
});

describe("a meaningless line", { timeout: 30_000 }, () => {
  test.each(HARMLESS)("has no effect: %s", async (_, line) => {
    const agent = await openWith([]);
    agent.input.end(`${line}\n${json(prompt("still there?"))}\n`);
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ result: "alive" }]);
    expect(agent.garbage).toEqual([]);
  });

  test.each([
    ["an unknown subtype", { subtype: "levitate" }],
    ["an inherited property name as the subtype", { subtype: "__proto__" }],
    ["a known subtype without its parameters", { subtype: "set_permission_mode" }],
    ["no subtype", {}],
  ])("is answered with an error if it is a request: %s", async (_, inner) => {
    const agent = await openWith([]);
    agent.send({ type: "control_request", request_id: "r1", request: inner });
    expect(await agent.line(answers("r1"))).toMatchObject({
      response: { subtype: "error", request_id: "r1" },
    });
    agent.send(prompt("still there?"));
    expect(await agent.line(isResult)).toMatchObject({ result: "alive" });
  });
});

test("input is read byte by byte, with carriage returns and a byte order mark", async () => {
  const agent = await startWith([]);
  const text = `\ufeff${json(prompt("grüße"))}\r\n`;
  for (const byte of Buffer.from(text)) agent.child.stdin.write(Buffer.from([byte]));
  agent.child.stdin.end();
  expect(await agent.ended()).toEqual({ code: 0, signal: null });
  expect(agent.lines.filter(is("system", "init"))).toHaveLength(1);
  expect(agent.lines.some(holds("text"))).toBe(true);
});
