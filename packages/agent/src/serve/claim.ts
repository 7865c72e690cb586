import { realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ProtocolError } from "@agentwire/protocol";
import type { hostRequests, RequestOf } from "@agentwire/protocol/control";
import { type Config, reconfigured } from "../config/config.ts";

/** The request that turns an agent started in advance into a session. */
export type Claim = RequestOf<typeof hostRequests, "claim_session">;

/** The only variables that a claim may set: all others were read at startup. */
const CLAIMABLE: ReadonlySet<string> = new Set([
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
  "CLAUDE_CODE_HOST_SESSION_ID",
]);

/** The configuration of a claimed agent: that of the spare, in the claim's folder; throws if the claim is refused. */
export async function claimedConfig(spare: Config, claim: Claim): Promise<Config> {
  const { env = {}, permission_mode, additional_directories = [] } = claim;
  const foreign = Object.keys(env).find((name) => !CLAIMABLE.has(name));
  if (foreign !== undefined)
    throw unclaimable("env_key_not_claimable", `${foreign} is read when the process starts`);
  const cwd = await folderAt(inHome(claim.cwd, spare.home));
  if (cwd === undefined) throw unclaimable("cwd_not_found", `there is no folder ${claim.cwd}`);
  const added = await Promise.all(additional_directories.map((folder) => folderAt(resolve(cwd, folder))));
  return reconfigured(spare, {
    cwd,
    env,
    // As a launch option, this mode would permit itself.
    permissionMode: permission_mode === "bypassPermissions" ? undefined : permission_mode,
    addedFolders: added.filter((folder) => folder !== undefined),
  });
}

/** The error that refuses a claim; its first word is a code for hosts. */
export function unclaimable(code: string, why: string): ProtocolError {
  return new ProtocolError("refused", `${code}: ${why}`);
}

const inHome = (path: string, home: string) =>
  path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;

async function folderAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? realpath(path) : undefined;
}
