import type { Withheld } from "../settings/untrusted.ts";
import type { Foundation } from "./foundation.ts";

/** So many are named; the others are counted. */
const MAX_NAMED = 40;

/** Whoever relies on a project's files has to hear that they don't count. */
export async function tellWithheld(
  session: Pick<Foundation, "config" | "outlet" | "withheld" | "complain">,
): Promise<void> {
  const { config, outlet, withheld, complain } = session;
  const content = withheldText(config.projectRoot, await withheld());
  if (content === undefined) return;
  complain(`agentwire-agent: ${content}\n`);
  outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
}

/** What does not count, and what to do about it; undefined if that is nothing. */
function withheldText(folder: string, withheld: readonly Withheld[]): string | undefined {
  if (withheld.length === 0) return undefined;
  const named = withheld.slice(0, MAX_NAMED).map(({ path, what }) => `  ${path}: ${what}`);
  const more = withheld.length > MAX_NAMED ? [`  and ${withheld.length - MAX_NAMED} more`] : [];
  return [
    `${folder} is not trusted, so this does not apply:`,
    ...named,
    ...more,
    `If you trust it, run: agentwire-agent trust ${folder} (or start with --trust)`,
  ].join("\n");
}
