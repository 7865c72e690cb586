import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** Which package may import which: ARCHITECTURE.md says why. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  agent: ["protocol"],
  host: ["protocol"],
  api: [],
  daemon: ["protocol", "host", "api"],
  web: ["api"],
  conformance: ["protocol", "host"],
  cli: ["protocol", "agent", "host", "api", "daemon", "conformance"],
};

const packages = fileURLToPath(new URL("../packages", import.meta.url));

/** Every import specifier in a package's sources, static and dynamic. */
function importsOf(name: string): { readonly file: string; readonly specifier: string }[] {
  const files = readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(packages, name, "src", file), "utf8");
      const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g);
      return [...found].map((match) => ({ file, specifier: match[1] ?? "" }));
    });
}

describe.each(readdirSync(packages))("%s", (name) => {
  test("is a package that ARCHITECTURE.md knows", () => {
    expect(Object.keys(MAY_IMPORT)).toContain(name);
  });

  test("imports only the packages it may", () => {
    const foreign = importsOf(name)
      .filter(({ specifier }) => specifier.startsWith("@agentwire/"))
      .filter(({ specifier }) => !MAY_IMPORT[name]?.includes(specifier.split("/")[1] ?? ""));
    expect(foreign).toEqual([]);
  });

  test("never reaches into another package's folder", () => {
    const reaching = importsOf(name).filter(({ file, specifier }) => {
      const depth = file.split("/").length - 1;
      const ups = specifier.match(/\.\.\//g)?.length ?? 0;
      return specifier.startsWith(".") && ups > depth;
    });
    expect(reaching).toEqual([]);
  });
});
