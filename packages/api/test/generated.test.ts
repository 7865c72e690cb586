import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), "agentwire-api-"));
afterAll(() => rmSync(fresh, { recursive: true }));

/** Every file under a folder with its text, by relative path. */
function textsUnder(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  return new Map(files.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

test("the generated code matches the contract", () => {
  execFileSync("npx", ["buf", "generate", "-o", fresh], { cwd: packageFolder });
  expect(textsUnder(join(packageFolder, "src/generated"))).toEqual(textsUnder(join(fresh, "src/generated")));
}, 60_000);

test("the contract passes buf lint", () => {
  const lint = () => execFileSync("npx", ["buf", "lint"], { cwd: packageFolder, encoding: "utf8" });
  expect(lint()).toBe("");
}, 60_000);
