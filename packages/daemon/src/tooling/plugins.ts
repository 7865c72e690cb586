import { isAbsolute, join } from "node:path";
import { configFolder } from "@agentwire/local/files";
import { readSettingsFile } from "@agentwire/local/settings";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Surroundings } from "./config-files.ts";

/** A plugin that Claude Code has installed, with the file of its hooks. */
interface InstalledPlugin {
  /** In the form `name@marketplace`. */
  readonly name: string;
  readonly path: string;
  readonly settings: JsonObject;
}

const MOST_PLUGINS = 200;

/** The plugins with hooks that Claude Code has installed for the user or the folder. */
export async function installedPlugins({
  cwd,
  env,
  home,
}: Surroundings): Promise<readonly InstalledPlugin[]> {
  const noted = await read(join(configFolder(env, home), "plugins", "installed_plugins.json"));
  const plugins = isJsonObject(noted.plugins) ? Object.entries(noted.plugins) : [];
  const found = plugins.slice(0, MOST_PLUGINS).map(async ([name, entries]) => {
    const folder = (Array.isArray(entries) ? entries : [entries])
      .filter(isJsonObject)
      .filter(({ projectPath = cwd }) => projectPath === cwd)
      .map(({ installPath }) => installPath)
      .find((path) => typeof path === "string" && isAbsolute(path));
    if (typeof folder !== "string") return [];
    const path = join(folder, "hooks", "hooks.json");
    return [{ name, path, settings: await read(path) }];
  });
  return (await Promise.all(found)).flat();
}

async function read(path: string): Promise<JsonObject> {
  const reading = await readSettingsFile(path);
  return reading?.ok ? reading.settings : {};
}
