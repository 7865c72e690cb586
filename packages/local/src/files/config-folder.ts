import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the agents of a user keep what is theirs. Its name is composed on every system, as the official programs do it. */
export function configFolder(env: Environment = process.env, home = homedir()): string {
  return (env.CLAUDE_CONFIG_DIR || join(home, ".claude")).normalize("NFC");
}

/** The user's `.claude.json`: in the home folder, unless the folder above was chosen. */
export function userFile(env: Environment = process.env, home = homedir()): string {
  return join((env.CLAUDE_CONFIG_DIR || home).normalize("NFC"), ".claude.json");
}
