import { join } from "node:path";
import { readSettingsFile, settingsPaths } from "@agentwire/local/settings";
import { type Environment, type ProviderSources, Providers } from "@agentwire/models/providers";
import { isJsonObject } from "@agentwire/protocol";

/** What says which providers a user has: the table of their settings file, and the variables, with those of that file. */
export async function userSources(env: Environment, home: string): Promise<ProviderSources> {
  const configDir = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const reading = await readSettingsFile(settingsPaths({ cwd: "/", configDir }).user);
  const settings = reading?.ok ? reading.settings : {};
  const variables = isJsonObject(settings.env) ? (settings.env as Environment) : {};
  return { table: settings.providers, env: { ...env, ...variables } };
}

/** The providers as a gateway knows them: where the Messages API is says something to clients, of which a gateway is none. */
export const providersOf = ({ table, env }: ProviderSources): Providers =>
  new Providers({ table, env: { ...env, ANTHROPIC_BASE_URL: undefined } });

/** The providers of models that a user has: those of their settings file, and those whose variable is set. */
export const userProviders = async (env: Environment, home: string): Promise<Providers> =>
  providersOf(await userSources(env, home));
