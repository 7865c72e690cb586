import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder in which a user's agents keep their files. Its name is normalized to NFC on every system, as the official programs do. */
export function configFolder(env: Environment = process.env, home = homedir()): string {
  return (env.CLAUDE_CONFIG_DIR || join(home, ".claude")).normalize("NFC");
}

/** The user's `.claude.json`: in the home folder unless a config folder was chosen. */
export function userFile(env: Environment = process.env, home = homedir()): string {
  return join((env.CLAUDE_CONFIG_DIR || home).normalize("NFC"), ".claude.json");
}
