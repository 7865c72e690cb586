import { ListRulesResponseSchema, type Rule, RuleBehavior, RuleSchema, RuleScope } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { ruleHint } from "@agentwire/view/text";
import { type Call, textOption } from "../command.ts";
import { folderForDaemon } from "../daemon/daemon-paths.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { CliError, UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import type { Client } from "../talk/client.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

/** The behaviors and scopes of rules by the names that people use. */
const BEHAVIORS = {
  allow: RuleBehavior.ALLOW,
  ask: RuleBehavior.ASK,
  deny: RuleBehavior.DENY,
} as const;

const SCOPES = {
  session: RuleScope.SESSION,
  project: RuleScope.PROJECT,
  user: RuleScope.USER,
  managed: RuleScope.MANAGED,
} as const;

const nameIn = (table: Readonly<Record<string, number>>, value: number) =>
  Object.keys(table).find((name) => table[name] === value) ?? "unknown";

export const behaviorName = (behavior: RuleBehavior): string => nameIn(BEHAVIORS, behavior);

const scopeName = (scope: RuleScope): string => nameIn(SCOPES, scope);

/** Lists rules. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const client = await runningDaemon(io, "rules");
  const session = textOption(call, "session");
  const found = await client.rules.listRules({
    sessionId: session === undefined ? "" : await sessionId(client, session),
  });
  if (json) io.stdout.write(jsonLine(ListRulesResponseSchema, found));
  else if (found.rules.length === 0)
    io.stdout.write(
      "No rules: agents ask about every call that is not harmless.\n  add one: agentwire rules allow 'Bash(npm test:*)'\n",
    );
  else io.stdout.write(table([["ID", "DOES", "RULE", "WHERE"], ...found.rules.map(row)]));
  return EXIT_CODES.done;
}

const row = (rule: Rule) => [
  shortId(rule.id),
  behaviorName(rule.behavior),
  plain(rule.rule),
  printScope(rule),
];

/** The scope of a rule as text. */
export function printScope({ scope, owner }: Rule): string {
  const where = scope === RuleScope.SESSION ? shortId(owner) : plain(owner);
  return where === "" ? scopeName(scope) : `${scopeName(scope)} ${where}`;
}

/** Stores a rule. */
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
  const hint = ruleHint(rule.rule);
  if (hint !== undefined && !json) io.stderr.write(`${hint}\n`);
  io.stdout.write(
    json
      ? withWarnings(jsonLine(RuleSchema, rule), hint === undefined ? [] : [hint])
      : `${behaviorName(rule.behavior)} ${plain(rule.rule)} (${printScope(rule)})\n`,
  );
  return EXIT_CODES.done;
}

/** Adds warnings, if there are any, to a line of JSON. */
const withWarnings = (line: string, warnings: readonly string[]) =>
  warnings.length === 0 ? line : `${JSON.stringify({ ...JSON.parse(line), warnings })}\n`;

type Scope = "session" | "project" | "user";

function scopeOf(call: Call): Scope {
  const session = textOption(call, "session");
  const scope = (textOption(call, "scope") ?? (session === undefined ? "project" : "session")) as Scope;
  if ((scope === "session") === (session !== undefined)) return scope;
  throw new UsageError(
    scope === "session"
      ? "--scope session needs --session ID"
      : `--session can't be combined with --scope ${scope}`,
  );
}

async function ownerOf(call: Call, client: Client, scope: Scope): Promise<string> {
  if (scope === "session") return sessionId(client, textOption(call, "session") ?? "");
  if (scope === "user") return "";
  const folder = folderForDaemon(call.io, textOption(call, "cwd"));
  if (folder !== "") return folder;
  throw new UsageError("a project rule needs a folder: --cwd DIR, or use --scope user for all folders");
}

/** Removes a rule. */
export async function remove({ io, json, args: [given = ""] }: Call): Promise<number> {
  const { rules: service } = await runningDaemon(io, "rules");
  const { rules } = await service.listRules({});
  const meant = rules.filter(
    ({ id, rule }) => rule === given || id === given || (given.length >= 4 && id.startsWith(given)),
  );
  const [first, second] = meant;
  if (!first) throw new CliError(`no rule ${given}`, { hint: "list them: agentwire rules" });
  if (second) {
    const places = meant.map((rule) => `${shortId(rule.id)} (${printScope(rule)})`);
    throw new CliError(`${given} is ambiguous: ${places.join(" or ")}`, { hint: "give the id" });
  }
  await service.removeRule({ id: first.id });
  io.stdout.write(
    json
      ? `${JSON.stringify({ removed: first.id })}\n`
      : `removed ${plain(first.rule)} (${printScope(first)})\n`,
  );
  return EXIT_CODES.done;
}
