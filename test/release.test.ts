import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { nameProblems } from "../scripts/release-names.mjs";
import { releasePlan } from "../scripts/release-plan.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { version: old } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const plan: ReadonlyMap<string, string> = releasePlan(ROOT, "9.8.7", "2030-01-02");

test.each(readdirSync(join(ROOT, "packages")))(
  "a release moves %s and its dependencies on our packages to the new version",
  (name) => {
    const manifest = JSON.parse(plan.get(`packages/${name}/package.json`) ?? "{}");
    const ours = Object.entries<string>(manifest.dependencies ?? {}).filter(([other]) =>
      other.startsWith("@agentwire/"),
    );
    expect([manifest.version, ...ours.map(([, version]) => version)]).toEqual(
      Array(ours.length + 1).fill("9.8.7"),
    );
  },
);

test("a release leaves no old version in lockfile and programs, and changes no version of other packages", () => {
  const lock = JSON.parse(plan.get("package-lock.json") ?? "{}");
  const before = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  for (const [path, entry] of Object.entries<{ version?: string }>(lock.packages))
    expect(entry.version, path).toBe(path.includes("node_modules") ? before.packages[path].version : "9.8.7");
  for (const path of [
    "packages/cli/src/version.ts",
    "packages/daemon/src/version.ts",
    "packages/agent/src/config/version.ts",
  ])
    expect(plan.get(path)).toContain('VERSION = "9.8.7"');
  for (const [path, text] of plan)
    if (path.startsWith("packages/") && path.endsWith(".ts")) expect(text, path).not.toContain(`"${old}"`);
});

test("a release dates the unreleased changes and adds an empty section for the next ones", () => {
  const changelog = plan.get("CHANGELOG.md") ?? "";
  expect(changelog).toContain("## [Unreleased]\n\n## [9.8.7] - 2030-01-02\n");
  expect(changelog).toContain("### protocol\n");
});

test('a version such as "next" is rejected', () => {
  expect(() => releasePlan(ROOT, "next", "2030-01-02")).toThrow("next is not a version such as 0.2.0");
});

test("a release requires that the publishing account owns the package names and the scope", () => {
  interface Registry {
    readonly account: string;
    readonly owner?: string;
    readonly member?: string;
  }
  const problems = ({ account, owner, member }: Registry): readonly string[] =>
    nameProblems(ROOT, (...[command, , name, who]: readonly string[]) => {
      const yes = (stdout: string) => ({ status: 0, stdout, stderr: "" });
      const no = { status: 1, stdout: "", stderr: "npm error code E404" };
      if (command === "whoami") return account === "" ? no : yes(`${account}\n`);
      if (command === "org") return name === "agentwire" && who === member ? yes("") : no;
      return name === "agentwire" && owner !== undefined ? yes(`${owner} <o@example.com>\n`) : no;
    });
  expect(problems({ account: "us", owner: "us", member: "us" })).toEqual([]);
  expect(problems({ account: "agentwire", owner: "agentwire" })).toEqual([]);
  expect(problems({ account: "us" })).toEqual([
    "agentwire is not reserved: publish a first version of it by hand",
    "@agentwire is not reserved for us: make the organization agentwire at npm, or become a member of it",
  ]);
  expect(problems({ account: "us", owner: "them", member: "us" })).toEqual([
    "agentwire belongs to them, not to us",
  ]);
  expect(problems({ account: "" })).toEqual(["npm is signed in with no account: npm login"]);
});
