import { isBoundary, keptBy, type LinkedLine, parentOf } from "./line.ts";

/**
 * Maps each line to the line it follows in the conversation. Messages that a summary kept stay where they are in the file; the boundary
 * says where they belong.
 */
export function relinkedParents(lines: ReadonlyMap<string, LinkedLine>): Map<string, string | undefined> {
  const parents = new Map<string, string | undefined>();
  const children = new Map<string, Set<string>>();
  const link = (uuid: string, parent: string | undefined) => {
    if (!lines.has(uuid)) return;
    children.get(parents.get(uuid) ?? "")?.delete(uuid);
    parents.set(uuid, parent);
    if (parent === undefined) return;
    const siblings = children.get(parent);
    if (siblings) siblings.add(uuid);
    else children.set(parent, new Set([uuid]));
  };
  for (const line of lines.values()) link(line.uuid, parentOf(line));
  for (const boundary of lines.values()) {
    const kept = isBoundary(boundary) ? keptBy(boundary) : undefined;
    // Same as the official programs: a list counts only if it is complete, a segment always counts.
    if (!kept || (kept.isListed && kept.uuids.some((uuid) => !lines.has(uuid)))) continue;
    let parent = kept.anchor;
    for (const uuid of kept.uuids) {
      link(uuid, parent);
      parent = uuid;
    }
    for (const uuid of [...(children.get(kept.anchor) ?? [])]) if (uuid !== kept.first) link(uuid, kept.last);
  }
  return parents;
}

/** The chain of lines up to and including a leaf, oldest first; `before` returns a line's predecessor. */
export function linesTo<T>(leaf: T, before: (line: T) => T | undefined, seen = new Set<T>()): T[] {
  const lines: T[] = [];
  for (let line: T | undefined = leaf; line !== undefined && !seen.has(line); line = before(line)) {
    seen.add(line);
    lines.push(line);
  }
  return lines.reverse();
}
