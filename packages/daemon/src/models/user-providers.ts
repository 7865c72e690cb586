import { join } from "node:path";
import { readSettingsFile, settingsPaths } from "@agentwire/local/settings";
import { type Environment, type ProviderSources, Providers } from "@agentwire/models/providers";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** The sources of a user's providers: the table in their settings file, and the environment merged with the file's variables. */
export async function userSources(env: Environment, home: string): Promise<ProviderSources> {
  const settings = await userSettings(env, home);
  const variables = isJsonObject(settings.env) ? (settings.env as Environment) : {};
  return { table: settings.providers, env: { ...env, ...variables } };
}

/** The models that a user has chosen, with the place of each choice. */
export async function userModels(env: Environment, home: string): Promise<ReadonlyMap<string, string>> {
  const { model, fallbackModel, modelRoles } = await userSettings(env, home);
  const roles = isJsonObject(modelRoles) ? Object.entries(modelRoles) : [];
  const chosen: readonly (readonly [string, unknown])[] = [
    ...VARIABLES.map((variable) => [variable, env[variable]] as const),
    ["model", model],
    ...[fallbackModel].flat().map((name) => ["fallbackModel", name] as const),
    ...roles.map(([role, name]) => [`modelRoles.${role}`, name] as const),
  ];
  return new Map(
    chosen.flatMap(([place, name]) => (typeof name === "string" && name !== "" ? [[name, place]] : [])),
  );
}

/** Whether the environment or the user's settings file gives access to Claude. */
export async function userHasClaude(env: Environment, home: string): Promise<boolean> {
  const { apiKeyHelper, env: more } = await userSettings(env, home);
  const variables = { ...env, ...(isJsonObject(more) ? more : {}) };
  return Boolean(apiKeyHelper) || CREDENTIALS.some((variable) => variables[variable]);
}

const CREDENTIALS = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
] as const;

const VARIABLES = [
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "CLAUDE_CODE_SUBAGENT_MODEL",
];

async function userSettings(env: Environment, home: string): Promise<JsonObject> {
  const configDir = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const reading = await readSettingsFile(settingsPaths({ cwd: "/", configDir }).user);
  return reading?.ok ? reading.settings : {};
}

/** The providers for a gateway. The base URL of the Messages API is removed, since it is meant for clients of a gateway. */
export const providersOf = ({ table, env }: ProviderSources): Providers =>
  new Providers({ table, env: { ...env, ANTHROPIC_BASE_URL: undefined } });

/** A user's model providers: those in their settings file, and those whose variable is set. */
export const userProviders = async (env: Environment, home: string): Promise<Providers> =>
  providersOf(await userSources(env, home));
