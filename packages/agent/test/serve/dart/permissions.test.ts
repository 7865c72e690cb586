import { existsSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { bash } from "../../model-source.ts";
import { answer, is, isResult, textOf } from "../../wire.ts";
import { callback, create, type DartTalk, inShort, isError, startDart } from "./dart-host.ts";

/** A conversation in which the agent asks whether it may create the file `made`. */
async function asked(): Promise<{ readonly agent: DartTalk; readonly question: JsonObject }> {
  const steps = [
    { content: [bash("touch made; echo original")] },
    { content: [bash("touch again")] },
    { text: "Done." },
  ];
  const agent = await startDart({}, { steps });
  agent.send(create("Make it"));
  return { agent, question: await agent.line(is("callback.request")) };
}

const returned = (agent: DartTalk) => agent.line(is("user")).then((line) => textOf(line.message));
const changed = { command: "touch made; echo changed", description: "changed" };

/** Answers, and the resulting output of the tool. */
const ANSWERS: readonly (readonly [string, JsonObject, string])[] = [
  ["no input", { behavior: "allow" }, "original"],
  ["an empty input", { behavior: "allow", updated_input: {} }, "original"],
  ["an input in snake_case", { behavior: "allow", updated_input: changed }, "changed"],
  ["an input in camelCase", { behavior: "allow", updatedInput: changed }, "changed"],
];

describe("an answer to a permission request", { timeout: 30_000 }, () => {
  test.each(ANSWERS)("that allows with %s runs the tool", async (_, response, output) => {
    const { agent, question } = await asked();
    agent.send(callback(question.request_id, response));
    expect(await returned(agent)).toContain(output);
    expect(existsSync(join(agent.folder, "made"))).toBe(true);
  });

  test("that denies is passed to the model in the host's words", async () => {
    const { agent, question } = await asked();
    const { tool_use_id } = question.request as JsonObject;
    agent.send(
      callback(question.request_id, { behavior: "deny", message: "User denied permission", tool_use_id }),
    );
    expect(await returned(agent)).toContain("User denied permission");
    expect(existsSync(join(agent.folder, "made"))).toBe(false);
  });

  test.each([
    [
      "snake_case",
      "updated_permissions",
      { type: "bash", action: "allow", pattern: "touch:*", scope: "session" },
    ],
    [
      "camelCase",
      "updatedPermissions",
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "touch:*" }],
        behavior: "allow",
        destination: "session",
      },
    ],
  ])("with a rule in %s prevents further questions", async (_, key, rule) => {
    const { agent, question } = await asked();
    agent.send(callback(question.request_id, { behavior: "allow", [key]: [rule] }));
    await agent.line(isResult);
    expect(agent.lines.filter(is("callback.request"))).toHaveLength(1);
    expect(existsSync(join(agent.folder, "again"))).toBe(true);
  });

  test("may return the suggested rules unchanged", async () => {
    const { agent, question } = await asked();
    const { permission_suggestions } = question.request as { permission_suggestions: readonly unknown[] };
    expect(permission_suggestions.length).toBeGreaterThan(0);
    for (const suggestion of permission_suggestions) expect(isJsonObject(suggestion)).toBe(true);
    expect(permission_suggestions).toContainEqual(
      expect.objectContaining({ type: "bash", action: "allow", pattern: expect.any(String) }),
    );
    agent.send(
      callback(question.request_id, { behavior: "allow", updated_permissions: [...permission_suggestions] }),
    );
    expect(await returned(agent)).toContain("original");
  });

  test("with a wrong id has no effect; with the right one it takes effect once", async () => {
    const { agent, question } = await asked();
    agent.send(callback("nobody", { behavior: "allow" }));
    expect(await agent.line(isError("CALLBACK_NOT_FOUND"))).toEqual({
      type: "error",
      error: { code: "CALLBACK_NOT_FOUND", message: expect.stringContaining("nobody") },
    });
    expect(existsSync(join(agent.folder, "made"))).toBe(false);
    const before = agent.lines.length;
    agent.send(callback(question.request_id, { behavior: "deny", message: "no" }));
    agent.send(callback(question.request_id, { behavior: "allow" }));
    await agent.line(isError("CALLBACK_NOT_FOUND"), before);
    expect(await returned(agent)).toContain("no");
    expect(existsSync(join(agent.folder, "made"))).toBe(false);
  });

  test("in the official spelling is accepted as well", async () => {
    const { agent, question } = await asked();
    agent.send(answer(question.request_id, { behavior: "allow", updatedInput: {} }));
    expect(await returned(agent)).toContain("original");
    const before = agent.lines.length;
    agent.send(callback(question.request_id, { behavior: "allow" }));
    await agent.line(isError("CALLBACK_NOT_FOUND"), before);
  });

  test("that reports a failure of the host denies", async () => {
    const { agent, question } = await asked();
    const response = { subtype: "error", request_id: question.request_id, error: "the dialog crashed" };
    agent.send({ type: "callback.response", response });
    await returned(agent);
    expect(existsSync(join(agent.folder, "made"))).toBe(false);
  });

  test("after an interrupt is ignored", async () => {
    const { agent, question } = await asked();
    agent.send({ type: "control_request", request_id: "stop", request: { subtype: "interrupt" } });
    await agent.line(isResult);
    agent.send(callback(question.request_id, { behavior: "allow" }));
    await agent.line(isError("CALLBACK_NOT_FOUND"));
    expect(existsSync(join(agent.folder, "made"))).toBe(false);
    expect(agent.lines.map(inShort)).toContain("result error_during_execution");
  });
});
