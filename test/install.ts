import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { withExtraCertificates } from "./extra-certificates.ts";

/**
 * Installs the packages of a test folder unless they are installed already; only the tests of that folder need them. If several test
 * files ask at once, one installs and the others wait. If it fails, the error contains npm's output.
 */
export async function installPackages(folder: string, flags: readonly string[] = []): Promise<void> {
  const lock = join(folder, ".installing");
  while (!isInstalled(folder)) {
    if (!takeLock(lock)) {
      await setTimeout(200);
      continue;
    }
    try {
      if (!isInstalled(folder)) await npmCi(folder, flags);
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** npm writes its hidden lockfile last, so an interrupted installation does not count. */
function isInstalled(folder: string): boolean {
  const wanted = packagesIn(join(folder, "package-lock.json"));
  const installed = packagesIn(join(folder, "node_modules", ".package-lock.json"));
  const { dependencies = {}, optionalDependencies = {} } = wanted[""] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies }).map(
    (name) => `node_modules/${name}`,
  );
  return names
    .filter((name) => isForThisMachine(wanted[name]))
    .every((name) => installed[name] && installed[name].version === wanted[name]?.version);
}

function isForThisMachine({ os = process.platform, cpu = process.arch }: LockedPackage = {}): boolean {
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

interface LockedPackage {
  readonly version?: string;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function packagesIn(lockfile: string): Readonly<Record<string, LockedPackage>> {
  try {
    return JSON.parse(readFileSync(lockfile, "utf8")).packages;
  } catch {
    return {};
  }
}

async function npmCi(folder: string, flags: readonly string[]): Promise<void> {
  process.stderr.write(`${folder}: installing what its tests need, once (npm ci)\n`);
  // Tests don't need the audit and funding data that npm would request from its registry.
  const ci = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...flags];
  const npm = (...more: readonly string[]) =>
    promisify(execFile)("npm", [...ci, ...more], { cwd: folder, env: withExtraCertificates() });
  try {
    // The lockfiles fix every version, so npm need not ask its registry for newer ones, which takes a quarter of the computing time.
    // What it remembers may be too old to know a version; then it has to ask.
    await npm("--prefer-offline").catch(() => npm());
  } catch (cause) {
    throw new Error(`${folder}: npm ci failed, so its tests can't run`, { cause });
  }
  if (!isInstalled(folder)) throw new Error(`${folder}: npm ci did not install what package-lock.json names`);
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
    return false;
  }
}

function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid: number): boolean {
  try {
    // 0 is our own group: a lock that was created but not yet filled in counts as held.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
