import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseFlags } from "../../src/config/flags.ts";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

const VALUED = [
  "model",
  "fallback-model",
  "agent",
  "agents",
  "betas",
  "effort",
  "thinking",
  "max-thinking-tokens",
  "thinking-display",
  "max-turns",
  "max-budget-usd",
  "task-budget",
  "json-schema",
  "append-system-prompt",
  "system-prompt-file",
  "allowedTools",
  "disallowedTools",
  "permission-mode",
  "permission-prompt-tool",
  "permission-prompts",
  "resume",
  "name",
  "settings",
  "managed-settings",
  "add-dir",
  "project-config-root",
  "mcp-config",
  "plugin-dir",
  "debug-file",
];

describe("the command line", { timeout: 30_000 }, () => {
  test.each([
    ["in one word", VALUED.map((name) => `--${name}=`)],
    ["in two", VALUED.flatMap((name) => [`--${name}`, ""])],
  ])("may contain empty values, %s: the flag then has no effect", async (_how, args) => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env, args });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ is_error: false, result: "heard" });
    expect(agent.complaints()).toBe("");
    expect(agent.lines.find(is("system", "init"))).toMatchObject({
      additional_directories: [],
      mcp_servers: [],
      plugins: [],
    });
  });

  test("is accepted as the official SDK writes it with every option set; unknown flags only cause a warning", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const other = join(place.cwd, "..");
    const args = [
      "--max-thinking-tokens=1000",
      "--thinking-display=summarized",
      "--effort=high",
      "--max-turns=3",
      "--max-budget-usd=1.5",
      "--task-budget=9",
      "--model=claude-haiku-4-5",
      "--betas=context-1m-2025-08-07",
      "--permission-prompt-tool=stdio",
      "--permission-prompts=host",
      "--channels=x",
      "--allowedTools=Read,Skill(a:b)",
      "--disallowedTools=Bash",
      "--tools=default",
      "--setting-sources=",
      "--strict-mcp-config",
      "--permission-mode=plan",
      "--allow-dangerously-skip-permissions",
      "--fallback-model=claude-sonnet-4-5",
      "--include-hook-events",
      "--include-partial-messages",
      `--add-dir=${other}`,
      `--add-dir=${place.cwd}`,
      "--no-session-persistence",
      "--replay-user-messages",
      "--foo",
      "bar",
      "--neg=-1",
      "--settings",
      JSON.stringify({ sandbox: { enabled: true } }),
    ];
    const agent = openAgent(place, { env: api.env, args });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ is_error: false, result: "heard" });
    expect(agent.complaints().match(/unknown flag \S+/g)).toEqual([
      "unknown flag --channels",
      "unknown flag --foo",
      "unknown flag --neg",
    ]);
    expect(agent.lines.find(is("system", "init"))).toMatchObject({
      model: "claude-haiku-4-5",
      permissionMode: "plan",
      tools: expect.not.arrayContaining(["Bash"]),
    });
  });

  test("is refused if it requires a sandbox and the programs for it are missing", async () => {
    const place = await newPlace();
    const settings = JSON.stringify({ sandbox: { enabled: true, failIfUnavailable: true } });
    const agent = openAgent(place, { args: ["--settings", settings], env: { PATH: place.cwd } });
    agent.send(prompt("go"));
    expect(await agent.ended()).toMatchObject({ code: 1 });
    expect(agent.lines).toMatchObject([
      { type: "result", is_error: true, startup_failure_reason: "sandbox_required_unavailable" },
    ]);
    expect(JSON.stringify(agent.lines[0])).toContain(
      "bwrap, socat are missing; on Debian and Ubuntu install with: apt-get install bubblewrap socat",
    );
  });

  test.each([
    { args: ["--model"], says: "--model needs a value" },
    { args: ["--mcp-config", "{bad"], says: "--mcp-config: " },
    { args: ["--mcp-config", "missing.json"], says: "--mcp-config missing.json: ENOENT" },
    { args: ["--mcp-config", "{}"], says: "--mcp-config: the mcpServers object is missing" },
    { args: ["--setting-sources", "user,team"], says: "--setting-sources team" },
    { args: ["--resume-session-at", randomUUID()], says: "--resume-session-at needs --resume" },
    { args: ["--max-budget-usd", "0"], says: "--max-budget-usd 0: expected a number above 0" },
    { args: ["--task-budget", "few"], says: "--task-budget few: expected a number of at least 1" },
    { args: ["--thinking", "hard"], says: "--thinking hard: expected one of adaptive, enabled, disabled" },
    {
      args: ["--json-schema", '{"type":"nonsense"}'],
      says: "--json-schema: the value is not a valid JSON Schema",
    },
    { args: ["--settings", "missing.json"], says: "missing.json can't be used: it does not exist" },
    { args: ["--settings", "{bad"], says: "--settings can't be used: it is not valid JSON" },
    { args: ["--managed-settings", "[]"], says: "--managed-settings can't be used" },
    { args: ["--continue", "--session-id", randomUUID()], says: "only if --fork-session is given" },
  ])("is refused with a reason if $args makes no sense", async ({ args, says }) => {
    const agent = openAgent(await newPlace(), { args });
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 1 });
    expect(agent.complaints()).toContain(says);
    expect(agent.lines.filter((line) => line.type !== "result")).toEqual([]);
  });

  test.each([
    [["--model", "a", "--model=b"], "model", "b"],
    [["--system-prompt", "- be nice"], "system-prompt", "- be nice"],
    [["--resume=", "--resume=x"], "resume", "x"],
    [["--allowed-tools", "Read"], "allowedTools", "Read"],
    [["--model=a=b"], "model", "a=b"],
    [["--constructor", "--model=m"], "model", "m"],
  ] as const)("reads %j: %s is %j", (argv, name, value) => {
    expect(parseFlags(argv).text(name)).toBe(value);
  });

  test.each([
    { args: ["--max-turns", "0"], complaint: "" },
    { args: ["--max-turns=-1"], complaint: "" },
    { args: ["--effort", "wild"], complaint: "--effort wild" },
    { args: ["--system-prompt", "Be brief.", "--system-prompt-file", "more.md"], complaint: "" },
  ])("with $args is accepted", async ({ args, complaint }) => {
    const place = await newPlace();
    await writeFile(join(place.cwd, "more.md"), "Be kind.");
    const steps = [{ content: [bash("echo hi")] }];
    const api = await newApi({ steps, whenExhausted: { text: "done" } });
    const agent = openAgent(place, { env: api.env, args: [...UNASKED, ...args] });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ is_error: false, result: "done" });
    expect(agent.complaints()).toContain(complaint);
    expect(agent.complaints() === "").toBe(complaint === "");
    if (args.includes("more.md"))
      expect(JSON.stringify(api.requests[0]?.body.system)).toMatch(/Be brief\..*Be kind\./);
  });

  test("has all given betas, however they are written", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "done" } });
    const args = ["--betas", "one-2025-01-01", "two-2025-01-01", "--betas=three-2025-01-01,four-2025-01-01"];
    const agent = openAgent(place, { env: api.env, args });
    agent.send(prompt("go"));
    await agent.line(isResult);
    const names = String(api.requests[0]?.headers["anthropic-beta"]);
    for (const name of ["one", "two", "three", "four"]) expect(names).toContain(`${name}-2025-01-01`);
  });

  test("joins the values of a repeated flag", () => {
    const flags = parseFlags(["--add-dir", "a", "b", "--add-dir=c", "--add-dir=", "--verbose"]);
    expect(flags.list("add-dir")).toEqual(["a", "b", "c"]);
  });
});
