// Makes a release; all packages get the same version:
//   node scripts/release.mjs 0.2.0            shows what it would change, and what npm would publish
//   node scripts/release.mjs 0.2.0 --write    changes it, commits, and tags v0.2.0
// The name and the scope of the packages must be reserved for the account with which npm is signed in (see CONTRIBUTING).
// Nothing leaves this machine. Pushing the tag starts .github/workflows/release.yml, which tests, publishes with provenance, and attaches the changelog.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nameProblems } from "./release-names.mjs";
import { releasePlan } from "./release-plan.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [version, flag] = process.argv.slice(2);
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

try {
  release();
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

function release() {
  if (version === undefined || (flag !== undefined && flag !== "--write"))
    throw new Error("usage: node scripts/release.mjs VERSION [--write]");
  const plan = releasePlan(ROOT, version, new Date().toISOString().slice(0, 10));
  const problems = nameProblems(ROOT);
  if (flag === "--write") {
    if (problems.length > 0) throw new Error(problems.join("\nrelease: "));
    return write(plan);
  }
  for (const [path, text] of plan)
    console.log(`${path}: ${changedLines(readFileSync(join(ROOT, path), "utf8"), text)} lines`);
  const packed = JSON.parse(run("npm", "pack", "--dry-run", "--json", "--workspaces", "--ignore-scripts"));
  for (const { name, size, files } of packed)
    console.log(`${name}: ${files.length} files, ${Math.round(size / 1024)} KB`);
  for (const problem of problems) console.log(problem);
  console.log(
    `A dry run: nothing was changed. With --write, the changes are committed and tagged v${version}.`,
  );
}

function write(plan) {
  if (run("git", "status", "--porcelain") !== "") throw new Error("there are uncommitted changes");
  for (const [path, text] of plan) writeFileSync(join(ROOT, path), text);
  run("npm", "run", "docs");
  run("git", "add", "--all");
  run("git", "commit", "--message", `repo: release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `agentwire ${version}`);
  console.log(
    `v${version} is committed and tagged. Check it with git show, then run: git push --follow-tags`,
  );
}

function changedLines(before, after) {
  const known = new Set(before.split("\n"));
  return after.split("\n").filter((line) => !known.has(line)).length;
}
