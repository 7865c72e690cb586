/** A version number with semantic-versioning precedence. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease?: string;
}

/** A version as an agent printed it. */
export interface AgentVersion extends Version {
  /** The API version in parentheses, e.g. `anthropic-2024-12-01`. */
  readonly apiVersion?: string;
  /** The line it was read from, trimmed. */
  readonly text: string;
}

/** A released version in the form used by tables, e.g. `1.0.22`. */
export type Release = `${number}.${number}.${number}`;

/** All patches of one minor version, e.g. `2.1.x`. */
export type MinorLine = `${number}.${number}.x`;

/** The versions from `min` to the last patch of `max`, both included. */
export interface VersionRange {
  readonly min: Release;
  readonly max: MinorLine;
}

// A probe's output is not trusted: neither a long output nor a long line is read to its end.
const MAX_OUTPUT_CHARS = 16_384;
const MAX_LINE_CHARS = 256;

const NUMBER = "(0|[1-9]\\d{0,8})";
const VERSION_LINE = new RegExp(
  `^(?:claude\\s+)?v?${NUMBER}\\.${NUMBER}\\.${NUMBER}` +
    "(?:-([0-9a-z-]+(?:\\.[0-9a-z-]+)*))?(?:\\+[0-9a-z.-]+)?(?:\\s+\\(([^()]+)\\))?$",
  "i",
);
const API_VERSION = /^anthropic-[0-9a-z.-]+$/i;

/** Reads the first line of a `--version` output that is a version; undefined if there is none. */
export function parseVersion(output: string): AgentVersion | undefined {
  const lines = output.slice(0, MAX_OUTPUT_CHARS).split(/[\r\n]/);
  // A truncated line may look like a version that was never printed.
  if (output.length > MAX_OUTPUT_CHARS) lines.pop();
  for (const line of lines) {
    const text = line.trim();
    const match = text.length <= MAX_LINE_CHARS ? VERSION_LINE.exec(text) : null;
    if (match === null) continue;
    const [, major, minor, patch, prerelease, label] = match;
    return {
      major: Number(major),
      minor: Number(minor),
      patch: Number(patch),
      ...(prerelease !== undefined && { prerelease }),
      ...(label !== undefined && API_VERSION.test(label) && { apiVersion: label }),
      text,
    };
  }
  return undefined;
}

/** The version in semantic-versioning form, without a leading `v`. */
export function printVersion({ major, minor, patch, prerelease }: Version): string {
  return `${major}.${minor}.${patch}${prerelease === undefined ? "" : `-${prerelease}`}`;
}

/** The minor line a version belongs to. */
export function minorLine({ major, minor }: Version): MinorLine {
  return `${major}.${minor}.x`;
}

/** Negative if `a` precedes `b`, positive if it follows, 0 if neither. */
export function compareVersions(a: Version, b: Version): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** Whether a version is the given release or a later one. */
export function isAtLeast(version: Version, release: Release): boolean {
  const [major = 0, minor = 0, patch = 0] = release.split(".").map(Number);
  return compareVersions(version, { major, minor, patch }) >= 0;
}

/** Where a version is relative to a range. */
export function placeInRange(version: Version, range: VersionRange): "below" | "inside" | "above" {
  if (!isAtLeast(version, range.min)) return "below";
  const [major = 0, minor = 0] = range.max.split(".").map(Number);
  // By number alone: a prerelease of the next minor already has that minor's changes.
  return (version.major - major || version.minor - minor) > 0 ? "above" : "inside";
}

function comparePrereleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const left = a.split(".");
  const right = b.split(".");
  for (const [index, identifier] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIdentifiers(a: string, b: string): number {
  const aIsNumber = /^\d+$/.test(a);
  const bIsNumber = /^\d+$/.test(b);
  if (aIsNumber && bIsNumber) return Number(a) - Number(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
