import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** Which package may import which: ARCHITECTURE.md says why. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  local: ["protocol"],
  agent: ["protocol", "local"],
  host: ["protocol", "local"],
  api: [],
  daemon: ["protocol", "local", "host", "api"],
  web: ["api"],
  conformance: ["protocol", "local"],
  cli: ["protocol", "local", "agent", "host", "api", "daemon", "conformance"],
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

const architecture = readFileSync(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");

/** The files and folders that ARCHITECTURE.md names inside a package; `*` stands for any letters. */
function roomsOf(name: string): readonly string[] {
  const [, section = ""] = architecture.split(`\n## Inside \`${name}\`\n`);
  const rows = section.split("\n## ")[0]?.matchAll(/^\| (`[^|]*) \|/gm) ?? [];
  return [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, room = ""]) => room));
}

describe.each(readdirSync(packages))("%s", (name) => {
  test("is a package that ARCHITECTURE.md knows", () => {
    expect(Object.keys(MAY_IMPORT)).toContain(name);
  });

  test("has the rooms that ARCHITECTURE.md names, and no other folder", () => {
    const entries = readdirSync(join(packages, name, "src"), { recursive: true, withFileTypes: true }).map(
      (entry) => {
        const path = relative(join(packages, name, "src"), join(entry.parentPath, entry.name));
        return entry.isDirectory() ? `${path}/` : path;
      },
    );
    const rooms = roomsOf(name);
    const isThere = (room: string) => {
      const [start = "", end] = room.split("*");
      return entries.some((entry) =>
        end === undefined ? entry === room : entry.startsWith(start) && entry.endsWith(end),
      );
    };
    expect(rooms.filter((room) => !isThere(room))).toEqual([]);
    const folders = entries.filter((entry) => /^[^/]+\/$/.test(entry));
    expect(folders.filter((folder) => !rooms.includes(folder) && folder !== "generated/")).toEqual([]);
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

describe("the way of a delta", () => {
  const walk = architecture.slice(architecture.indexOf("call by call"));
  const rows = [...walk.matchAll(/^\| (`.+) \| `([\w/.-]+\.ts)` \|/gm)];

  test("goes through calls that are where ARCHITECTURE.md has them", () => {
    expect(rows.length).toBeGreaterThan(20);
    const missing = rows.flatMap(([, calls = "", file = ""]) => {
      const text = readFileSync(new URL(`../packages/${file}`, import.meta.url), "utf8");
      const names = [...calls.matchAll(/`(?:\w+\.)?([#\w]+)`/g)].map(([, name = ""]) => name);
      return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test("goes through no more than 25 files", () => {
    expect(new Set(rows.map(([, , file]) => file)).size).toBeLessThanOrEqual(25);
  });
});
