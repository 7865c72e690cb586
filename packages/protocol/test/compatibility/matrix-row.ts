import { matrixRow } from "../../src/compatibility/check.ts";
import type { MatrixRow } from "../../src/compatibility/matrix.ts";
import { type AgentVersion, parseVersion } from "../../src/compatibility/version.ts";

/** A version that must be one. */
export function version(text: string): AgentVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

/** A row of the matrix that must be there. */
export function row(program: string, release: string): MatrixRow {
  const found = matrixRow(version(release), program);
  if (found === undefined) throw new Error(`no row for ${program} ${release}`);
  return found;
}
