import type { ResolvedSettings } from "../sdk/resolved-settings.ts";
import type { Settings } from "../sdk/settings.ts";

/** Modes that ask less, and the settings files that may not choose them: those in the repository or next to it. */
const DISTRUSTED: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["acceptEdits", ["project"]],
  ["auto", ["project", "local"]],
  ["bypassPermissions", ["project", "local"]],
]);

/** The effective settings, without a permission mode that a repository has chosen for itself. */
export function filterEscalatingDefaultMode(resolved: ResolvedSettings): Settings {
  const { effective, sources } = resolved;
  const giver = sources.findLast(({ settings }) => settings.permissions?.defaultMode !== undefined);
  const distrusted = DISTRUSTED.get(effective.permissions?.defaultMode);
  if (!giver || !distrusted?.includes(giver.source)) return effective;
  const { defaultMode, ...permissions } = effective.permissions ?? {};
  return { ...effective, permissions };
}
