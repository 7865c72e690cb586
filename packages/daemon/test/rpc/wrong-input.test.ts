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

/** Sends a message to the socket as curl would. */
const call = (method: string, message: object) =>
  victim.post(`/agentwire.v1.${method}`, {}, JSON.stringify(message), { socketPath: victim.socket });

const ALLOW = { rule: "Bash(ls)", behavior: "RULE_BEHAVIOR_ALLOW" };

test.each<[string, string, () => object, RegExp]>([
  [
    "a missing folder",
    "SessionService/CreateSession",
    () => ({ cwd: "/not/there" }),
    /^cwd: there is no folder/,
  ],
  [
    "a file in place of a folder",
    "SessionService/CreateSession",
    () => ({ cwd: join(victim.folder, "state", "token") }),
    /^cwd: there is no folder/,
  ],
  [
    "a relative folder",
    "SessionService/CreateSession",
    () => ({ cwd: "here" }),
    /^cwd: give an absolute path/,
  ],
  [
    "an unknown mode for a new session",
    "SessionService/CreateSession",
    () => ({ permissionMode: "bogus" }),
    /^permission_mode: choose one of .*plan/,
  ],
  ["a blank first prompt", "SessionService/CreateSession", () => ({ prompt: "  " }), /^the prompt is empty/],
  [
    "an unknown mode",
    "SessionService/SetMode",
    () => ({ sessionId, permissionMode: "bogus" }),
    /^permission_mode:/,
  ],
  ["an empty mode", "SessionService/SetMode", () => ({ sessionId }), /^permission_mode:/],
  ["a blank prompt", "SessionService/SendPrompt", () => ({ sessionId, text: " " }), /^the prompt is empty/],
  [
    "a prompt without blocks",
    "SessionService/SendPrompt",
    () => ({ sessionId, contentJson: "[]" }),
    /^the prompt is empty/,
  ],
  [
    "a project rule without a project",
    "RuleService/SetRule",
    () => ({ ...ALLOW, scope: "RULE_SCOPE_PROJECT" }),
    /^owner: give the absolute path/,
  ],
  [
    "a project rule with a relative project",
    "RuleService/SetRule",
    () => ({ ...ALLOW, scope: "RULE_SCOPE_PROJECT", owner: "here" }),
    /^owner: give the absolute path/,
  ],
  [
    "a user rule with an owner",
    "RuleService/SetRule",
    () => ({ ...ALLOW, scope: "RULE_SCOPE_USER", owner: "/x" }),
    /^owner: leave it empty/,
  ],
])("%s is refused immediately with a reason", async (_, method, message, text) => {
  const { status, body } = await call(method, message());
  expect(status).toBe(400);
  const told = JSON.parse(body) as { code: string; message: string };
  expect(told.code).toBe("invalid_argument");
  expect(told.message.replace("INVALID_ARGUMENT: ", "")).toMatch(text);
});

test("a rule for an unknown session is refused", async () => {
  const { status, body } = await call("RuleService/SetRule", {
    ...ALLOW,
    scope: "RULE_SCOPE_SESSION",
    owner: "x",
  });
  expect([status, body]).toEqual([404, expect.stringContaining("SESSION_NOT_FOUND")]);
});

test("an unknown method is reported as not found, also to gRPC clients", async () => {
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

test("none of the refused requests had an effect", async () => {
  expect((await victim.owner.sessions.listSessions({})).sessions).toHaveLength(1);
  expect((await victim.owner.rules.listRules({})).rules).toEqual([]);
});
