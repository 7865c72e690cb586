import { RuleSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { folderThere } from "../daemon/path-there.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import type { Client } from "../talk/client.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";
import { printScope } from "./list.ts";
import { BEHAVIORS, behaviorName, SCOPES } from "./names.ts";

/** Keeps a rule. */
export async function setRule(call: Call, behavior: keyof typeof BEHAVIORS): Promise<number> {
  const {
    io,
    json,
    args: [text = ""],
  } = call;
  const client = await runningDaemon(io, "rules");
  const scope = scopeOf(call);
  const { rule } = await client.rules.setRule({
    rule: text,
    behavior: BEHAVIORS[behavior],
    scope: SCOPES[scope],
    owner: await ownerOf(call, client, scope),
  });
  if (!rule) return EXIT_CODES.done;
  io.stdout.write(
    json
      ? jsonLine(RuleSchema, rule)
      : `${behaviorName(rule.behavior)} ${plain(rule.rule)} (${printScope(rule)})\n`,
  );
  return EXIT_CODES.done;
}

type Scope = "session" | "project" | "user";

function scopeOf(call: Call): Scope {
  const session = textOption(call, "session");
  const scope = (textOption(call, "scope") ?? (session === undefined ? "project" : "session")) as Scope;
  if ((scope === "session") === (session !== undefined)) return scope;
  throw new UsageError(
    scope === "session"
      ? "--scope session needs to know which: --session ID"
      : `--session makes no sense with --scope ${scope}`,
  );
}

async function ownerOf(call: Call, client: Client, scope: Scope): Promise<string> {
  if (scope === "session") return sessionId(client, textOption(call, "session") ?? "");
  if (scope === "user") return "";
  const folder = folderThere(call.io, textOption(call, "cwd"));
  if (folder !== "") return folder;
  throw new UsageError("a rule of a project needs its folder: --cwd DIR, or --scope user for all");
}
