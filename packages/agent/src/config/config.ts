import { homedir, tmpdir } from "node:os";
import { resolve } from "node:path";
import { configFolder, isFolder, userFile } from "@agentwire/local/files";
import type { SettingsOptions } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";
import { UsageError } from "../usage-error.ts";
import { listOf } from "./flag-values.ts";
import { type FlagName, type Flags, overrideFlags } from "./flags.ts";
import { type Environment, type EnvironmentConfig, isOn, readEnvironment } from "./from-environment.ts";
import { type FlagConfig, readFlags } from "./from-flags.ts";

/** The configuration of a session, read once from the command line and the environment and then passed along. */
export interface Config extends FlagConfig, EnvironmentConfig {
  /** The command line it was read from; only modules of this folder use it. */
  readonly flags: Flags;
  readonly cwd: string;
  /** The folder whose `.claude` and `.mcp.json` are the project's. */
  readonly projectRoot: string;
  readonly home: string;
  /** `$CLAUDE_CONFIG_DIR`, or `~/.claude`. */
  readonly configDir: string;
  /** The user's `.claude.json`, with servers and projects. */
  readonly userFile: string;
  readonly temporaryFolder: string;
  /** Which settings are read: `user`, `project`, `local`. */
  readonly sources: ReadonlySet<string>;
  /** Which notes, commands, skills, agents and servers are read; none with `bare`. */
  readonly contextSources: ReadonlySet<string>;
  /** Whether only the command line and the rules of the settings apply: few tools, no hooks, no default system prompt. */
  readonly bare: boolean;
  /** Whether other sessions run in the same process at the same time. */
  readonly sharesProcess: boolean;
  /** The settings, if they were read before the session began, and the options they were read with. */
  readonly settingsRead?: { readonly by: SettingsOptions; readonly settings: Settings };
}

/** Reads the configuration; throws a `UsageError` for values that can't be used. */
export function readConfig(flags: Flags, env: Environment, startedIn: string): Config {
  const cwd = cwdOf(flags, startedIn);
  const home = env.HOME ?? homedir();
  const sources = sourcesOf(flags);
  const bare = flags.has("bare") || isOn(env.CLAUDE_CODE_SIMPLE);
  return Object.freeze({
    ...readFlags(flags, cwd),
    ...readEnvironment(env, flags),
    flags,
    cwd,
    projectRoot: resolve(cwd, flags.text("project-config-root") ?? "."),
    home,
    configDir: configFolder(env, home),
    userFile: userFile(env, home),
    temporaryFolder: env.CLAUDE_CODE_TMPDIR || (env.TMPDIR ? resolve(cwd, env.TMPDIR) : tmpdir()),
    sources,
    contextSources: bare ? new Set<string>() : sources,
    bare,
    sharesProcess: false,
  });
}

/** The configuration of this process, in the folder it was started in. */
export function processConfig(flags: Flags): Config {
  return readConfig(flags, process.env, process.cwd());
}

/** The configuration with more variables in its environment; its folders do not change. */
export function withEnvironment(config: Config, added: Environment): Config {
  return { ...config, ...readEnvironment({ ...config.env, ...added }, config.flags) };
}

/** What a session changes in the configuration of the spare process that it claims. */
export interface Reconfiguration {
  readonly cwd: string;
  readonly env: Environment;
  readonly permissionMode: string | undefined;
  /** Additional folders that the session works in. */
  readonly addedFolders: readonly string[];
  /** The session to resume. */
  readonly resume?: string;
}

/** The configuration of a process that continues as another session. */
export function reconfigured(config: Config, change: Reconfiguration): Config {
  const { cwd, env, permissionMode, addedFolders, resume } = change;
  const overrides: Partial<Record<FlagName, readonly string[]>> = {
    "add-dir": [...config.flags.list("add-dir"), ...addedFolders],
    ...(permissionMode !== undefined && { "permission-mode": [permissionMode] }),
    ...(resume !== undefined && { resume: [resume] }),
  };
  return readConfig(overrideFlags(config.flags, overrides), { ...config.env, ...env }, cwd);
}

const SOURCES: readonly string[] = ["user", "project", "local"];

function sourcesOf(flags: Flags): ReadonlySet<string> {
  const given = flags.text("setting-sources");
  const chosen = listOf(given);
  const unknown = chosen.find((name) => !SOURCES.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--setting-sources ${unknown}: choose from ${SOURCES.join(", ")}`);
  return new Set(given === undefined ? SOURCES : chosen);
}

function cwdOf(flags: Flags, startedIn: string): string {
  const given = flags.text("cwd");
  const folder = resolve(startedIn, given ?? ".");
  if (given !== undefined && !isFolder(folder)) throw new UsageError(`--cwd ${given}: no such folder`);
  return folder;
}
