import { ListRulesResponseSchema, type Rule, RuleScope } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";
import { behaviorName, scopeName } from "./names.ts";

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
      "There are no rules, so everything that is not harmless is asked.\n  one to begin with: agentwire rules allow 'Bash(npm test:*)'\n",
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

/** Where a rule holds, in words. */
export function printScope({ scope, owner }: Rule): string {
  const where = scope === RuleScope.SESSION ? shortId(owner) : plain(owner);
  return where === "" ? scopeName(scope) : `${scopeName(scope)} ${where}`;
}
