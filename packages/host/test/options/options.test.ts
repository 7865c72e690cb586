import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { query } from "../../src/query/start-query.ts";
import type { Options } from "../../src/sdk/options.ts";
import { agentFile, readAll } from "../programs/agent-file.ts";

const store = { append: async () => {}, load: async () => null };

describe("a call throws at once for", () => {
  const cases: readonly [string, Options, string][] = [
    ["an unknown option", { modle: "m" } as Options, "unsupported_option"],
    ["a plugin of another type", { plugins: [{ type: "npm" as "local", path: "x" }] }, "unsupported_option"],
    [
      "two ways to answer permission questions",
      { canUseTool: async () => null, permissionPromptToolName: "x" },
      "invalid_option",
    ],
    ["a fallback that equals the model", { model: "m", fallbackModel: "m" }, "invalid_option"],
    ["dialogs without a handler to show them", { supportedDialogKinds: ["k"] }, "invalid_option"],
    ["a store without local files", { sessionStore: store, persistSession: false }, "invalid_option"],
    ["a store that can't list", { sessionStore: store, continue: true }, "invalid_option"],
    [
      "a store with file checkpoints",
      { sessionStore: store, enableFileCheckpointing: true },
      "invalid_option",
    ],
    ["a sandbox with a settings file", { settings: "/s.json", sandbox: { enabled: true } }, "invalid_option"],
    ["an unknown plugin delivery", { pluginDelivery: "post" as "argv" }, "invalid_option"],
    ...["", " pdf", "a,b", "a(b)", "*", "a:*", "/pdf", "a\\", "\ud800"].map(
      (name): [string, Options, string] => [
        `the skill ${JSON.stringify(name)}`,
        { skills: [name] },
        "invalid_option",
      ],
    ),
  ];
  test.each(cases)("%s", (_, options, code) => {
    expect(() => query({ prompt: "go", options })).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    { allowedTools: "Bash" },
    { disallowedTools: [1] },
    { maxTurns: Number.NaN },
    { maxBudgetUsd: "1" },
    { allowDangerouslySkipPermissions: "false" },
    { canUseTool: {} },
    { abortController: {} },
    { hooks: { PreToolUse: async () => ({}) } },
    { hooks: { PreToolUse: [{ hooks: ["guard"] }] } },
    { mcpServers: { s: "command" } },
    { extraArgs: { turns: 5 } },
    { systemPrompt: { text: "Be brief." } },
    { thinking: {} },
    { plugins: ["./plugin"] },
    { sessionStore: { load: async () => null } },
    { skills: "pdf" },
    { agentwire: { maxLineBytes: "1 MB" } },
    { agentwire: { deadlines: 5 } },
    { agentwire: { deadlines: { silenceMs: "5" } } },
    null,
    "model",
  ])("options of the wrong type: %j", (options) => {
    const call = () => query({ prompt: "go", options: options as Options });
    expect(call).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });

  test.each([undefined, null, 42, {}, ["go"]])("the prompt %j", (prompt) => {
    const call = () => query({ prompt: prompt as unknown as string });
    expect(call).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

describe("an agent too old for an option is reported, and not started, for", () => {
  const cases: readonly [string, string, Options][] = [
    ["1.0.22", "canUseTool", { canUseTool: async () => null }],
    ["1.0.22", "includePartialMessages", { includePartialMessages: true }],
    ["1.0.22", "hooks", { hooks: { Stop: [{ hooks: [async () => ({})] }] } }],
    ["1.0.128", "allowDangerouslySkipPermissions", { allowDangerouslySkipPermissions: true }],
    ["1.0.128", "outputFormat", { outputFormat: { type: "json_schema", schema: {} } }],
    ["2.0.77", "effort", { effort: "high" }],
    ["2.0.77", "promptSuggestions", { promptSuggestions: true }],
    ["2.1.1", "verbatimPrompts", { verbatimPrompts: true }],
    ["2.0.1", "enableFileCheckpointing", { enableFileCheckpointing: true }],
  ];
  test.each(cases)("%s and %s", async (version, option, options) => {
    const { error } = await readAll(
      query({ prompt: "go", options: { ...agentFile("touch started", version), ...options } }),
    );
    expect(error).toMatchObject({ code: "unsupported_option" });
    expect(error?.message).toContain(option);
    expect(error?.message).toContain(version);
  });
});

describe("an agent that refuses initialize", () => {
  const refuse = `id=\${line#*'"request_id":"'}; id=\${id%%'"'*}; printf '{"type":"control_response","response":{"subtype":"error","request_id":"%s","error":"no"}}\\n' "$id"`;
  const script = `next; ${refuse}; next; init; result; cat >/dev/null`;

  test("does not run without the hooks that only initialize carries", async () => {
    const options = { ...agentFile(script), hooks: { PreToolUse: [{ hooks: [async () => ({})] }] } };
    const { error } = await readAll(query({ prompt: "go", options }));
    expect(error).toMatchObject({ code: "unsupported_option", message: expect.stringContaining("hooks") });
  });

  test("may run if initialize carried no options", async () => {
    const { types, error } = await readAll(query({ prompt: "go", options: agentFile(script) }));
    expect({ types, error }).toEqual({ types: ["system", "result"], error: undefined });
  });
});

test("null, and the false of a condition, count as no option", async () => {
  const none = {
    model: null,
    resume: false,
    canUseTool: false,
    hooks: null,
    mcpServers: null,
    plugins: null,
    extraArgs: null,
    maxBudgetUsd: null,
    systemPrompt: null,
    agentwire: null,
  };
  const given = await started("2.1.325", none as unknown as Options);
  expect(given.argv).toEqual((await started("2.1.325", {})).argv);
});

/** What an agent received: its arguments, and the first line that it read. */
async function started(
  version: string,
  options: Options,
  handshake = "answer; next",
): Promise<{ argv: string; first: string }> {
  const keep = `printf '%s' "$argv" > argv; next; printf '%s' "$line" > first`;
  const agent = agentFile(`${keep}; ${handshake}; init; result; cat >/dev/null`, version);
  await readAll(query({ prompt: "go", options: { ...agent, ...options } }));
  const read = (name: string) => readFileSync(join(agent.cwd ?? "", name), "utf8");
  return { argv: read("argv"), first: read("first") };
}

describe("prompts reach an agent in the form its version reads", () => {
  test("by flags if initialize does not accept them yet", async () => {
    const systemPrompt = { type: "preset", preset: "claude_code", append: "More." } as const;
    const { argv, first } = await started("1.0.128", { systemPrompt });
    expect(argv).toContain("--append-system-prompt=More.");
    expect(JSON.parse(first).request).not.toHaveProperty("appendSystemPrompt");
  });

  test("as one text if initialize does not accept parts yet", async () => {
    const { argv, first } = await started("2.0.77", { systemPrompt: ["one", "two"] });
    expect(argv).not.toContain("--system-prompt");
    expect(JSON.parse(first).request.systemPrompt).toBe("one\n\ntwo");
  });

  test("as parts in current versions", async () => {
    const { first } = await started("2.1.325", { systemPrompt: ["one", "two"] });
    expect(JSON.parse(first).request.systemPrompt).toEqual(["one", "two"]);
  });

  test("without a handshake if a control request would end the agent", async () => {
    const { argv, first } = await started("1.0.22", { systemPrompt: "Brief." }, ":");
    expect(argv).toContain("--system-prompt=Brief.");
    expect(JSON.parse(first)).toMatchObject({ type: "user" });
  });
});

describe("large values stay off the command line", () => {
  const big = "x".repeat(300_000);
  test("settings and servers are passed in files that are removed afterwards", async () => {
    const agent = agentFile(
      'for a in "$@"; do case "$a" in *.json) cp "$a" "copy-$(basename "$a")";; esac; done; echo "$argv" > argv; next; answer; next; init; result; cat >/dev/null',
    );
    const { error } = await readAll(
      query({
        prompt: "go",
        options: { ...agent, settings: { model: big }, mcpServers: { a: { command: "true", args: [big] } } },
      }),
    );
    expect(error).toBeUndefined();
    const read = (name: string) => readFileSync(join(agent.cwd ?? "", name), "utf8");
    expect(JSON.parse(read("copy-settings.json"))).toEqual({ model: big });
    expect(JSON.parse(read("copy-mcp-config.json")).mcpServers.a.args).toEqual([big]);
    const path = /--settings (\S+)/.exec(read("argv"))?.[1] ?? "";
    await expect.poll(() => existsSync(path)).toBe(false);
  });

  test("prompts, subagents and schemas are passed in initialize", async () => {
    const { argv, first } = await started("2.1.325", {
      systemPrompt: big,
      agents: { a: { description: "d", prompt: big } },
      outputFormat: { type: "json_schema", schema: { description: big } },
    });
    expect(argv.length).toBeLessThan(1000);
    expect(JSON.parse(first).request).toMatchObject({
      systemPrompt: [big],
      agents: { a: { prompt: big } },
      jsonSchema: { description: big },
    });
  });

  test("managed settings are passed in initialize too", async () => {
    const { argv, first } = await started("2.1.325", { managedSettings: { model: big } });
    expect(argv).toContain("--await-initialize --managed-settings-in-initialize");
    expect(JSON.parse(first).request.managedSettings).toEqual({ model: big });
  });
});

test("a request that an old agent never answers is rejected without being sent", async () => {
  const talk = query({
    prompt: "go",
    options: agentFile("next; answer; next; init; result; cat >/dev/null", "2.0.77"),
  });
  await expect(talk.getContextUsage()).rejects.toMatchObject({ code: "unsupported_request" });
  expect((await readAll(talk)).error).toBeUndefined();
});
