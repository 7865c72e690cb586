import { describe, expect, test } from "vitest";
import { dart } from "../../src/dialect/choose.ts";
import { hear, written } from "./hearing.ts";
import { answer, init, prompt, refusal, reply, request, result, text } from "./official.ts";
import { agentLines, lastAsked, openWire, type Wire } from "./wire.ts";

const line = (wire: Wire, value: object) => wire.hostWrites(`${JSON.stringify(value)}\n`);
const says = (type: string, content: string) => ({ type, message: { role: "user", content } });
const error = (code: string) => ({ type: "error", error: { code, message: expect.any(String) } });
const prompts = (wire: Wire) => wire.agentHeard.filter(({ type }) => type === "user");
const about = init({ session_id: "s1" });

describe("the order of a session", () => {
  const types = (wire: Wire) => agentLines(wire).map(({ type, subtype }) => subtype ?? type);

  test("is the same if the host waits for nothing", () => {
    const wire = openWire(dart);
    wire.hostSays(request("req_1", "initialize", { systemPrompt: ["Be brief."] }));
    wire.hostSays(prompt("Hello"));
    const described = wire.agentHeard.findLast((message) => message.type === "control_request");
    expect(described).toMatchObject({ request: { subtype: "session_status" } });
    wire.agentSays(answer("req_1", {}));
    wire.agentSays(answer(lastAsked(wire), { init: about }));
    wire.agentSays(about);
    wire.agentSays(reply("msg_1", text("Hi.")));
    wire.agentSays(result());
    expect(types(wire)).toEqual(["control_response", "init", "session.created", "assistant", "success"]);
  });

  test("puts the answer to initialize first, even if the description is ready before it", () => {
    const wire = openWire(dart);
    wire.hostSays(request("req_1", "initialize"));
    wire.agentSays(answer(lastAsked(wire), { init: about }));
    expect(types(wire)).toEqual([]);
    wire.agentSays(answer("req_1", {}));
    expect(types(wire)).toEqual(["control_response", "init"]);
  });

  test("introduces the session with the first turn if the agent can't describe it earlier", () => {
    const wire = openWire(dart);
    wire.hostSays(request("req_1", "initialize"));
    wire.agentSays(answer("req_1", {}));
    wire.agentSays(refusal(lastAsked(wire), "unsupported"));
    wire.hostSays(prompt("Hello"));
    wire.agentSays(about);
    expect(types(wire)).toEqual(["control_response", "session.created", "init"]);
  });

  test("needs no initialize, and then starts with the session's own description", () => {
    const wire = openWire(dart);
    wire.hostSays(prompt("Hello"));
    wire.agentSays(answer(lastAsked(wire), { init: about }));
    wire.agentSays(about);
    wire.agentSays(result());
    expect(types(wire)).toEqual(["session.created", "init", "success"]);
  });

  test("needs no description, and then uses that of the turn", () => {
    const wire = openWire(dart);
    wire.hostSays(prompt("Hello"));
    wire.agentSays(about);
    wire.agentSays(result());
    wire.hostSays(prompt("And?"));
    wire.agentSays(about);
    wire.agentSays(result());
    expect(wire.lines.map((entry) => entry.line.subtype ?? entry.line.type)).toEqual([
      "session.create",
      "session.created",
      "init",
      "success",
      "session.send",
      "success",
    ]);
  });

  test("answers each of two handshakes in its own spelling and introduces the session once", () => {
    const wire = openWire(dart);
    wire.hostSays(request("req_1", "initialize"));
    const described = lastAsked(wire);
    wire.hostSays(request("req_2", "initialize"));
    wire.agentSays(answer("req_1", { commands: [{ name: "help" }] }));
    wire.agentSays(answer("req_2", { commands: [{ name: "help" }] }));
    wire.agentSays(answer(described, { init: about }));
    expect(types(wire)).toEqual(["control_response", "control_response", "init"]);
    expect(agentLines(wire).slice(0, 2)).toMatchObject([
      { request_id: "req_1", response: { commands: [{ name: "/help" }] } },
      { request_id: "req_2", response: { commands: [{ name: "/help" }] } },
    ]);
  });

  test("waits for a session id before it reports that the session was created", () => {
    const wire = openWire(dart);
    wire.hostSays(prompt("Hello"));
    wire.agentSays(init({ session_id: "" }));
    expect(types(wire)).toEqual(["init"]);
    wire.agentSays(about);
    expect(agentLines(wire).at(-1)).toEqual({ type: "session.created", session_id: "s1" });
  });

  test("lists tools as objects even if only their names are known", () => {
    const [introduced] = written(dart.forAgent(), init({ tools: ["Bash"] }));
    expect(introduced?.tools).toEqual([{ name: "Bash", description: "" }]);
  });

  test("keeps tools that only some descriptions include", () => {
    const mixed = { type: "system", subtype: "init", tools: [{ name: "Bash", description: "Runs" }, "Read"] };
    const [message] = hear(dart.forHost(), mixed).messages;
    expect(message).toMatchObject({ tools: ["Bash", "Read"], tool_definitions: [{ name: "Bash" }] });
    expect(message && written(dart.forAgent(), message)[0]?.tools).toEqual(mixed.tools);
  });
});

describe("the servers named in initialize", () => {
  const calc = { command: "calc" };

  test("are set by a separate request, in time for the description", () => {
    const wire = openWire(dart);
    line(wire, request("req_1", "initialize", { mcp_servers: { calc } }));
    expect(wire.agentHeard).toMatchObject([
      { request_id: "req_1" },
      { request: { subtype: "mcp_set_servers", servers: { calc } } },
      { request: { subtype: "session_status" } },
    ]);
  });

  test.each([
    [answer("", { added: ["calc"], errors: {} }), []],
    [
      answer("", { added: ["calc"], errors: { calc: "no such program" } }),
      ["mcp_servers: calc: no such program"],
    ],
    [refusal("", "servers is no object"), ["mcp_servers: servers is no object"]],
  ])("are mentioned only if one fails: %j", (given, messages) => {
    const wire = openWire(dart);
    line(wire, request("req_1", "initialize", { mcp_servers: { calc } }));
    const [, asked] = wire.agentHeard;
    const request_id = asked?.type === "control_request" ? asked.request_id : "";
    wire.agentSays({ ...given, response: { ...given.response, request_id } } as typeof given);
    expect(agentLines(wire)).toEqual(
      messages.map((message) => ({ type: "error", error: { code: "REQUEST_FAILED", message } })),
    );
  });
});

describe("errors", () => {
  test.each([
    [says("session.send", "too early"), "SESSION_NOT_FOUND"],
    [{ type: "callback.response", response: { request_id: "nobody" } }, "CALLBACK_NOT_FOUND"],
    [{ type: "callback.response", response: { request_id: { toString: 1 } } }, "CALLBACK_NOT_FOUND"],
    [{ type: "callback.response" }, "CALLBACK_NOT_FOUND"],
    [{ type: "session.create" }, "INVALID_MESSAGE"],
    [{ type: "session.create", message: { role: "assistant", content: "x" } }, "INVALID_MESSAGE"],
    [{ type: "session.destroy" }, "INVALID_MESSAGE"],
    [{ message: {} }, "INVALID_MESSAGE"],
    [[], "INVALID_MESSAGE"],
  ])("%j is answered with %s, and the next line is read", (value, code) => {
    const wire = openWire(dart);
    line(wire, value);
    expect(agentLines(wire)).toEqual([error(code)]);
    expect(wire.hostHeard).toMatchObject([{ type: "system", subtype: "error", code }]);
    line(wire, says("session.create", "Hello"));
    expect(prompts(wire)).toEqual([prompt("Hello")]);
  });

  test("a line that is not JSON is reported as an invalid message", () => {
    const wire = openWire(dart);
    wire.hostWrites("nonsense\n");
    expect(agentLines(wire)).toEqual([error("INVALID_MESSAGE")]);
  });

  test("a second session.create is refused", () => {
    const wire = openWire(dart);
    line(wire, says("session.create", "Hello"));
    line(wire, says("session.create", "Hello again"));
    expect(prompts(wire)).toHaveLength(1);
    expect(agentLines(wire)).toEqual([error("SESSION_EXISTS")]);
  });

  test("an unreadable session.create opens no session", () => {
    const wire = openWire(dart);
    line(wire, { type: "session.create" });
    line(wire, says("session.send", "Hello"));
    expect(agentLines(wire).at(-1)).toEqual(error("SESSION_NOT_FOUND"));
  });

  test("a failed request is an error with its id on the wire, and its answer for the host", () => {
    const wire = openWire(dart);
    wire.hostSays(request("req_1", "set_model", { model: "x" }));
    wire.agentSays(refusal("req_1", "no such model"));
    expect(agentLines(wire)).toEqual([{ ...error("REQUEST_FAILED"), request_id: "req_1" }]);
    expect(wire.hostHeard).toMatchObject([
      { response: { request_id: "req_1", error: "no such model", error_code: "REQUEST_FAILED" } },
    ]);
  });
});

test("official lines are understood on the same stdin", () => {
  const wire = openWire(dart);
  line(wire, prompt("Hello"));
  line(wire, request("req_1", "set_model", { model: "opus" }));
  line(wire, { type: "keep_alive" });
  expect(wire.agentHeard).toEqual([
    prompt("Hello"),
    request("req_1", "set_model", { model: "opus" }),
    { type: "keep_alive" },
  ]);
});

test("several errors are one text in the Dart dialect and a list again for the host", () => {
  const wire = openWire(dart);
  wire.agentSays(result({ subtype: "error_max_turns", is_error: true, errors: ["one", "two"] }));
  expect(agentLines(wire)).toMatchObject([{ subtype: "error_max_turns", error: "one\ntwo" }]);
  expect(wire.hostHeard).toMatchObject([{ subtype: "error_max_turns", errors: ["one", "two"] }]);
});

test("a notice without a code gets one in the Dart dialect", () => {
  const notice = {
    type: "system",
    subtype: "error",
    message: "no such image",
    uuid: "",
    session_id: "",
  } as const;
  expect(written(dart.forAgent(), notice)).toEqual([
    { type: "error", error: { code: "ERROR", message: "no such image" } },
  ]);
});

test("an unknown account is absent, and absent again for the host", () => {
  const wire = openWire(dart);
  wire.hostSays(request("req_1", "initialize"));
  wire.agentSays(answer("req_1", { commands: [] }));
  expect(agentLines(wire)).toMatchObject([{ response: { account: { account_type: "none" } } }]);
  expect(wire.hostHeard).toMatchObject([{ response: { response: { account: {} } } }]);
  expect(wire.hostHeard[0]).not.toHaveProperty("response.response.account.subscriptionType");
});

test.each([
  ["an init", init()],
  ["a reply", reply("msg_1", text("Hi."))],
  ["a result", result()],
])("%s without ids has none on the wire", (_name, message) => {
  const [bare] = written(dart.forAgent(), message);
  for (const id of ["uuid", "session_id", "parent_tool_use_id"]) expect(bare).not.toHaveProperty(id);
});
