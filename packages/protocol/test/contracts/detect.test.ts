import { expect, test } from "vitest";
import { detecting } from "../../src/dialect/detect.ts";
import type { JsonObject } from "../../src/json.ts";
import { Malformed } from "../../src/lines/malformed.ts";
import { hear, written } from "./hearing.ts";
import { answer, init, prompt, request, result } from "./official.ts";

const fault = new Malformed("not_json", "the line is not JSON", "nonsense");
const create = { type: "session.create", message: { role: "user", content: "Hello" } };
const rpc = { jsonrpc: "2.0", id: 7, method: "run", params: { prompt: "Hello" } };

/** An agent's end that has read these lines. */
function after(...lines: readonly JsonObject[]) {
  const translation = detecting(() => {}).forAgent();
  for (const line of lines) hear(translation, line);
  return translation;
}

test("the official spelling is used until a line shows another", () => {
  const translation = detecting(() => {}).forAgent();
  expect(written(translation, result())).toEqual([result()]);
  expect(translation.refuse?.(fault)).toEqual([]);
  expect(hear(translation, create).messages).toContainEqual(prompt("Hello"));
  expect(written(translation, result())).toMatchObject([{ turn_count: 1 }]);
  expect(translation.refuse?.(fault)).toMatchObject([{ error: { code: "INVALID_MESSAGE" } }]);
});

test.each([
  ["a Dart prompt", [create], { turn_count: 1 }],
  ["a JSON-RPC request", [rpc], { jsonrpc: "2.0", id: 7 }],
  ["miriad's control line", [{ type: "control", action: "status" }], { num_turns: 0 }],
  ["an official prompt", [prompt("Hello"), create, rpc], { type: "result", num_turns: 1 }],
  ["an official request", [request("r1", "set_model"), create, rpc], { type: "result", num_turns: 1 }],
])("%s decides the dialect for good", (_name, lines, expected) => {
  const [line] = written(after(...(lines as JsonObject[])), result());
  expect(line).toMatchObject(expected);
  if (!("turn_count" in expected)) expect(line).not.toHaveProperty("turn_count");
});

test("a handshake that shows no dialect is answered in the official spelling, whatever later lines show", () => {
  const translation = after(request("r1", "initialize", { hooks: {} }), create);
  expect(written(translation, answer("r1", {}))).toEqual([answer("r1", {})]);
  expect(written(translation, init({ session_id: "s1" }))).toMatchObject([
    { type: "session.created", session_id: "s1" },
    { type: "system", subtype: "init" },
  ]);
});

test("only one answer to an id is in the official spelling: another request may reuse the id later", () => {
  const shared = request("r1", "interrupt");
  const translation = after(shared, { type: "control_cancel_request", request_id: "r1" }, create);
  expect(written(translation, answer("r1", {}))).toEqual([
    { type: "control_response", request_id: "r1", response: {} },
  ]);
});

test("onKnown is called once, before the line is read", () => {
  const heard: string[] = [];
  const translation = detecting(({ name }) => heard.push(name)).forAgent();
  hear(translation, request("r1", "initialize"));
  expect(heard).toEqual([]);
  translation.decode(rpc, { ...SILENT, message: () => heard.push("the prompt") });
  translation.decode(create, SILENT);
  expect(heard).toEqual(["jsonrpc", "the prompt"]);
});

const SILENT = { message() {}, malformed() {}, repaired() {}, reply() {} };
