import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { coversBelow, type GivenRule, judge, type RuleContext } from "@agentwire/protocol/permission";
import type { LocatedAccess, LocatedCall } from "./call.ts";

/** The maximum number of directory entries searched for one call; with more, the user is asked. */
const MAX_ENTRIES = 20_000;

/**
 * Whether a rule closes some files to reading. Ask rules count too: the user can't be asked about every file that a search finds.
 */
export const closesFiles = ({ behavior, rule }: GivenRule): boolean =>
  behavior !== "allow" && rule.content !== undefined;

/**
 * The rule that closes something below a folder that a call reads recursively or copies; undefined if there is none. A folder
 * too large to search, and git history, count as closed if a rule could apply to them.
 */
export async function closedBelow(
  { accesses, mayRead }: LocatedCall,
  rules: readonly GivenRule[],
  context: RuleContext,
): Promise<GivenRule | undefined> {
  const closing = rules.filter(closesFiles);
  for (const access of closing.length === 0 ? [] : [...accesses, ...mayRead]) {
    const closed = access.below && (await closedIn(access, closing, context));
    if (closed) return closed;
  }
  return undefined;
}

async function closedIn(
  { path, real, below }: LocatedAccess,
  closing: readonly GivenRule[],
  context: RuleContext,
): Promise<GivenRule | undefined> {
  for (const folder of new Set([path, ...real])) {
    const near = closing.filter((rule) => coversBelow(rule, folder, context));
    if (near.length === 0) continue;
    const isInHistory = below === "history" && !(await isFile(folder));
    const closed = isInHistory ? near[0] : await firstClosed(folder, near, context);
    if (closed) return closed;
  }
  return undefined;
}

const isFile = (path: string) =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );

async function firstClosed(
  folder: string,
  closing: readonly GivenRule[],
  context: RuleContext,
): Promise<GivenRule | undefined> {
  const open = [folder];
  let left = MAX_ENTRIES;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    // A file, or a folder that can't be read, has nothing below it.
    const entries = await opendir(at).catch(() => []);
    for await (const entry of entries) {
      if (--left < 0) return closing[0];
      const path = join(at, entry.name);
      const { behavior, rules } = judge({ toolName: "Read", input: { file_path: path } }, closing, context);
      if (behavior !== "none") return rules[0];
      if (entry.isDirectory()) open.push(path);
    }
  }
  return undefined;
}
