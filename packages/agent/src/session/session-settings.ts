import { policyFolder } from "@agentwire/local/settings";
import type { Config } from "../config/config.ts";
import { loadSettings } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";

/** Reads the settings that a command line asks for. */
export function settingsOf(config: Config): Promise<Settings> {
  const { configDir, projectRoot, cwd, home, userFile, sources, flags } = config;
  const flag = flags.text("settings") || undefined;
  const managed = flags.text("managed-settings") || undefined;
  return loadSettings({
    configDir,
    cwd: projectRoot,
    home,
    userFile,
    trusted: flags.has("trust") ? [projectRoot, cwd] : [],
    policyFolder: policyFolder(),
    sources: [...sources].join(","),
    ...(flag !== undefined && { flag }),
    ...(managed !== undefined && { managed }),
  });
}

/** What the settings put into the environment holds for the agent as well as for what it starts. */
export function withSettingsEnv(config: Config, { effective }: Settings): Config {
  const { env } = effective;
  return typeof env === "object" ? { ...config, env: { ...config.env, ...env } } : config;
}
