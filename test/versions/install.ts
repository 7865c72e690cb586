import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commandOf } from "@agentwire/host/agent";
import { installPackages } from "../install.ts";
import { nodeOf } from "../nodes/install.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

const AGENTS = `${FOLDER}node_modules/.agents`;

/** The older agents are scripts of several megabytes. From this release on Node can keep their compiled code, a third of their start. */
const NODE = "22";
const COMPILED = `${AGENTS}/compiled`;

/** Puts the published agents in place: only these tests need their 1.1 GB. */
export async function installVersions(): Promise<void> {
  await installPackages(FOLDER);
}

/** The agents that are published for this machine alone: the one that was recorded, and the newest that is known. */
export const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
export const NEWEST = `claude-2.1.327-${process.platform}-${process.arch}`;

/**
 * An agent by the name of its package. It is the published program, asked for its version once: the older ones need seconds of
 * computing to tell, and hosts do not wait that long on a busy machine.
 */
export async function agentOf(name: string): Promise<string> {
  const agent = `${AGENTS}/${name}`;
  if (existsSync(agent)) return agent;
  const command = commandOf(
    programOf(name),
    [NATIVE, NEWEST].includes(name) ? {} : { executable: await nodeOf(NODE) },
  );
  const version = await versionOf(command);
  mkdirSync(dirname(agent), { recursive: true });
  // Other tests may make the same one at the same moment.
  const draft = `${agent}.${process.pid}`;
  writeFileSync(
    draft,
    `#!/bin/sh
[ "$1" = --version ] && { echo '${version}'; exit; }
export NODE_COMPILE_CACHE='${COMPILED}'
exec ${command.map((word) => `'${word}'`).join(" ")} "$@"
`,
    { mode: 0o755 },
  );
  renameSync(draft, agent);
  return agent;
}

function programOf(name: string): string {
  const folder = `${FOLDER}node_modules/${name}/`;
  const { bin } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  // The package of today has the program itself, made for one platform.
  return `${folder}${bin?.claude ?? "claude"}`;
}

/** Where there is no network: that is how published agents are run here. */
async function versionOf(command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "unshare",
    ["--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), ...command, "--version"],
    { env: { PATH: process.env.PATH, HOME: tmpdir(), NODE_COMPILE_CACHE: COMPILED } },
  );
  return stdout.trim();
}
