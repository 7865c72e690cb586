import { opendir } from "node:fs/promises";
import { join } from "node:path";
import {
  currentToolName,
  fileRuleName,
  type GivenRule,
  judge,
  rulePath,
} from "@agentwire/protocol/permission";

/** The permission rules as limits for a command whose accesses can't be checked one by one. */
export interface RuleLimits {
  readonly denyRead: readonly string[];
  readonly denyWrite: readonly string[];
  readonly allowWrite: readonly string[];
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
}

/** The folders that rules are relative to. */
export interface RulePlaces {
  readonly cwd: string;
  readonly home: string;
}

const GLOB = /[*?[]/;
const DOMAIN = /^domain:(.+)$/;
/** How many entries are searched for files that nothing may write to. */
const MAX_ENTRIES = 50_000;

/**
 * Converts rules about files and domains to limits of a sandbox: commands can't read or write what `Read` and `Edit` rules deny.
 */
export async function ruleLimits(rules: readonly GivenRule[], places: RulePlaces): Promise<RuleLimits> {
  const paths = (behavior: GivenRule["behavior"], about: "Read" | "Edit") =>
    rules
      .filter((given) => given.behavior === behavior && aboutFiles(given) === about)
      .flatMap((given) => rulePath(given, places) ?? [])
      .map(folderItself);
  const domains = (behavior: GivenRule["behavior"]) =>
    rules
      .filter((given) => given.behavior === behavior && given.rule.toolName === "WebFetch")
      .flatMap((given) => DOMAIN.exec(given.rule.content ?? "")?.[1] ?? []);
  const closed = paths("deny", "Edit");
  const patterns = rules.filter((given) => given.behavior === "deny" && aboutFiles(given) === "Edit");
  return {
    denyRead: paths("deny", "Read"),
    denyWrite: [
      ...closed.filter((path) => !GLOB.test(path)),
      ...(closed.some((path) => GLOB.test(path)) ? await filesNamed(patterns, places) : []),
    ],
    allowWrite: paths("allow", "Edit").filter((path) => !GLOB.test(path)),
    allowedDomains: domains("allow"),
    deniedDomains: domains("deny"),
  };
}

/** The combined limits of several folders. */
export function joinedLimits(all: readonly RuleLimits[]): RuleLimits {
  const joined = (key: keyof RuleLimits) => [...new Set(all.flatMap((limits) => limits[key]))];
  return {
    denyRead: joined("denyRead"),
    denyWrite: joined("denyWrite"),
    allowWrite: joined("allowWrite"),
    allowedDomains: joined("allowedDomains"),
    deniedDomains: joined("deniedDomains"),
  };
}

function aboutFiles({ rule: { toolName, content } }: GivenRule): string | undefined {
  return content === undefined ? undefined : fileRuleName(currentToolName(toolName));
}

/** A pattern for everything in a folder becomes the folder itself. */
const folderItself = (path: string) => path.replace(/(?<=.)\/\*\*$/, "");

/** The files and folders of the project that match rules with wildcards; the runtime accepts only paths. */
async function filesNamed(
  rules: readonly GivenRule[],
  { cwd, home }: RulePlaces,
): Promise<readonly string[]> {
  const named: string[] = [];
  const open = [cwd];
  let left = MAX_ENTRIES;
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    const entries = await opendir(folder).catch(() => []);
    for await (const entry of entries) {
      if (--left < 0)
        throw new Error(
          `the project has more than ${MAX_ENTRIES} files, too many to find those that Edit rules with wildcards deny: name the folders in these rules`,
        );
      const path = join(folder, entry.name);
      const { behavior } = judge({ toolName: "Edit", input: { file_path: path } }, rules, { cwd, home });
      if (behavior === "deny") named.push(path);
      else if (entry.isDirectory()) open.push(path);
    }
  }
  return named;
}
