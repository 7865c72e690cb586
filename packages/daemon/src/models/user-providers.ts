import { join } from "node:path";
import { readSettingsFile, settingsPaths } from "@agentwire/local/settings";
import { Providers } from "@agentwire/models/providers";
import { isJsonObject } from "@agentwire/protocol";

type Environment = Readonly<Record<string, string | undefined>>;

/** The providers of models that a user has: those of their settings file, and those whose variable is set. */
export async function userProviders(env: Environment, home: string): Promise<Providers> {
  const configDir = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const reading = await readSettingsFile(settingsPaths({ cwd: "/", configDir }).user);
  const settings = reading?.ok ? reading.settings : {};
  const variables = isJsonObject(settings.env) ? (settings.env as Environment) : {};
  // It says where the Messages API is for clients, of which a gateway is none.
  return new Providers({
    table: settings.providers,
    env: { ...env, ...variables, ANTHROPIC_BASE_URL: undefined },
  });
}
