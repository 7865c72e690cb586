import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const LOCK = here(".installing");

/**
 * Puts the packages of this folder in place unless they are there: only these tests need the official SDK. Test files may ask
 * side by side; one installs and the others wait. Throws what npm said if it fails.
 */
export async function installPackages(): Promise<void> {
  while (!isInstalled()) {
    if (!takeLock()) {
      await setTimeout(200);
      continue;
    }
    try {
      if (!isInstalled()) await npmCi();
    } finally {
      rmSync(LOCK, { force: true });
    }
  }
}

/** npm writes its hidden lockfile last, so an installation that was broken off does not count. */
function isInstalled(): boolean {
  const installed = packagesIn("node_modules/.package-lock.json");
  const wanted = packagesIn("package-lock.json")[SDK]?.version;
  return wanted !== undefined && installed[SDK]?.version === wanted;
}

const SDK = "node_modules/@anthropic-ai/claude-agent-sdk";

function packagesIn(lockfile: string): Readonly<Record<string, { readonly version?: string }>> {
  try {
    return JSON.parse(readFileSync(here(lockfile), "utf8")).packages;
  } catch {
    return {};
  }
}

/** Optional packages are the official agent's binaries (some 200 MB): the agent under test is ours. */
async function npmCi(): Promise<void> {
  process.stderr.write("test/interop: installing the official SDK, once (npm ci)\n");
  try {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--omit=optional"], { cwd: here(".") });
  } catch (cause) {
    throw new Error("test/interop: npm ci failed, so the official SDK can't be tested", { cause });
  }
  if (!isInstalled()) throw new Error("test/interop: npm ci did not install what package-lock.json names");
}

function takeLock(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isAlive(lockHolder())) rmSync(LOCK, { force: true });
    return false;
  }
}

function lockHolder(): number {
  try {
    return Number(readFileSync(LOCK, "utf8"));
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid: number): boolean {
  try {
    // 0 is our own group: a lock that has been made but not filled in yet counts as held.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
