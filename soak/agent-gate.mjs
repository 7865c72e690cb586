import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const AGENT = fileURLToPath(new URL("../packages/agent/src/", import.meta.url));
const ENTRY = `
  export { createGate } from "${AGENT}permission/create-gate.ts";
  export { loadSettings } from "${AGENT}settings/load.ts";
  export { quietGit } from "${AGENT}permission/quiet-git.ts";
  export { READERS } from "${AGENT}shell/programs.ts";
  export { AS_JUDGED } from "${AGENT}tools/bash/command.ts";
`;
const TOOL = {
  name: "Bash",
  description: "",
  inputSchema: { type: "object" },
  isReadOnly: () => false,
  describe() {},
  run() {},
};

/** The tested parts of the agent's sources, as a module in a folder. */
export async function loadAgent(folder) {
  const outfile = join(folder, "agent.mjs");
  await build({
    stdin: { contents: ENTRY, resolveDir: AGENT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return import(outfile);
}

/** Opens a gate in default mode and without rules, for a session in a folder that the user trusts. */
export async function openGate({ createGate, loadSettings }, cwd, folder) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const settings = await loadSettings({
    cwd,
    configDir: join(home, ".claude"),
    policyFolder: join(home, "etc"),
    home,
    userFile: join(home, ".claude.json"),
    trusted: [cwd],
  });
  let asked = 0;
  const gate = createGate({
    settings,
    cwd,
    home,
    allowBypass: false,
    allowedTools: [],
    disallowedTools: [],
    additionalDirectories: [],
    hasHost: true,
    prompts: "host",
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onModeChanged() {},
    ask: async () => {
      asked++;
      return { behavior: "deny", message: "no" };
    },
  });
  const workspace = { cwd, home, outputFolder: join(folder, "output"), roots: [cwd] };
  return {
    /** The gate's decision if it allows a command without a question. */
    async unasked(command) {
      const before = asked;
      const { signal } = new AbortController();
      const question = { tool: TOOL, input: { command }, callId: "toolu_1", signal, workspace };
      const verdict = await gate.decide(question);
      return verdict.behavior === "allow" && asked === before ? verdict : undefined;
    },
  };
}
