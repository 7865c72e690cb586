import { matchesSegment, parseSegment, toSegments } from "./segment-pattern.ts";

/** The directories that the prefixes of a pattern stand for. */
export interface Anchors {
  readonly cwd: string;
  readonly home?: string;
  /** The directory that a single leading `/` stands for. */
  readonly root: string;
}

/** A gitignore-style pattern, prepared for comparison with paths. */
export interface PathPattern {
  /** The directory it starts at. */
  readonly base: readonly string[];
  /** What follows, `**` included. */
  readonly segments: readonly string[];
  /** Whether it ended with `/` and so matches only what is inside the directory. */
  readonly insideOnly: boolean;
}

const GLOB = /[*?[\\]/;

/**
 * Parses `//absolute`, `~/in-home`, `/from-the-settings-root`, `./from-the-current-directory` or `bare`,
 * which matches at any depth if it has no slash. Undefined for a pattern that matches nothing: a negation, or
 * `..` after a wildcard.
 */
export function parsePathPattern(content: string, anchors: Anchors): PathPattern | undefined {
  const anchored = anchor(content, anchors);
  if (!anchored || content.startsWith("!")) return undefined;
  const base = toSegments(anchored.base);
  const segments: string[] = [];
  for (const segment of anchored.rest.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length === 0) base.pop();
    else if (GLOB.test(segments.pop() ?? "")) return undefined;
  }
  const floats = anchored.bare && !anchored.rest.replace(/\/$/, "").includes("/");
  return { base, segments: floats ? ["**", ...segments] : segments, insideOnly: content.endsWith("/") };
}

/** Whether a pattern names a path or a directory above it. */
export function matchesPath({ base, segments, insideOnly }: PathPattern, path: readonly string[]): boolean {
  if (base.some((name, at) => path[at] !== name)) return false;
  const rest = path.slice(base.length).map((name) => Array.from(name));
  // Whether the segments so far can have consumed exactly the first `n` names.
  let used = [true, ...rest.map(() => false)];
  segments.forEach((segment, at) => {
    const isLast = at === segments.length - 1;
    used = segment === "**" ? afterDoubleStar(used, isLast) : afterSegment(used, segment, rest);
  });
  return insideOnly ? used.slice(0, -1).includes(true) : used.includes(true);
}

/** Whether a pattern may match anything in or below a folder. */
export function reachesBelow({ base, segments }: PathPattern, folder: readonly string[]): boolean {
  if (folder.length <= base.length) return folder.every((name, at) => base[at] === name);
  if (base.some((name, at) => folder[at] !== name)) return false;
  for (const [at, name] of folder.slice(base.length).entries()) {
    const segment = segments[at];
    // A match above the folder, or of any number of names, may also be below it.
    if (segment === undefined || segment === "**") return true;
    if (!matchesSegment(parseSegment(segment), Array.from(name))) return false;
  }
  return true;
}

function afterSegment(used: readonly boolean[], segment: string, rest: readonly string[][]): boolean[] {
  const tokens = parseSegment(segment);
  return [false, ...rest.map((name, at) => used[at] === true && matchesSegment(tokens, name))];
}

function afterDoubleStar(used: readonly boolean[], isLast: boolean): boolean[] {
  const first = used.indexOf(true);
  // At the end it matches what is inside, so at least one name.
  return used.map((_, at) => first >= 0 && (isLast ? at > first : at >= first));
}

function anchor(content: string, { cwd, home, root }: Anchors) {
  if (content.startsWith("//")) return { base: "/", rest: content.slice(2), bare: false };
  if (content.startsWith("/")) return { base: root, rest: content.slice(1), bare: false };
  if (content === "~" || content.startsWith("~/")) {
    return home === undefined ? undefined : { base: home, rest: content.slice(1), bare: false };
  }
  const dotted = content === "." || content === ".." || content.startsWith("./") || content.startsWith("../");
  return { base: cwd, rest: content, bare: !dotted };
}
