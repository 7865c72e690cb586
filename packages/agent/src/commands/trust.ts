import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Config } from "../config/config.ts";
import { loadContext } from "../context/load.ts";
import { realPath } from "../files/real-path.ts";
import { settingsOf } from "../session/session-settings.ts";
import { trustFolder } from "../settings/trust.ts";
import type { Withheld } from "../settings/untrusted.ts";
import { UsageError } from "../usage-error.ts";
import { type Command, readOptions } from "./command.ts";
import { configuredServers } from "./mcp-files.ts";

/** `trust [FOLDER]`: shows what the files of a folder would be allowed to do, and records that the user trusts it. */
export const trust: Command = async ({ config, args, print, complain }) => {
  const { values, positionals } = readOptions(args, { yes: { type: "boolean" }, json: { type: "boolean" } });
  const here = await placed(config, positionals[0] ?? ".");
  const { isTrusted, allows } = await whatItAllows(here);
  const folder = here.projectRoot;
  if (values.json) print(`${JSON.stringify({ folder, trusted: isTrusted, allows })}\n`);
  else print(`${isTrusted ? alreadyTrusted(folder) : question(folder, allows)}\n`);
  if (isTrusted || (values.json && !values.yes)) return 0;
  if (!(values.yes ?? (await isAgreedTo(complain)))) return 1;
  await trustFolder(folder, config.userFile);
  if (!values.json) print(`${folder} is now trusted (recorded in ${config.userFile}).\n`);
  return 0;
};

async function placed(config: Config, given: string): Promise<Config> {
  const folder = await realPath(resolve(config.cwd, given));
  // The path shown to the user must be the path that becomes trusted.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(folder))
    throw new UsageError("the path contains invisible characters");
  return { ...config, cwd: folder, projectRoot: folder };
}

/** Whether a folder is trusted, and what its files ask for that requires trust. */
async function whatItAllows(config: Config): Promise<{
  readonly isTrusted: boolean;
  readonly allows: readonly Withheld[];
}> {
  const settings = await settingsOf(config);
  const { configDir, cwd, env, projectRoot, home } = config;
  const [{ withheld: servers }, { withheld: files }] = await Promise.all([
    configuredServers(config, settings),
    loadContext({
      configDir,
      cwd,
      env,
      projectRoot,
      home,
      trust: settings.trust,
      sources: new Set(["project"]),
      plugins: [],
      repoRoots: [],
      agents: new Map(),
      skills: undefined,
    }),
  ]);
  return { isTrusted: settings.isTrusted, allows: [...settings.withheld, ...servers, ...files] };
}

const alreadyTrusted = (folder: string) => `${folder} is already trusted.`;

function question(folder: string, allows: readonly Withheld[]): string {
  const rows = allows.map(({ path, what }) => `  ${path}: ${what}`);
  const asks =
    rows.length > 0 ? ["Its files ask for:", ...rows] : ["Its files ask for nothing that needs trust."];
  return [
    `${folder} is not trusted.`,
    ...asks,
    "Once you trust it, its files may start programs, allow calls and choose where requests go, even if they change later.",
  ].join("\n");
}

async function isAgreedTo(complain: (text: string) => void): Promise<boolean> {
  if (!process.stdin.isTTY) {
    complain("agentwire-agent trust: no terminal is available to ask; use --yes to trust the folder\n");
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question("Do you trust it? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}
