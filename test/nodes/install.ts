import { existsSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../install.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** The Node releases that are installed in addition to the one that runs the tests. */
export const RELEASES = ["22", "24"] as const;

/** The Node program of that release, installed first if necessary. */
export async function nodeOf(release: string): Promise<string> {
  const program = `${FOLDER}node_modules/node-${release}-${process.platform}-${process.arch}/bin/node`;
  await installPackages(FOLDER);
  if (!existsSync(program))
    throw new Error(
      `Node ${release} for ${process.platform}-${process.arch} is not in test/nodes/package.json`,
    );
  return program;
}

/** A PATH on which `node` is that release. */
export async function pathWithNode(release: string, path: string): Promise<string> {
  return [dirname(await nodeOf(release)), path].join(delimiter);
}
