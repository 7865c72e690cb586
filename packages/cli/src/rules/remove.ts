import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { CliError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { printScope } from "./list.ts";

/** Forgets a rule. */
export async function remove({ io, json, args: [given = ""] }: Call): Promise<number> {
  const { rules: service } = await runningDaemon(io, "rules");
  const { rules } = await service.listRules({});
  const meant = rules.filter(
    ({ id, rule }) => rule === given || id === given || (given.length >= 4 && id.startsWith(given)),
  );
  const [first, second] = meant;
  if (!first) throw new CliError(`there is no rule ${given}`, { hint: "agentwire rules lists them" });
  if (second) {
    const places = meant.map((rule) => `${shortId(rule.id)} (${printScope(rule)})`);
    throw new CliError(`${given} may mean ${places.join(" or ")}`, { hint: "give the id" });
  }
  await service.removeRule({ id: first.id });
  io.stdout.write(
    json
      ? `${JSON.stringify({ removed: first.id })}\n`
      : `removed ${plain(first.rule)} (${printScope(first)})\n`,
  );
  return EXIT_CODES.done;
}
