import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Puts the published agents in place unless they are there: only these tests need their 700 MB. Throws what npm said. */
export async function installVersions(): Promise<void> {
  // npm writes its hidden lockfile last, so an installation that was broken off does not count.
  if (existsSync(here("node_modules/.package-lock.json"))) return;
  process.stderr.write("packages/daemon/test/versions: installing published agents, once (npm ci)\n");
  try {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts"], { cwd: here(".") });
  } catch (cause) {
    throw new Error("packages/daemon/test/versions: npm ci failed, so published agents can't be tested", {
      cause,
    });
  }
}

/** The program of a version, by the name of its package. */
export function programOf(name: string): string {
  const folder = here(`node_modules/${name}/`);
  const { bin } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  // The package of today has the program itself, made for one platform.
  return `${folder}${bin?.claude ?? "claude"}`;
}
