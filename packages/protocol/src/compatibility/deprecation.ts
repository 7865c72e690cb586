import { isAtLeast, type Release, type Version } from "./version.ts";

/** Behavior observed on this side that a newer agent may no longer want. */
export type ObservedFact = "legacy_permission_format";

/** A practice that agents have abandoned, and the text to show about it. */
export interface Deprecation {
  readonly since: Release;
  readonly when: ObservedFact;
  readonly message: string;
}

/** Every known deprecation. */
export const DEPRECATIONS: readonly Deprecation[] = [
  {
    since: "1.1.0",
    when: "legacy_permission_format",
    message:
      "DEPRECATION: Claude Code 1.1.0+ uses new permission format. " +
      "agentwire will auto-convert, but update recommended.",
  },
];

/** The deprecations that apply to an agent version, given what was observed; an unknown version counts as the newest. */
export function deprecationsFor(
  version: Version | undefined,
  observed: ReadonlySet<ObservedFact>,
): readonly Deprecation[] {
  return DEPRECATIONS.filter(
    ({ since, when }) => observed.has(when) && (version === undefined || isAtLeast(version, since)),
  );
}
