// Takes screenshots of the console at an earlier commit, with that commit's own tests, for the comparison in the guide:
// node scripts/picture-before.mjs [commit]
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The last commit before the console was redesigned. */
const BEFORE = "bd074efd";
const NAMES = ["session-asks", "new-session", "phone-session"];

const root = fileURLToPath(new URL("..", import.meta.url));
const commit = process.argv[2] ?? BEFORE;
const folder = mkdtempSync(join(tmpdir(), "agentwire-before-"));
const run = (program, args, env = {}) =>
  execFileSync(program, args, { cwd: folder, stdio: "inherit", env: { ...process.env, ...env } });

try {
  const archive = join(folder, "commit.tar");
  execFileSync("git", ["archive", `--output=${archive}`, commit], { cwd: root });
  run("tar", ["xf", archive]);
  run("npm", ["ci"]);
  // By default it takes only the screenshots that its own guide shows.
  const pictures = join(folder, "packages/web/test/browser/pictures.ts");
  writeFileSync(pictures, readFileSync(pictures, "utf8").replace(" || !WANTED.has(name)", ""));
  const test = "packages/web/test/browser/looks.test.ts";
  run("npx", ["vitest", "run", test], { AGENTWIRE_SCREENSHOTS: "1" });
  for (const name of NAMES)
    copyFileSync(
      join(folder, "docs", "images", `${name}.png`),
      join(root, "docs", "images", `before-${name}.png`),
    );
} finally {
  rmSync(folder, { recursive: true });
}
