import { describe, expect, test } from "vitest";
import { readConfig, reconfigured, withEnvironment } from "../../src/config/config.ts";
import { parseFlags } from "../../src/config/flags.ts";

const HOME = { HOME: "/home/somebody" };

const read = (args: readonly string[], env = {}) => readConfig(parseFlags(args), { ...HOME, ...env }, "/");

describe("the configuration", () => {
  test("follows the variables that settings files add", () => {
    const config = withEnvironment(read(["--effort", "low"]), {
      ANTHROPIC_MODEL: "claude-opus-5",
      MAX_THINKING_TOKENS: "2000",
      CLAUDE_CODE_MAX_RETRIES: "3",
      MCP_TIMEOUT: "700",
      ANTHROPIC_BASE_URL: "http://localhost:1",
    });
    expect(config).toMatchObject({
      effort: "low",
      model: "claude-opus-5",
      thinking: { type: "enabled", budget_tokens: 2000 },
      maxRetries: 3,
      mcpConnectTimeoutMs: 700,
      credentials: { apiKey: undefined, baseUrl: "http://localhost:1" },
    });
    expect(config.env).toMatchObject({ ...HOME, MCP_TIMEOUT: "700" });
  });

  test("keeps a flag if settings files add a variable with the same meaning", () => {
    const config = read(["--model", "haiku", "--max-thinking-tokens", "0"]);
    const added = { ANTHROPIC_MODEL: "opus", MAX_THINKING_TOKENS: "2000" };
    expect(withEnvironment(config, added)).toMatchObject({ model: "haiku", thinking: { type: "disabled" } });
  });

  test("keeps its folders even if settings files name others", () => {
    const added = { HOME: "/elsewhere", CLAUDE_CONFIG_DIR: "/elsewhere", CLAUDE_CODE_TMPDIR: "/elsewhere" };
    const { home, configDir, userFile, temporaryFolder } = read([]);
    expect(withEnvironment(read([]), added)).toMatchObject({ home, configDir, userFile, temporaryFolder });
  });

  test("keeps values that were set after it was read", () => {
    expect(withEnvironment({ ...read([]), talks: true }, { A: "1" })).toMatchObject({ talks: true });
  });

  test("of a claimed process combines the folders of process and claim, and has the mode of the claim", () => {
    const spare = read(["--add-dir", "/tmp", "--permission-mode", "plan"]);
    const claim = { cwd: "/usr", env: { A: "1" }, addedFolders: ["/etc"], permissionMode: "acceptEdits" };
    expect(reconfigured(spare, claim)).toMatchObject({
      cwd: "/usr",
      env: { ...HOME, A: "1" },
      addedFolders: ["/tmp", "/etc"],
      permissionMode: "acceptEdits",
    });
    expect(reconfigured(spare, { ...claim, permissionMode: undefined }).permissionMode).toBe("plan");
  });

  test.each([
    [["--inspect", "--repl"], "inspect"],
    [["--repl"], "repl"],
    [["--db", "x"], undefined],
  ])("of %j has the mode %s", (args, mode) => {
    expect(read(args).mode).toBe(mode);
  });
});
