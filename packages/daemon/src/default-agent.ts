import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isJsonObject } from "@agentwire/protocol";
import type { AgentConfig } from "./agents.ts";
import type { DaemonConfig } from "./config.ts";

/** The official agent's name among those of a daemon. */
const OFFICIAL = "claude";

/** Any of these signs the official agent in. */
const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/**
 * The agents with the default one first, if the settings name none: the official agent if it is installed and signed in, since
 * its users most likely want it; otherwise our own.
 */
export function withBestFirst(
  agents: readonly AgentConfig[],
  { env, home }: Pick<DaemonConfig, "env" | "home">,
): readonly AgentConfig[] {
  const official = agents.find(({ name }) => name === OFFICIAL);
  if (!official?.path || !isSignedIn(env, home) || !isThere(official.path, env.PATH)) return agents;
  return [{ ...official, isGuess: true }, ...agents.filter((agent) => agent !== official)];
}

type Environment = DaemonConfig["env"];

function isSignedIn(env: Environment, home: string): boolean {
  if (KEYS.some((key) => env[key])) return true;
  const folder = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  if (existsSync(join(folder, ".credentials.json"))) return true;
  // Even if the system's keychain holds the secret, this file names the account.
  const file = env.CLAUDE_CONFIG_DIR ? join(folder, ".claude.json") : join(home, ".claude.json");
  try {
    const known: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isJsonObject(known) && isJsonObject(known.oauthAccount);
  } catch {
    return false;
  }
}

function isThere(program: string, path = ""): boolean {
  if (program.includes("/")) return isAbsolute(program) && isProgram(program);
  return path.split(delimiter).some((folder) => isAbsolute(folder) && isProgram(join(folder, program)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
