import type { Withheld } from "../settings/untrusted.ts";

/** So many are named; the others are counted. */
const MAX_NAMED = 40;

/** Says what does not count in a folder that the user does not trust, and what to do about it; undefined if that is nothing. */
export function withheldText(folder: string, withheld: readonly Withheld[]): string | undefined {
  if (withheld.length === 0) return undefined;
  const named = withheld.slice(0, MAX_NAMED).map(({ path, what }) => `  ${path}: ${what}`);
  const more = withheld.length > MAX_NAMED ? [`  and ${withheld.length - MAX_NAMED} more`] : [];
  return [
    `${folder} is not trusted, so this does not count:`,
    ...named,
    ...more,
    `If you trust it, run: agentwire-agent trust ${folder} (or start with --trust)`,
  ].join("\n");
}
