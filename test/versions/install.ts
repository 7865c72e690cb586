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

/** The older agents are scripts of several megabytes. Since this release Node can cache their compiled code, a third of their start time. */
const NODE = "22";
const COMPILED = `${AGENTS}/compiled`;

/** Installs the published agents; only these tests need their 1.1 GB. */
export async function installVersions(): Promise<void> {
  await installPackages(FOLDER);
}

/** The agents published for this platform alone: the recorded one and the newest known one. */
export const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
export const NEWEST = `claude-2.1.328-${process.platform}-${process.arch}`;

/**
 * An agent by the name of its package: the published program, asked for its version once in advance. The older agents need seconds of
 * CPU time for the answer, and hosts do not wait that long on a busy machine.
 */
export async function agentOf(name: string): Promise<string> {
  const agent = `${AGENTS}/${name}`;
  if (existsSync(agent)) return agent;
  const command = commandOf(
    programOf(name),
    [NATIVE, NEWEST].includes(name) ? {} : { executable: await nodeOf(NODE) },
  );
  mkdirSync(dirname(agent), { recursive: true });
  const version = await versionOf(command, `${agent}.version`, packageOf(name));
  // Other tests may create the same one at the same moment.
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

const packageOf = (name: string) => `${FOLDER}node_modules/${name}/`;

function programOf(name: string): string {
  const folder = packageOf(name);
  const { bin } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  // Current packages contain the program itself, built for one platform.
  return `${folder}${bin?.claude ?? "claude"}`;
}

/**
 * Runs a command without a network, as published agents are always run here, and keeps its answer in a file. If several test files ask
 * at once, one runs it and the others wait for the lock.
 */
async function versionOf(command: readonly string[], file: string, lock: string): Promise<string> {
  const once = '[ -s "$0" ] || { "$@" >"$0.draft" && mv "$0.draft" "$0"; }';
  const isolated = ["unshare", "--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), ...command];
  await promisify(execFile)("flock", [lock, "sh", "-c", once, file, ...isolated, "--version"], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), NODE_COMPILE_CACHE: COMPILED },
  });
  return readFileSync(file, "utf8").trim();
}
