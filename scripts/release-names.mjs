import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The names under which our packages are published. */
const publishedNames = (root) =>
  readdirSync(join(root, "packages"))
    .map((folder) => JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")).name)
    .sort();

/**
 * Problems that prevent publishing our packages: names and scopes that do not belong to the account with which npm is signed in. Otherwise
 * someone else could publish a program under such a name, and `npx` would run it.
 */
export function nameProblems(root, npm = callNpm) {
  const account = npm("whoami").stdout.trim();
  if (account === "") return ["npm is signed in with no account: npm login"];
  const names = publishedNames(root);
  const scopes = new Set(names.filter((name) => name.startsWith("@")).map((name) => name.split("/")[0]));
  return [
    ...names.filter((name) => !name.startsWith("@")).map((name) => nameProblem(name, account, npm)),
    ...[...scopes].map((scope) => scopeProblem(scope, account, npm)),
  ].filter((problem) => problem !== "");
}

function nameProblem(name, account, npm) {
  const { status, stdout, stderr } = npm("owner", "ls", name);
  if (status !== 0)
    return stderr.includes("E404")
      ? `${name} is not reserved: publish a first version of it by hand`
      : `npm does not say who owns ${name}: ${stderr.trim()}`;
  const owners = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  return owners.includes(account) ? "" : `${name} belongs to ${owners.join(", ")}, not to ${account}`;
}

/** A scope belongs to the user or the organization of the same name. */
function scopeProblem(scope, account, npm) {
  const owner = scope.slice(1);
  if (account === owner || npm("org", "ls", owner, account).status === 0) return "";
  return `${scope} is not reserved for ${account}: make the organization ${owner} at npm, or become a member of it`;
}

/** @type {(...words: string[]) => { status: number | null, stdout: string, stderr: string }} */
const callNpm = (...args) => spawnSync("npm", args, { encoding: "utf8" });
