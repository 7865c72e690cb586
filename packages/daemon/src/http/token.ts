import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@agentwire/local/files";

/** The token of a daemon's folder, made when it is first asked for; only its owner can read it. */
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
