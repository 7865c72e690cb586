import type { ResolvedSettings } from "../sdk/resolved-settings.ts";
import type { Settings } from "../sdk/settings.ts";

/** Modes that ask less, and whose word is not enough for them: a file that came with the repository, or lies beside it. */
const DISTRUSTED: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["acceptEdits", ["project"]],
  ["auto", ["project", "local"]],
  ["bypassPermissions", ["project", "local"]],
]);

/** The effective settings without a permission mode that a repository has given itself. */
export function filterEscalatingDefaultMode(resolved: ResolvedSettings): Settings {
  const { effective, sources } = resolved;
  const giver = sources.findLast(({ settings }) => settings.permissions?.defaultMode !== undefined);
  const distrusted = DISTRUSTED.get(effective.permissions?.defaultMode);
  if (!giver || !distrusted?.includes(giver.source)) return effective;
  const { defaultMode, ...permissions } = effective.permissions ?? {};
  return { ...effective, permissions };
}
