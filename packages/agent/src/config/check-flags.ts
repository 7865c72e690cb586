import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isJsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { UsageError } from "../usage-error.ts";
import type { FlagName, Flags } from "./flags.ts";

/** Flags that wait for a message that only a host sends. */
const WAITING: readonly FlagName[] = ["await-initialize", "await-claim", "managed-settings-in-initialize"];

/** Throws for flags that contradict each other or lack a flag they need. */
export function checkFlags(flags: Flags): void {
  const [incomplete] = flags.incomplete;
  if (incomplete !== undefined) throw new UsageError(`${incomplete} needs a value`);
  if (
    flags.text("session-id") &&
    (flags.has("resume") || flags.has("continue")) &&
    !flags.has("fork-session")
  )
    throw new UsageError(
      "--session-id can be combined with --resume or --continue only if --fork-session is given",
    );
  if (flags.text("resume-session-at") && !flags.has("resume"))
    throw new UsageError("--resume-session-at needs --resume");
  const isStreaming = flags.text("input-format") === "stream-json";
  const output = flags.text("output-format");
  if (isStreaming && output !== undefined && output !== "stream-json")
    throw new UsageError("--input-format stream-json needs --output-format stream-json");
  for (const name of WAITING)
    if (flags.has(name) && !isStreaming) throw new UsageError(`--${name} needs --input-format stream-json`);
  if (flags.has("managed-settings-in-initialize") && flags.text("managed-settings") !== undefined)
    throw new UsageError("use --managed-settings or --managed-settings-in-initialize, not both");
}

/** Throws if a list of servers can't be read: the caller relies on the servers, so an empty list will not do. */
export function checkServerList(given: string, cwd: string): void {
  const isText = given.trimStart().startsWith("{");
  const where = `--mcp-config${isText ? "" : ` ${given}`}`;
  let list: unknown;
  try {
    list = JSON.parse(isText ? given : readFileSync(resolve(cwd, given), "utf8"));
  } catch (cause) {
    throw new UsageError(`${where}: ${errorMessage(cause)}`, { cause });
  }
  if (!isJsonObject(list) || !isJsonObject(list.mcpServers))
    throw new UsageError(`${where}: the mcpServers object is missing`);
}
