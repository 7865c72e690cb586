import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The places that contain our version: manifests, the lockfile, the programs, and the entry in the registry of the Agent Client Protocol. */
const PLACES = [
  "package.json",
  "package-lock.json",
  "packages/*/package.json",
  "packages/*/src/*",
  "docs/acp-registry",
];

/** The changes of a release: the new text of every file that contains the version, and of the changelog. Throws if the release is not possible. */
export function releasePlan(root, version, date) {
  const { version: old } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (!/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version))
    throw new Error(`${version} is not a version such as 0.2.0 or 1.0.0-rc.1`);
  if (git(root, "tag", "--list", `v${version}`) !== "")
    throw new Error(`v${version} has been released: choose another version`);
  const plan = new Map();
  for (const path of git(root, "grep", "-lF", `${old}"`, "--", ...PLACES).split("\n")) {
    const text = readFileSync(join(root, path), "utf8");
    const next = withVersion(text, old, version);
    if (next !== text) plan.set(path, next);
  }
  plan.set("CHANGELOG.md", changelog(root, version, date));
  return plan;
}

function withVersion(text, old, version) {
  const before = [
    /"name": "(?:@agentwire\/)?agentwire[\w-]*",\s*"version": "/, // the package itself
    /"name": "@agentwire\/[\w-]+",\s*"version": "/,
    /"@agentwire\/[\w-]+": "/, // one that it needs
    /"(?:package)": "agentwire@/,
    /(?:VERSION = |[{ ]version: )"/,
  ];
  const places = before.map(({ source }) => source).join("|");
  return text.replace(new RegExp(`(${places})${old.replaceAll(".", "\\.")}"`, "g"), `$1${version}"`);
}

/** The changelog with the unreleased changes under the new version, followed by the commits since the last tag. */
function changelog(root, version, date) {
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const [head, rest] = text.split("## [Unreleased]\n");
  if (rest === undefined) throw new Error("CHANGELOG.md has no section [Unreleased]");
  const [notes, older] = splitAt(rest, rest.indexOf("\n## ["));
  const commits = commitList(root);
  if (notes.trim() === "" && commits === "") throw new Error("nothing has changed since the last release");
  return `${head}## [Unreleased]\n\n## [${version}] - ${date}\n${notes.trimEnd()}\n${commits}${older}`;
}

const splitAt = (text, at) => (at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)]);

/** The subjects of all commits since the last tag, by package; before the first release there are none. */
function commitList(root) {
  const tag = git(root, "tag", "--list", "v*", "--sort=-v:refname").split("\n")[0];
  if (tag === "") return "";
  const groups = new Map();
  for (const subject of git(root, "log", "--no-merges", "--reverse", "--format=%s", `${tag}..HEAD`).split(
    "\n",
  )) {
    const [, packages, what] = /^([\w-]+(?:, [\w-]+)*): (.+)$/.exec(subject) ?? [];
    if (what !== undefined) groups.set(packages, [...(groups.get(packages) ?? []), what]);
  }
  if (groups.size === 0) return "";
  const lists = [...groups].sort().map(([packages, whats]) => `- **${packages}**: ${whats.join("; ")}`);
  return `\n### Commits since ${tag}\n${lists.join("\n")}\n`;
}

function git(root, ...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).trim();
}
