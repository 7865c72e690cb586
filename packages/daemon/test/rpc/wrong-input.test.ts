import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openVictim, type Victim } from "../security/victim.ts";

let victim: Victim;
let sessionId: string;
beforeAll(async () => {
  victim = await openVictim();
  sessionId = (await victim.owner.sessions.createSession({ cwd: victim.folder })).session?.id ?? "";
});
afterAll(() => victim.end());

/** What is sent as curl would send it, at the socket. */
const call = (method: string, message: object) =>
  victim.post(`/agentwire.v1.${method}`, {}, JSON.stringify(message), { socketPath: victim.socket });

const ALLOW = { rule: "Bash(ls)", behavior: "RULE_BEHAVIOR_ALLOW" };

test.each<[string, string, () => object, RegExp]>([
  [
    "a folder that is not there",
    "SessionService/CreateSession",
    () => ({ cwd: "/not/there" }),
    /^cwd: there is no folder/,
  ],
  [
    "a file for a folder",
    "SessionService/CreateSession",
    () => ({ cwd: join(victim.folder, "state", "token") }),
    /^cwd: there is no folder/,
  ],
  [
    "a folder that is not from the root",
    "SessionService/CreateSession",
    () => ({ cwd: "here" }),
    /^cwd: give an absolute path/,
  ],
  [
    "a mode that no agent has",
    "SessionService/CreateSession",
    () => ({ permissionMode: "bogus" }),
    /^permission_mode: choose one of .*plan/,
  ],
  [
    "a first prompt of blanks",
    "SessionService/CreateSession",
    () => ({ prompt: "  " }),
    /^the prompt is empty/,
  ],
  [
    "a mode that no agent has, later",
    "SessionService/SetMode",
    () => ({ sessionId, permissionMode: "bogus" }),
    /^permission_mode:/,
  ],
  ["no mode", "SessionService/SetMode", () => ({ sessionId }), /^permission_mode:/],
  [
    "a prompt of blanks",
    "SessionService/SendPrompt",
    () => ({ sessionId, text: " " }),
    /^the prompt is empty/,
  ],
  [
    "a prompt of no blocks",
    "SessionService/SendPrompt",
    () => ({ sessionId, contentJson: "[]" }),
    /^the prompt is empty/,
  ],
  [
    "a rule of no project",
    "RuleService/SetRule",
    () => ({ ...ALLOW, scope: "RULE_SCOPE_PROJECT" }),
    /^owner: give the absolute path/,
  ],
  [
    "a rule of a project that is not from the root",
    "RuleService/SetRule",
    () => ({ ...ALLOW, scope: "RULE_SCOPE_PROJECT", owner: "here" }),
    /^owner: give the absolute path/,
  ],
  [
    "a rule of the user that has an owner",
    "RuleService/SetRule",
    () => ({ ...ALLOW, scope: "RULE_SCOPE_USER", owner: "/x" }),
    /^owner: leave it empty/,
  ],
])("%s is refused at once, and it is said why", async (_, method, message, text) => {
  const { status, body } = await call(method, message());
  expect(status).toBe(400);
  const told = JSON.parse(body) as { code: string; message: string };
  expect(told.code).toBe("invalid_argument");
  expect(told.message.replace("INVALID_ARGUMENT: ", "")).toMatch(text);
});

test("a rule of a session that is not there is refused", async () => {
  const { status, body } = await call("RuleService/SetRule", {
    ...ALLOW,
    scope: "RULE_SCOPE_SESSION",
    owner: "x",
  });
  expect([status, body]).toEqual([404, expect.stringContaining("SESSION_NOT_FOUND")]);
});

test("what there is not is said to be not there, even to gRPC", async () => {
  const { status, body } = await call("Nobody/Nothing", {});
  expect([status, JSON.parse(body)]).toEqual([
    404,
    { code: "unimplemented", message: "not found: /agentwire.v1.Nobody/Nothing" },
  ]);
  const path = "/agentwire.v1.Nobody/Nothing";
  const grpc = await victim.post(path, { "content-type": "application/grpc" }, "", {
    socketPath: victim.socket,
  });
  expect(grpc).toMatchObject({ status: 200, headers: { "grpc-status": "12" } });
});

test("nothing was made of any of it", async () => {
  expect((await victim.owner.sessions.listSessions({})).sessions).toHaveLength(1);
  expect((await victim.owner.rules.listRules({})).rules).toEqual([]);
});
