import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentConfig } from "@agentwire/daemon";
import { examineAgent } from "@agentwire/host/agent";
import { onPath } from "@agentwire/local/files";
import type { Io } from "../io.ts";
import { plain } from "../render/plain.ts";
import { greeting } from "./acp-greeting.ts";
import type { Finding } from "./finding.ts";

/** An agent that speaks the Agent Client Protocol: its program, the arguments to start it, and the signs of a login. */
interface KnownAgent {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that hold a key. */
  readonly keys: readonly string[];
  /** Files in the home folder that a login creates; only their existence is checked. */
  readonly logins: readonly string[];
}

const KNOWN: readonly KnownAgent[] = [
  {
    program: "gemini",
    args: ["--acp"],
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    logins: [".gemini/oauth_creds.json"],
  },
  {
    program: "opencode",
    args: ["acp"],
    keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"],
    logins: [".local/share/opencode/auth.json"],
  },
  {
    program: "codex-acp",
    args: [],
    keys: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    logins: [".codex/auth.json"],
  },
  { program: "qwen", args: ["--acp"], keys: ["OPENAI_API_KEY"], logins: [".qwen/oauth_creds.json"] },
  {
    program: "goose",
    args: ["acp"],
    keys: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
    logins: [".config/goose/config.yaml"],
  },
  {
    program: "claude-agent-acp",
    args: [],
    keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
    logins: [".claude/.credentials.json"],
  },
];

/** Reports installed Agent Client Protocol agents: version, login, features, and the settings entry of those that lack one. */
export async function examineAcpAgents(
  agents: readonly AgentConfig[],
  { env }: Io,
): Promise<readonly Finding[]> {
  const found = KNOWN.flatMap((known) => {
    const path = onPath(known.program, env);
    return path === undefined ? [] : [{ known, path }];
  });
  return Promise.all(
    found.map(async ({ known, path }) => {
      const { can, version } = await greeting([path, ...known.args], env);
      const what =
        version === undefined
          ? (await examineAgent({ agent: path, env, dialect: "acp" })).verdict.message
          : `${plain(version)}, Agent Client Protocol,`;
      const isConfigured = agents.some((agent) => agent.path === known.program || agent.path === path);
      return {
        level: "ok",
        about: `agent ${known.program}`,
        text: [`${what} at ${path}`, loginOf(known, env), plain(can)].join("; "),
        ...(!isConfigured && { advice: `to use it, add it to "agents" in settings.json: ${entryOf(known)}` }),
      } as const;
    }),
  );
}

function loginOf({ keys, logins }: KnownAgent, env: Io["env"]): string {
  const key = keys.find((name) => (env[name] ?? "") !== "");
  if (key !== undefined) return `key found in ${key}`;
  const home = env.HOME ?? homedir();
  return logins.some((file) => existsSync(join(home, file)))
    ? "logged in"
    : "no login found: run it once on its own to log in, or set a key";
}

function entryOf({ program, args }: KnownAgent): string {
  const entry = { path: program, ...(args.length > 0 && { args }), dialect: "acp" };
  return `"${program}": ${JSON.stringify(entry)}`;
}
