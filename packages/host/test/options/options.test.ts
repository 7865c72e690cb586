import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { query } from "../../src/query/start-query.ts";
import type { Options } from "../../src/sdk/options.ts";
import { agentFile, readAll } from "../programs/agent-file.ts";

const store = { append: async () => {}, load: async () => null };

describe("a call that can't be meant throws at once", () => {
  const cases: readonly [string, Options, string][] = [
    ["an option nobody knows", { modle: "m" } as Options, "unsupported_option"],
    ["a plugin from elsewhere", { plugins: [{ type: "npm" as "local", path: "x" }] }, "unsupported_option"],
    [
      "two who answer permission questions",
      { canUseTool: async () => null, permissionPromptToolName: "x" },
      "invalid_option",
    ],
    ["a fallback that is the model", { model: "m", fallbackModel: "m" }, "invalid_option"],
    ["dialogs that nobody shows", { supportedDialogKinds: ["k"] }, "invalid_option"],
    ["a store without files", { sessionStore: store, persistSession: false }, "invalid_option"],
    ["a store that can't list", { sessionStore: store, continue: true }, "invalid_option"],
    ["a store with checkpoints", { sessionStore: store, enableFileCheckpointing: true }, "invalid_option"],
    ["a sandbox beside a file", { settings: "/s.json", sandbox: { enabled: true } }, "invalid_option"],
    ["plugins by post", { pluginDelivery: "post" as "argv" }, "invalid_option"],
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
  ])("options of another type than declared: %j", (options) => {
    const call = () => query({ prompt: "go", options: options as Options });
    expect(call).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });

  test.each([undefined, null, 42, {}, ["go"]])("the prompt %j", (prompt) => {
    const call = () => query({ prompt: prompt as unknown as string });
    expect(call).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

describe("an agent too old for an option is an error that says so, and is not started", () => {
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

  test("does not run without the hooks that only this told it of", async () => {
    const options = { ...agentFile(script), hooks: { PreToolUse: [{ hooks: [async () => ({})] }] } };
    const { error } = await readAll(query({ prompt: "go", options }));
    expect(error).toMatchObject({ code: "unsupported_option", message: expect.stringContaining("hooks") });
  });

  test("may run where nothing was asked of it", async () => {
    const { types, error } = await readAll(query({ prompt: "go", options: agentFile(script) }));
    expect({ types, error }).toEqual({ types: ["system", "result"], error: undefined });
  });
});

test("null, and the false of a condition, give no option", async () => {
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

/** What an agent was given: its arguments, and the first line that it read. */
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

describe("prompts reach an agent in the way its version reads them", () => {
  test("by flags before initialize took them", async () => {
    const systemPrompt = { type: "preset", preset: "claude_code", append: "More." } as const;
    const { argv, first } = await started("1.0.128", { systemPrompt });
    expect(argv).toContain("--append-system-prompt=More.");
    expect(JSON.parse(first).request).not.toHaveProperty("appendSystemPrompt");
  });

  test("as one text before initialize took parts", async () => {
    const { argv, first } = await started("2.0.77", { systemPrompt: ["one", "two"] });
    expect(argv).not.toContain("--system-prompt");
    expect(JSON.parse(first).request.systemPrompt).toBe("one\n\ntwo");
  });

  test("as parts today", async () => {
    const { first } = await started("2.1.325", { systemPrompt: ["one", "two"] });
    expect(JSON.parse(first).request.systemPrompt).toEqual(["one", "two"]);
  });

  test("without any handshake where a control request would end the agent", async () => {
    const { argv, first } = await started("1.0.22", { systemPrompt: "Brief." }, ":");
    expect(argv).toContain("--system-prompt=Brief.");
    expect(JSON.parse(first)).toMatchObject({ type: "user" });
  });
});

describe("nothing big stands on the command line", () => {
  const big = "x".repeat(300_000);
  test("settings and servers go into files that are gone afterwards", async () => {
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

  test("prompts, subagents and schemas go by initialize", async () => {
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

  test("managed settings go by initialize too", async () => {
    const { argv, first } = await started("2.1.325", { managedSettings: { model: big } });
    expect(argv).toContain("--await-initialize --managed-settings-in-initialize");
    expect(JSON.parse(first).request.managedSettings).toEqual({ model: big });
  });
});

test("a request that an old agent never answers is refused without being sent", async () => {
  const talk = query({
    prompt: "go",
    options: agentFile("next; answer; next; init; result; cat >/dev/null", "2.0.77"),
  });
  await expect(talk.getContextUsage()).rejects.toMatchObject({ code: "unsupported_request" });
  expect((await readAll(talk)).error).toBeUndefined();
});
