import type { ScriptStep } from "@agentwire/models/script";
import { describe, expect, test } from "vitest";
import { modelNames, namedModel } from "../../src/model/model-names.ts";
import { openAgent } from "../agent-process.ts";
import { newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

describe("a model's name", () => {
  const env = {
    ANTHROPIC_DEFAULT_OPUS_MODEL: "my-opus",
    ANTHROPIC_DEFAULT_SONNET_MODEL: "my-sonnet",
    ANTHROPIC_DEFAULT_FABLE_MODEL: "mine/fable",
    ANTHROPIC_DEFAULT_HAIKU_MODEL: "",
  };
  test.each([
    ["opus", "my-opus"],
    ["default", "my-opus"],
    ["Sonnet", "my-sonnet"],
    ["fable", "mine/fable"],
    ["sonnet[1m]", "my-sonnet[1m]"],
    ["haiku", "claude-haiku-5-5"],
    ["claude-opus-5-5", "claude-opus-5-5"],
    ["constructor", "constructor"],
  ])("%s is replaced by %s if the environment configures other models", (name, model) => {
    expect(namedModel(modelNames(env), name)).toBe(model);
  });

  test.each([
    [{}, "haiku"],
    [{ ANTHROPIC_SMALL_FAST_MODEL: "tiny" }, "tiny"],
  ])("of the small model is taken from the environment %o", (given, small) => {
    expect(modelNames(given).small).toBe(small);
  });
});

test.each([["default"], ["opus"], ["claude-sonnet-4-5"]])(
  "%s is replaced by another model if Claude is not available",
  (name) => {
    expect(namedModel({ ...modelNames({}), standing: "offline-demo" }, name)).toBe("offline-demo");
  },
);

describe("an agent", { timeout: 30_000 }, () => {
  const agent = (input: object): ScriptStep => ({
    content: [{ type: "tool_use", name: "Agent", input: { description: "look", prompt: "look", ...input } }],
  });

  test.each([[[]], [["--model", "claude-opus-5-5"]]])(
    "uses the offline demo's name without a key, whatever model is requested: %j",
    async (args) => {
      const process = openAgent(await newPlace(), { args });
      process.send(prompt("hello"));
      const result = await process.line(isResult);
      expect(process.lines.find(is("system", "init"))).toMatchObject({ model: "offline-demo" });
      expect(process.lines.find(is("assistant"))).toMatchObject({ message: { model: "offline-demo" } });
      expect(JSON.stringify(result)).not.toContain("claude-");
    },
  );

  test("calls the models that its environment names, and subagents use theirs unless they request another", async () => {
    const api = await newApi({
      steps: [agent({}), { text: "seen" }, agent({ model: "haiku" }), { text: "seen" }, { text: "done" }],
    });
    const process = openAgent(await newPlace(), {
      args: UNASKED,
      env: {
        ...api.env,
        ANTHROPIC_DEFAULT_OPUS_MODEL: "my-opus",
        ANTHROPIC_DEFAULT_HAIKU_MODEL: "my-haiku",
        CLAUDE_CODE_SUBAGENT_MODEL: "my-helper",
      },
    });
    process.send(prompt("go"));
    await process.line(isResult);
    expect(process.lines.find(is("system", "init"))).toMatchObject({ model: "my-opus" });
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      "my-opus",
      "my-helper",
      "my-opus",
      "my-haiku",
      "my-opus",
    ]);
  });
});
