import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../src/json.ts";
import { permissionResult, readPermissionResult } from "../../src/permission/result.ts";
import { Reading } from "../../src/schema/reading.ts";

describe("an answer to a permission question", () => {
  test.each([
    [{ behavior: "allow" }],
    [{ behavior: "allow", updatedInput: { command: "ls" }, toolUseID: "t" }],
    [{ behavior: "deny", message: "no" }],
    [{ behavior: "deny", message: "no", interrupt: true, decisionClassification: "user_reject" }],
  ])("is accepted unchanged: %j", (answer) => {
    expect(permissionResult.accepts(answer)).toBe(true);
    expect(readPermissionResult(answer)).toEqual(answer);
  });

  test.each([undefined, null, {}])("keeps the original input if updatedInput is %j", (updatedInput) => {
    expect(readPermissionResult({ behavior: "allow", updatedInput })).toEqual({ behavior: "allow" });
  });

  test.each([
    [undefined],
    [null],
    ["allow"],
    [true],
    [["allow"]],
    [{}],
    [{ behavior: "Allow" }],
    [{ behavior: ["allow"] }],
    [{ behavior: true }],
    [{ decision: "allow" }],
    [{ behavior: "ask" }],
    [{ behavior: "allow", updatedInput: "ls" }],
    [{ behavior: "allow", updatedInput: [] }],
    [{ behavior: "allow", updatedInput: false }],
    [JSON.parse('{"__proto__":{"behavior":"allow"}}')],
  ])("denies with the reason if it is %j", (answer) => {
    const result = readPermissionResult(answer);
    expect(result).toMatchObject({ behavior: "deny", message: expect.stringContaining("host's answer") });
  });

  test("denies even without a reason or with a broken interrupt", () => {
    expect(readPermissionResult({ behavior: "deny", interrupt: "now" })).toEqual({
      behavior: "deny",
      message: "The host denied the tool without a reason",
    });
  });

  test("does not accept the field names of another dialect", () => {
    expect(readPermissionResult({ behavior: "allow", updated_input: { command: "ls" } })).not.toHaveProperty(
      "updatedInput",
    );
  });

  test("notes an answer that it turned into a deny", () => {
    const reading = new Reading();
    permissionResult.read({ behavior: "yes" }, reading);
    expect(reading.repairs).toHaveLength(1);
  });
});

describe("the updates of an allow", () => {
  const update = (fields: object) => ({
    behavior: "allow",
    updatedPermissions: [
      { type: "addRules", rules: [], behavior: "allow", destination: "session", ...fields },
    ],
  });

  test.each([
    [{ rules: [{ toolName: "Bash", ruleContent: "ls" }] }],
    [{ rules: [{ toolName: "Bash" }] }],
    [{ rules: [{ toolName: "Bash", ruleContent: null }] }],
    [{ type: "removeRules", behavior: "deny", destination: "cliArg" }],
    [{ type: "setMode", mode: "acceptEdits" }],
    [{ type: "addDirectories", directories: ["/a"] }],
  ])("are accepted if complete: %j", (fields) => {
    expect(permissionResult.accepts(update(fields))).toBe(true);
  });

  test.each([
    [{ rules: [{ toolName: "Bash", ruleContent: {} }] }],
    [{ rules: [{ toolName: "Bash", ruleContent: ["ls"] }] }],
    [{ type: "replaceRules", rules: [{ toolName: "Read" }, {}] }],
    [{ behavior: "allowed" }],
    [{ destination: "everywhere" }],
    [{ type: "setMode", mode: "yolo" }],
    [{ type: "addHosts" }],
  ])("are not applied in part: %j stays unknown", (fields) => {
    expect(readPermissionResult(update(fields))).toMatchObject({
      behavior: "allow",
      updatedPermissions: [{ type: "unknown" }],
    });
  });
});

describe("with any JSON as the answer", () => {
  const behavior = fc.oneof(fc.constantFrom("allow", "deny", "Allow", "allow "), fc.jsonValue());
  const likely = fc.record(
    {
      behavior,
      updatedInput: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
      updatedPermissions: fc.jsonValue(),
      message: fc.jsonValue(),
      interrupt: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const answers = fc.oneof(fc.jsonValue(), likely);

  test("the call is allowed exactly if the answer says allow and the new input is an object or absent", () => {
    const mayAllow = (value: unknown) =>
      isJsonObject(value) &&
      value.behavior === "allow" &&
      (value.updatedInput === undefined || value.updatedInput === null || isJsonObject(value.updatedInput));
    fc.assert(
      fc.property(answers, (value) => {
        expect(readPermissionResult(value).behavior).toBe(mayAllow(value) ? "allow" : "deny");
      }),
      { numRuns: 2000 },
    );
  });

  test("the input that runs is either the original or the one from the host", () => {
    fc.assert(
      fc.property(likely, (value) => {
        const result = readPermissionResult(value);
        if (result.behavior !== "allow" || result.updatedInput === undefined) return;
        expect(result.updatedInput).toEqual(value.updatedInput);
      }),
    );
  });

  test("a value accepted by the fast path is what reading would return", () => {
    fc.assert(
      fc.property(answers, (value) => {
        if (permissionResult.accepts(value)) expect(readPermissionResult(value)).toEqual(value);
      }),
    );
  });
});
