import { access, constants } from "node:fs/promises";
import { makeFolder } from "@agentwire/local/files";
import { errorMessage } from "@agentwire/protocol/support";
import { modelSources } from "../config/model-sources.ts";
import { VERSION, WIRE_VERSION } from "../config/version.ts";
import type { ModelSources } from "../model/choose-model.ts";
import { switchOf } from "../model/clouds.ts";
import { KnownProviders } from "../model/known-providers.ts";
import { sandboxState } from "../sandbox/report.ts";
import { sandboxProblem } from "../sandbox/requirements.ts";
import { sandboxSettings } from "../sandbox/sandbox-settings.ts";
import { settingsOf, withSettingsEnv } from "../session/session-settings.ts";
import { type Command, readOptions } from "./command.ts";
import { configuredServers } from "./mcp-files.ts";

/** `doctor`: shows version, paths and configuration, and the problems in the files a session would read; exit code 1 if there are any. */
export const doctor: Command = async ({ config, args, print }) => {
  readOptions(args, {});
  const settings = await settingsOf(config);
  const { problems, servers, withheld } = await configuredServers(config, settings);
  const sandbox = sandboxSettings(settings, config.home);
  const problem = await sandboxProblem({ settings: sandbox, env: config.env });
  const faults = [
    ...(sandbox.enabled && problem !== undefined ? [`The sandbox enabled in the settings: ${problem}`] : []),
    ...settings.errors.map(({ path, key, message }) => `${path}${key ? ` ${key}` : ""}: ${message}`),
    ...problems.map(({ where, message }) => `MCP ${where}: ${message}`),
    ...(await unwritable(config.configDir)),
  ];
  print(`agentwire-agent doctor

Running: agentwire ${VERSION}, as ${WIRE_VERSION}
Node: ${process.version}
Platform: ${process.platform}-${process.arch}
Path: ${process.argv[1]}
Configuration: ${config.configDir}
Model: ${await modelOf(modelSources(withSettingsEnv(config, settings), settings.effective))}
Trusted folder: ${settings.isTrusted ? "yes" : `no (${[...settings.withheld, ...withheld].length} settings are not applied; agentwire-agent trust lists them)`}
Sandbox: ${sandboxState(sandbox, problem)}
MCP servers: ${servers.length} (agentwire-agent mcp list connects to them)

${faults.length === 0 ? "No problems found." : ["Problems", ...faults.map((fault) => `- ${fault}`)].join("\n")}
`);
  return faults.length === 0 ? 0 : 1;
};

async function modelOf(sources: ModelSources): Promise<string> {
  const { script, cloud, baseUrl, apiKey, authToken, name = "" } = sources;
  if (script) return `the script ${script}`;
  const named = await new KnownProviders(sources.providers).find(name);
  if (named) return `${named.model} of ${named.provider.name}, at ${named.provider.baseUrl}`;
  if (cloud) return `Claude on the cloud selected by ${switchOf(cloud)}`;
  const at = baseUrl ? ` at ${baseUrl}` : "";
  if (apiKey) return `Messages API${at}, with ANTHROPIC_API_KEY`;
  if (authToken) return `Messages API${at}, with ANTHROPIC_AUTH_TOKEN`;
  return baseUrl ? `Messages API${at}, without a key` : "offline; set ANTHROPIC_API_KEY to talk to Claude";
}

async function unwritable(folder: string): Promise<readonly string[]> {
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
    return [];
  } catch (error) {
    return [`sessions can't be stored in ${folder}: ${errorMessage(error)}`];
  }
}
