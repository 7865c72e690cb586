import { matrixRow } from "../../src/compatibility/check.ts";
import type { MatrixRow } from "../../src/compatibility/matrix.ts";
import { type AgentVersion, parseVersion } from "../../src/compatibility/version.ts";

/** Parses a version; fails the test if it is none. */
export function version(text: string): AgentVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

/** A row of the matrix; fails the test if there is none. */
export function row(program: string, release: string): MatrixRow {
  const found = matrixRow(version(release), program);
  if (found === undefined) throw new Error(`no row for ${program} ${release}`);
  return found;
}
