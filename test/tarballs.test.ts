import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = readdirSync(join(ROOT, "packages"));

/** What npm would publish, by package. */
const tarballs = new Map<string, readonly string[]>();

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--dry-run", "--json", "--workspaces", "--ignore-scripts"],
    { cwd: ROOT, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 },
  );
  const packed: readonly { name: string; files: readonly { path: string }[] }[] = JSON.parse(stdout);
  for (const { name, files } of packed)
    tarballs.set(
      name === "agentwire" ? "cli" : name.replace("@agentwire/", ""),
      files.map(({ path }) => path),
    );
});

test("npm packs every package of the workspace", () => {
  expect([...tarballs.keys()].sort()).toEqual([...PACKAGES].sort());
});

describe.each(PACKAGES)("the tarball of %s", (name) => {
  test("contains the license of the project, a README and the build output", () => {
    const files = tarballs.get(name) ?? [];
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.some((path) => path.startsWith("dist/"))).toBe(true);
    const license = readFileSync(join(ROOT, "packages", name, "LICENSE"), "utf8");
    expect(license).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  });

  test("contains the sources that its source maps name", () => {
    const maps = (tarballs.get(name) ?? []).filter((path) => path.endsWith(".map"));
    const withoutSources = maps.filter((path) => {
      const file = join(ROOT, "packages", name, path);
      const { sources, sourcesContent = [] } = JSON.parse(readFileSync(file, "utf8"));
      // A fresh checkout has no output of earlier builds for files that were removed.
      return sources.some(
        (source: string, at: number) => !sourcesContent[at] && existsSync(join(dirname(file), source)),
      );
    });
    expect(withoutSources).toEqual([]);
  });

  test("contains no files that belong to the build or to the machine", () => {
    const own =
      /\.tsbuildinfo$|(?:^|\/)(?:test|node_modules|\.env[^/]*|\.git[^/]*|\.npmrc)(?:\/|$)|\.(?:log|cpuprofile|tgz)$/;
    expect((tarballs.get(name) ?? []).filter((path) => own.test(path))).toEqual([]);
  });
});

test.each(["agent", "cli"])("the program of %s loads only packages that it depends on", (name) => {
  const folder = join(ROOT, "packages", name);
  const bundle = readFileSync(join(folder, "dist/main.cjs"), "utf8");
  const loaded = Array.from(
    bundle.matchAll(/\brequire\("(?!node:|\.)((?:@[\w-]+\/)?[\w.-]+)[^"]*"\)/g),
    ([, one = ""]) => one,
  );
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const declared = new Set(
    ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}),
    ),
  );
  expect(loaded).toContain("@photostructure/sqlite");
  expect([...new Set(loaded)].filter((one) => !isBuiltin(one) && !declared.has(one))).toEqual([]);
});
