import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { policyFolder } from "@agentwire/local/settings";
import { isJsonObject } from "@agentwire/protocol";
import { asString } from "@agentwire/protocol/support";
import { type Config, withEnvironment } from "../config/config.ts";
import type { Environment } from "../config/from-environment.ts";
import { modelNames } from "../model/model-names.ts";
import { readRoles } from "../model/roles.ts";
import { loadSettings, type SettingsOptions } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";

/** Why an agent refuses to start; `code` is the wire's name for the reason, if it has one. */
export interface StartupError {
  readonly kind: "refused";
  readonly reason: string;
  readonly code?: string;
}

/**
 * Reads the settings that a command line asks for; reports faults on stderr, and refuses to start if the unusable settings may
 * have forbidden something.
 */
export async function readSettings(
  config: Config,
  complain: (text: string) => void,
): Promise<Settings | StartupError> {
  const settings = await settingsOf(config);
  for (const { path, key, message } of settings.errors)
    complain(`agentwire-agent: ${path}: ${key === undefined ? "" : `${key} `}${message}\n`);
  return checkGiven(config, settings) ?? settings;
}

/** Reads the settings that a command line asks for, unless they have just been read. */
export async function settingsOf(config: Config): Promise<Settings> {
  const { settingsRead: read } = config;
  const options = settingsOptions(config);
  return read && isDeepStrictEqual(read.by, options) ? read.settings : loadSettings(options);
}

/** The same configuration with its settings, for a session that starts at once. */
export async function withSettingsRead(
  config: Config,
): Promise<Config & Required<Pick<Config, "settingsRead">>> {
  const by = settingsOptions(config);
  return { ...config, settingsRead: { by, settings: await loadSettings(by) } };
}

function settingsOptions(config: Config): SettingsOptions {
  const { configDir, projectRoot, cwd, home, userFile, sources, settings, managedSettings, trusts } = config;
  return {
    configDir,
    cwd: projectRoot,
    home,
    userFile,
    trusted: trusts ? [projectRoot, cwd] : [],
    policyFolder: policyFolder(),
    sources: [...sources].join(","),
    ...(settings !== undefined && { flag: settings }),
    ...(managedSettings !== undefined && { managed: managedSettings }),
  };
}

/** Applies the settings' environment variables to the agent as well as to the processes it starts. */
export function withSettingsEnv(config: Config, { effective }: Settings): Config {
  const { env, modelRoles } = effective;
  const whole = isJsonObject(env) ? withEnvironment(config, env as Environment) : config;
  return { ...whole, modelNames: modelNames(whole.env, readRoles(modelRoles)) };
}

/** The preferred models and the reasoning effort. */
export function modelPreferences(
  { model, modelNames, fallbackModels, thinking, maxReplyTokens, effort }: Config,
  { effective }: Settings,
) {
  return {
    name: model ?? asString(effective.model),
    names: modelNames,
    fallbacks: fallbackModels.length > 0 ? fallbackModels : namesIn(effective.fallbackModel),
    roles: readRoles(effective.modelRoles),
    thinking,
    maxReplyTokens,
    effort: effort ?? asString(effective.effortLevel),
  };
}

/** One name, or several in order of preference. */
function namesIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((name) => typeof name === "string" && name !== "").map(String);
}

/** Requested settings that can't be read at all may have forbidden something, so nothing runs without them. */
function checkGiven({ settings: flag, cwd }: Config, { errors }: Settings): StartupError | undefined {
  const flagPaths = flag ? ["--settings", resolve(cwd, flag)] : [];
  const isPolicy = (path: string) => path === "--managed-settings" || path.startsWith(policyFolder());
  const whole = errors.filter(({ key }) => key === undefined);
  const policy = whole.find(({ path }) => isPolicy(path));
  const fault = policy ?? whole.find(({ path }) => flagPaths.includes(path));
  if (!fault) return undefined;
  const reason = `The settings of ${fault.path} can't be used: it ${fault.message}.`;
  return { kind: "refused", reason, ...(policy && { code: "managed_settings_invalid" }) };
}
