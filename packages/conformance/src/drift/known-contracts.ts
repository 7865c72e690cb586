import { readdirSync } from "node:fs";

/** The contracts shipped with this package. */
const FOLDER = new URL("../../contracts/", import.meta.url);

/** The versions of the official agent with a contract in this package, oldest first. */
export const knownVersions = (): readonly string[] =>
  readdirSync(FOLDER)
    .map((name) => name.replace(/^claude-|\.json$/g, ""))
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));

/** The contract of a version, if this package has one. */
export const knownContract = (version: string): URL | undefined =>
  knownVersions().includes(version) ? new URL(`claude-${version}.json`, FOLDER) : undefined;
