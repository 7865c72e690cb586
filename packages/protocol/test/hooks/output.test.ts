import { describe, expect, expectTypeOf, test } from "vitest";
import { HOOK_EVENTS, hookShapes } from "../../src/hooks/events.ts";
import { type HookOutput, hookOutput, readHookOutput } from "../../src/hooks/output.ts";
import { Reading } from "../../src/schema/reading.ts";
import { UNREADABLE } from "../../src/schema/schema.ts";

/** Events whose hooks have no output of their own. */
const SILENT = `SessionEnd StopFailure PreCompact PostCompact ConfigChange InstructionsLoaded DirectoryAdded
  WorktreeRemove TaskCreated TaskCompleted TeammateIdle`.split(/\s+/);

const required: Readonly<Record<string, object>> = {
  PermissionRequest: { decision: { behavior: "deny" } },
  WorktreeCreate: { worktreePath: "/w" },
};

test("22 events have an output of their own", () => {
  const silent = HOOK_EVENTS.filter((event) => !hookShapes.get(event)?.output);
  expect(silent.sort()).toEqual(SILENT.sort());
  expect(HOOK_EVENTS.length - silent.length).toBe(22);
});

describe("the output of a hook", () => {
  test.each(HOOK_EVENTS)("for %s is accepted only under its own name", (event) => {
    const own = { hookSpecificOutput: { hookEventName: event, ...required[event] } };
    expect(readHookOutput(event, own).ok).toBe(!SILENT.includes(event));
    const other = event === "Stop" ? "Setup" : "Stop";
    expect(readHookOutput(event, { hookSpecificOutput: { hookEventName: other } }).ok).toBe(false);
  });

  test.each([
    [{}],
    [{ continue: false, stopReason: "enough" }],
    [{ decision: "block", reason: "no" }],
    [{ decision: "approve", suppressOutput: true, systemMessage: "s", terminalSequence: "\u0007" }],
    [{ async: true }],
    [{ async: true, asyncTimeout: 5000 }],
    [{ async: false, continue: true }],
    [{ from_a_newer_version: 1 }],
  ])("is accepted unchanged: %j", (output) => {
    expect(hookOutput.accepts(output)).toBe(true);
    expect(readHookOutput("Stop", output)).toEqual({ ok: true, output });
  });

  const preToolUse = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

  test.each([
    [undefined],
    [null],
    ["deny"],
    [[]],
    [{ decision: "blok" }],
    [{ continue: "false" }],
    [{ async: "true", decision: "blok" }],
    [{ hookSpecificOutput: {} }],
    [{ hookSpecificOutput: { permissionDecision: "deny" } }],
    [preToolUse({ permissionDecision: "denny" })],
    [preToolUse({ permissionDecision: null })],
    [preToolUse({ permissionDecision: "allow", updatedInput: "ls" })],
  ])("is refused rather than read as no opinion: %j", (output) => {
    expect(readHookOutput("PreToolUse", output)).toMatchObject({ ok: false });
    expect(hookOutput.read(output, new Reading())).toBe(UNREADABLE);
  });

  test.each(["allow", "deny", "ask", "defer"])("may decide to %s a tool call", (permissionDecision) => {
    const output = preToolUse({ permissionDecision, permissionDecisionReason: "r", updatedInput: {} });
    expect(readHookOutput("PreToolUse", output)).toEqual({ ok: true, output });
  });

  test("reports which event it answers if that is the wrong one", () => {
    expect(readHookOutput("Stop", preToolUse({}))).toEqual({
      ok: false,
      reason: "the answer to Stop is for PreToolUse",
      isForOther: true,
    });
  });
});

test("async distinguishes the two forms of an output", () => {
  const narrow = (output: HookOutput) => {
    if (output.async) return expectTypeOf(output.asyncTimeout).toEqualTypeOf<number | undefined>();
    const { hookSpecificOutput: own } = output;
    if (own?.hookEventName === "PreToolUse") {
      return expectTypeOf(own.permissionDecision).toEqualTypeOf<
        "allow" | "deny" | "ask" | "defer" | undefined
      >();
    }
    return expectTypeOf(output.decision).toEqualTypeOf<"approve" | "block" | undefined>();
  };
  expect(narrow).toBeTypeOf("function");
});
