import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@agentwire/local/files";

/** The token in a daemon's folder, created on first use; only the folder's owner can read it. */
export function tokenOf(folder: string): string {
  const file = join(folder, "token");
  try {
    const token = readFileSync(file, "utf8").trim();
    if (token !== "") return token;
  } catch {
    makePrivateFolder(folder);
  }
  const token = randomBytes(32).toString("base64url");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}
