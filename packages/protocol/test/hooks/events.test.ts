import { describe, expect, expectTypeOf, test } from "vitest";
import { HOOK_EVENTS, type HookInput, hookEvents, hookInput, hookShapes } from "../../src/hooks/events.ts";
import { Reading } from "../../src/schema/reading.ts";
import { Unknown } from "../../src/schema/unknown.ts";
import { hookSamples, inputFor } from "./samples.ts";

/** The events of the official TypeScript SDK 0.3.325. */
const OFFICIAL = `PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
  UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact
  PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted
  Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged
  DirectoryAdded MessageDisplay`.split(/\s+/);

test("the table contains the official 33 events", () => {
  expect(OFFICIAL).toHaveLength(33);
  expect([...HOOK_EVENTS].sort()).toEqual(OFFICIAL.sort());
});

describe("the input of a hook", () => {
  test.each(HOOK_EVENTS)("for %s is read, and refused if it is broken", (event) => {
    expect(hookEvents[event].input.accepts(inputFor(event))).toBe(true);
    expect(hookInput.accepts(inputFor(event))).toBe(true);
    expect(hookInput.accepts(inputFor(event, hookSamples[event].fault))).toBe(false);
  });

  test.each(HOOK_EVENTS)("for %s has a description, and its matcher field is always present", (event) => {
    const shape = hookShapes.get(event);
    expect(shape?.input.doc().about).toMatch(/^[A-Z].*\.$/);
    if (shape?.matcher !== undefined) expect(inputFor(event)).toHaveProperty(shape.matcher);
  });

  test("is kept completely if the event is newer than this version", () => {
    const raw = { session_id: "s", hook_event_name: "CoffeeReady", cups: 2 };
    const read = hookInput.read(raw, new Reading());
    expect(read).toBeInstanceOf(Unknown);
    expect(JSON.parse(JSON.stringify(read))).toEqual(raw);
  });

  test("may lack the fields common to all events, as from older agents", () => {
    const read = hookInput.read({ hook_event_name: "WorktreeCreate", name: "n" }, new Reading());
    expect(read).toMatchObject({ name: "n", session_id: "", transcript_path: "", cwd: "" });
  });
});

test("is compared with matchers by the documented fields", () => {
  const matchers = HOOK_EVENTS.flatMap((event) => {
    const field = hookShapes.get(event)?.matcher;
    return field === undefined ? [] : [[event, field]];
  });
  expect(Object.fromEntries(matchers)).toEqual({
    PreToolUse: "tool_name",
    PostToolUse: "tool_name",
    PostToolUseFailure: "tool_name",
    PermissionRequest: "tool_name",
    PermissionDenied: "tool_name",
    UserPromptExpansion: "command_name",
    StopFailure: "error",
    SubagentStart: "agent_type",
    SubagentStop: "agent_type",
    SessionStart: "source",
    SessionEnd: "reason",
    Setup: "trigger",
    PreCompact: "trigger",
    PostCompact: "trigger",
    PreModelSwitch: "to_model",
    PostModelSwitch: "to_model",
    Notification: "notification_type",
    Elicitation: "mcp_server_name",
    ElicitationResult: "mcp_server_name",
    ConfigChange: "source",
    InstructionsLoaded: "load_reason",
    FileChanged: "file_path",
    DirectoryAdded: "source",
  });
});

test("a switch on hook_event_name narrows the input of a hook", () => {
  const narrow = (input: HookInput) => {
    switch (input.hook_event_name) {
      case "PreToolUse":
        return expectTypeOf(input.tool_name).toBeString();
      case "SubagentStart":
        return expectTypeOf(input.agent_id).toEqualTypeOf<string>();
      case "PreCompact":
        return expectTypeOf(input.custom_instructions).toEqualTypeOf<string | null>();
      case "unknown":
        return expectTypeOf(input).toEqualTypeOf<Unknown>();
      default:
        return expectTypeOf(input.session_id).toBeString();
    }
  };
  expect(narrow).toBeTypeOf("function");
});
