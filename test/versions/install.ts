import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installPackages } from "../install.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** Puts the published agents in place: only these tests need their 700 MB. */
export async function installVersions(): Promise<void> {
  await installPackages(FOLDER);
}

/** The program of a version, by the name of its package. */
export function programOf(name: string): string {
  const folder = `${FOLDER}node_modules/${name}/`;
  const { bin } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  // The package of today has the program itself, made for one platform.
  return `${folder}${bin?.claude ?? "claude"}`;
}
