import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("node_modules/", import.meta.url));
const PLATFORM = `${process.platform}-${process.arch}`;
/** Several agents need a later Node than this one. */
const NODE = `${PACKAGES}node-${PLATFORM}/bin/node`;

/** The agents to test: their package, their command, and the settings that direct them to the scripted API at `api`. */
export const AGENTS = {
  claude: {
    title: "Claude's adapter",
    package: "@agentclientprotocol/claude-agent-acp",
    command: [NODE, `${PACKAGES}@agentclientprotocol/claude-agent-acp/dist/index.js`],
    env: (api) => ({
      ANTHROPIC_BASE_URL: api,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    }),
  },
  gemini: {
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    command: [NODE, `${PACKAGES}@google/gemini-cli/bundle/gemini.js`, "--acp"],
    authMethod: "gemini-api-key",
    // It can't load a session within the minute in which the session was started.
    restMs: 61_000,
    // With the model auto, it first asks another model which model to use.
    env: (api) => ({
      GEMINI_API_KEY: "dummy",
      GOOGLE_GEMINI_BASE_URL: api,
      GEMINI_MODEL: "gemini-2.5-flash",
    }),
  },
  opencode: {
    title: "opencode",
    package: "opencode-ai",
    command: [`${PACKAGES}opencode-${PLATFORM}/bin/opencode`, "acp"],
    env: (api) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: "anthropic/claude-sonnet-4-5",
        permission: { bash: "ask" },
        provider: { anthropic: { options: { baseURL: `${api}/v1`, apiKey: "dummy" } } },
      }),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
  },
  qwen: {
    title: "Qwen Code",
    package: "@qwen-code/qwen-code",
    command: [NODE, `${PACKAGES}@qwen-code/qwen-code/cli.js`, "--acp"],
    authMethod: "openai",
    env: (api) => ({ OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${api}/v1`, OPENAI_MODEL: "qwen3-coder" }),
  },
  codex: {
    title: "Codex' adapter",
    package: "@agentclientprotocol/codex-acp",
    command: [NODE, `${PACKAGES}@agentclientprotocol/codex-acp/dist/index.js`],
    authMethod: "api-key",
    env: (api) => ({
      OPENAI_API_KEY: "dummy",
      NO_BROWSER: "1",
      MODEL_PROVIDER: "scripted",
      // Otherwise it writes inside the project without a question.
      INITIAL_AGENT_MODE: "read-only",
      CODEX_CONFIG: JSON.stringify({
        model: "gpt-5.5",
        model_provider: "scripted",
        model_providers: {
          scripted: {
            name: "scripted",
            base_url: `${api}/v1`,
            wire_api: "responses",
            env_key: "OPENAI_API_KEY",
          },
        },
      }),
    }),
  },
  goose: {
    title: "Goose",
    package: `@aaif/goose-binary-${PLATFORM}`,
    command: [`${PACKAGES}@aaif/goose-binary-${PLATFORM}/bin/goose`, "acp"],
    env: (api) => ({
      GOOSE_PROVIDER: "openai",
      GOOSE_MODEL: "gpt-4o",
      OPENAI_API_KEY: "dummy",
      OPENAI_HOST: api,
      GOOSE_MODE: "approve",
      GOOSE_DISABLE_KEYRING: "1",
    }),
  },
};

/** The version of the installed package. */
export const versionOf = (name) =>
  JSON.parse(readFileSync(`${PACKAGES}${AGENTS[name].package}/package.json`, "utf8")).version;

/** Whether all of them are installed. */
export const areInstalled = () =>
  Object.values(AGENTS).every(({ command }) =>
    existsSync(command[1].startsWith("/") ? command[1] : command[0]),
  );

/** The path of an executable file that starts an agent as users do. */
export function programOf(name) {
  const path = `${PACKAGES}.agents/${name}`;
  mkdirSync(dirname(path), { recursive: true });
  const words = AGENTS[name].command.map((word) => `'${word}'`).join(" ");
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return path;
}
