import { expect, test } from "vitest";
import { dart } from "../../src/dialect/choose.ts";
import type { JsonObject } from "../../src/json.ts";
import { readPermissionResult } from "../../src/permission/result.ts";
import { answer, refusal, request } from "./official.ts";
import { agentLines, openWire, type Wire } from "./wire.ts";

const line = (wire: Wire, value: object) => wire.hostWrites(`${JSON.stringify(value)}\n`);
const notFound = { type: "error", error: { code: "CALLBACK_NOT_FOUND", message: expect.any(String) } };

const asked = request("cb-1", "can_use_tool", { tool_name: "Bash", input: { command: "ls" } });
const input = { command: "ls -l" };
const rule = { type: "bash", action: "allow", pattern: "ls *", scope: "project" };
const update = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "ls *" }],
  behavior: "allow",
  destination: "projectSettings",
};

/** The decision that the agent reads from an answer in the Dart dialect. */
function decided(response: JsonObject) {
  const wire = openWire(dart);
  wire.agentSays(asked);
  line(wire, { type: "callback.response", response: { subtype: "success", request_id: "cb-1", response } });
  const [message] = wire.agentHeard;
  if (message?.type !== "control_response" || message.response.subtype !== "success") return undefined;
  return readPermissionResult(message.response.response);
}

test.each([
  [
    { behavior: "allow", updated_input: input },
    { behavior: "allow", updatedInput: input },
  ],
  [
    { behavior: "allow", updatedInput: input },
    { behavior: "allow", updatedInput: input },
  ],
  [{ behavior: "allow" }, { behavior: "allow" }],
  [{ behavior: "allow", updated_input: {} }, { behavior: "allow" }],
  [
    { behavior: "allow", updated_permissions: [rule] },
    { behavior: "allow", updatedPermissions: [update] },
  ],
  [
    { behavior: "allow", updatedPermissions: [update] },
    { behavior: "allow", updatedPermissions: [update] },
  ],
  [
    { behavior: "allow", updated_permissions: [{ type: "mcp__db", action: "deny", pattern: "*" }] },
    {
      behavior: "allow",
      updatedPermissions: [
        { type: "addRules", rules: [{ toolName: "mcp__db" }], behavior: "deny", destination: "session" },
      ],
    },
  ],
  [
    { behavior: "deny", message: "no", tool_use_id: "t1" },
    { behavior: "deny", message: "no", toolUseID: "t1" },
  ],
])("%j is read as %j", (response, decision) => {
  expect(decided(response)).toEqual(decision);
});

test.each([
  ["a pattern that is no text", { ...rule, pattern: null }],
  ["a pattern that is a number", { ...rule, pattern: 7 }],
  ["no pattern", { type: "bash", action: "allow", scope: "session" }],
  ["an unknown scope", { ...rule, scope: "universe" }],
  ["an unknown action", { ...rule, action: "perhaps" }],
])("a rule with %s is never read as one that covers more", (_name, bad) => {
  expect(decided({ behavior: "allow", updated_permissions: [bad] })).toMatchObject({
    updatedPermissions: [{ type: "unknown" }],
  });
});

test("an answer that arrives twice is answered with CALLBACK_NOT_FOUND", () => {
  const wire = openWire(dart);
  wire.agentSays(asked);
  wire.hostSays(answer("cb-1", { behavior: "allow" }));
  wire.hostSays(answer("cb-1", { behavior: "allow" }));
  expect(wire.agentHeard).toHaveLength(1);
  expect(agentLines(wire).at(-1)).toEqual(notFound);
});

test("an answer in the official spelling also settles the question", () => {
  const wire = openWire(dart);
  wire.agentSays(asked);
  line(wire, answer("cb-1", { behavior: "allow" }));
  wire.hostSays(answer("cb-1", { behavior: "deny", message: "too late" }));
  expect(wire.agentHeard).toEqual([answer("cb-1", { behavior: "allow" })]);
  expect(agentLines(wire).at(-1)).toEqual(notFound);
});

test.each([
  ["session", "session"],
  ["local", "localSettings"],
  ["project", "projectSettings"],
  ["user", "userSettings"],
])("the scope %s is stored in %s", (scope, destination) => {
  const decision = decided({ behavior: "allow", updated_permissions: [{ ...rule, scope }] });
  expect(decision).toEqual({ behavior: "allow", updatedPermissions: [{ ...update, destination }] });
});

test("a host that fails to answer sends an error", () => {
  const wire = openWire(dart);
  wire.agentSays(asked);
  wire.hostSays(refusal("cb-1", "the user went away"));
  expect(wire.lines.at(-1)?.line).toMatchObject({
    type: "callback.response",
    response: { subtype: "error" },
  });
  expect(wire.agentHeard).toMatchObject([{ response: { subtype: "error", error: "the user went away" } }]);
});

test("a blocked path is passed on", () => {
  const wire = openWire(dart);
  wire.agentSays(request("cb-1", "can_use_tool", { blocked_path: "/etc" }));
  expect(wire.hostHeard).toMatchObject([{ request: { blocked_path: "/etc" } }]);
});

test("a withdrawn question waits for no answer", () => {
  const wire = openWire(dart);
  wire.agentSays(asked);
  wire.agentSays({ type: "control_cancel_request", request_id: "cb-1" });
  wire.hostSays(answer("cb-1", { behavior: "allow" }));
  expect(agentLines(wire).at(-1)).toEqual(notFound);
});

test("suggestions are written one per rule, and what the Dart dialect can't express is passed through", () => {
  const rules = [{ toolName: "Bash", ruleContent: "ls *" }, { toolName: "WebFetch" }];
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const suggestions = [{ ...update, rules, destination: "localSettings" }, mode];
  const wire = openWire(dart);
  wire.agentSays(request("cb-1", "can_use_tool", { permission_suggestions: suggestions }));
  expect(agentLines(wire)).toMatchObject([
    {
      request: {
        permission_suggestions: [
          { type: "bash", action: "allow", pattern: "ls *", scope: "local" },
          { type: "webFetch", action: "allow", pattern: "*", scope: "local" },
          mode,
        ],
      },
    },
  ]);
  expect(wire.hostHeard).toMatchObject([
    { request: { permission_suggestions: [{ rules: [rules[0]] }, { rules: [rules[1]] }, mode] } },
  ]);
});
