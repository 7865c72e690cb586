import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const packages = fileURLToPath(new URL("../packages", import.meta.url));
const architecture = readFileSync(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");

/** The words in backquotes in a cell of a table. */
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

/** Which package may import which, from the table in ARCHITECTURE.md. */
const MAY_IMPORT = mayImport();

function mayImport(): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = architecture.split("\n## Packages\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)];
  const all = rows.map(([, name = ""]) => name);
  return new Map(
    rows.map(([, name = "", cell = ""]) => {
      const named = namesIn(cell);
      if (!cell.startsWith("all but ")) return [name, named];
      return [name, all.filter((other) => other !== name && !named.includes(other))];
    }),
  );
}

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

/** The files and folders that ARCHITECTURE.md names inside a package; `*` stands for any letters. */
function roomsOf(name: string): readonly string[] {
  const [, section = ""] = architecture.split(`\n## Inside \`${name}\`\n`);
  const rows = section.split("\n## ")[0]?.matchAll(/^\| (`[^|]*) \|/gm) ?? [];
  return [...rows].flatMap(([, cell = ""]) => namesIn(cell));
}

/** The layers that ARCHITECTURE.md draws inside a package, top first. */
function layersOf(name: string): readonly (readonly string[])[] {
  const [, section = ""] = architecture.split(`\n## Inside \`${name}\`\n`);
  const [, drawing = ""] = /```layers\n([^`]*)```/.exec(section.split("\n## ")[0] ?? "") ?? [];
  return drawing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
}

/** The folder in `src` that contains a file, or the file itself if it is directly in `src`. */
const roomOf = (file: string) => (file.includes("/") ? `${file.split("/")[0]}/` : file);

/** What the folders of a package import from each other, and in which files. */
function crossings(name: string): readonly { readonly from: string; readonly to: string; file: string }[] {
  return importsOf(name)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ file, specifier }) => ({ file, from: roomOf(file), to: roomOf(join(dirname(file), specifier)) }))
    .filter(({ from, to }) => from !== to);
}

describe.each(readdirSync(packages))("%s", (name) => {
  test("is a package that ARCHITECTURE.md lists", () => {
    expect([...MAY_IMPORT.keys()], "add a row to the table of packages in ARCHITECTURE.md").toContain(name);
  });

  test("has the files and folders that ARCHITECTURE.md lists, and no others", () => {
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
    const section = `the table of ARCHITECTURE.md, "Inside \`${name}\`",`;
    expect(
      rooms.filter((room) => !isThere(room)),
      `${section} names what is not there: rename it or remove it`,
    ).toEqual([]);
    const top = entries.filter((entry) => /^[^/]+(?:\/|\.tsx?)$/.test(entry));
    expect(
      top.filter((entry) => !rooms.includes(entry)),
      `${section} lacks these: add a row that says what they hold, or name them in one`,
    ).toEqual([]);
  });

  test("has a layer in ARCHITECTURE.md for every folder and file in src", () => {
    const entries = readdirSync(join(packages, name, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || /\.tsx?$/.test(entry.name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    expect(
      layersOf(name).flat().sort(),
      `list each folder and file once among the layers of ARCHITECTURE.md, "Inside \`${name}\`", above everything that it imports`,
    ).toEqual(entries.sort());
  });

  test("imports only from lower layers", () => {
    const layers = layersOf(name);
    const depth = (room: string) => layers.findIndex((layer) => layer.includes(room));
    const wrong = crossings(name)
      .filter(({ from, to }) => depth(to) <= depth(from))
      .map(({ from, to, file }) => ({ edge: `${from} -> ${to}`, file }));
    expect(
      wrong,
      "code imports only from lower layers of ARCHITECTURE.md: move what both need further down, or pass it in",
    ).toEqual([]);
  });

  test("imports only the packages it is allowed to", () => {
    const foreign = importsOf(name)
      .filter(({ specifier }) => specifier.startsWith("@agentwire/"))
      .filter(({ specifier }) => !MAY_IMPORT.get(name)?.includes(specifier.split("/")[1] ?? ""));
    expect(foreign, "the table of packages in ARCHITECTURE.md does not allow these imports").toEqual([]);
  });

  test("never imports from inside another package's folder", () => {
    const reaching = importsOf(name).filter(({ file, specifier }) => {
      const depth = file.split("/").length - 1;
      const ups = specifier.match(/\.\.\//g)?.length ?? 0;
      return specifier.startsWith(".") && ups > depth;
    });
    expect(reaching).toEqual([]);
  });
});

/** The files that may read the environment of the process; all other code receives it as an argument. */
const READS_ENVIRONMENT: readonly string[] = [
  "agent/config/config.ts",
  // Passes on variables from the settings, because the cloud libraries read nothing else.
  "agent/model/cloud-connection.ts",
  "cli/io.ts",
  // The programs of the package, and functions to which the official SDK passes no environment.
  "conformance/commands/acp-agent.ts",
  "conformance/commands/acp-client.ts",
  "conformance/commands/agent.ts",
  "conformance/commands/host.ts",
  "conformance/commands/record.ts",
  "conformance/commands/tools.ts",
  "conformance/scripted-api/main.ts",
  "host/query/prewarm.ts",
  "host/query/start-query.ts",
  "host/session/session.ts",
  "local/files/config-folder.ts",
];

/** The sources of a package, by path. */
function sourcesOf(name: string): readonly (readonly [string, string])[] {
  return readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [`${name}/${file}`, readFileSync(join(packages, name, "src", file), "utf8")]);
}

describe("the configuration", () => {
  test("is read from the environment of the process only in the listed files", () => {
    const readers = [...MAY_IMPORT.keys()]
      .flatMap(sourcesOf)
      .filter(([, text]) => /\bprocess\.(env|cwd)\b/.test(text))
      .map(([file]) => file);
    expect(readers.sort()).toEqual([...READS_ENVIRONMENT].sort());
  });

  test("of the agent is read from the command line only in config/ and main.ts", () => {
    const readers = sourcesOf("agent")
      .filter(([file]) => !file.startsWith("agent/config/") && file !== "agent/main.ts")
      .filter(([, text]) => /\.flags\b|\bflags\.(has|text|list|value)\b/.test(text))
      .map(([file]) => file)
      // The options of programs in a shell command, which are called flags as well.
      .filter((file) => !file.startsWith("agent/shell/"));
    expect(readers).toEqual([]);
  });
});

const sourceOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

/** Whether a source defines a function, a method, a class or a constant; for `Class.method`, both. */
function defines(source: string, call: string): boolean {
  const [name = "", owner] = call.split(".").reverse();
  if (owner !== undefined && !new RegExp(`^(?:export )?class ${owner}\\b`, "m").test(source)) return false;
  const declared = `(?:function\\*?|class|const|get|readonly) ${name}\\b`;
  const method = `^  (?:(?:private|static|async) )*\\*?${name}(?:<[^>]+>)?\\(`;
  const field = `^ +${name}: (?:async )?\\(.*=>`;
  return [declared, method, field].some((form) => new RegExp(form, "m").test(source));
}

/** Whether a source uses a function, or passes it on: its name occurs elsewhere than in its definition. */
function uses(source: string, call: string): boolean {
  const name = call.split(".").at(-1) ?? "";
  const found = source.match(new RegExp(`(?<![\\w#])${name}\\b`, "g")) ?? [];
  return found.length > (defines(source, call) ? 1 : 0);
}

describe("the path of a delta", () => {
  const walk = architecture.slice(architecture.indexOf("call by call"));
  const said = Number(/^call by call, in (\d+) files/.exec(walk)?.[1]);
  const rows = [...walk.matchAll(/^\| (`.+) \| `([\w/.-]+\.ts)` \|/gm)];

  test("passes through calls that are in the files that ARCHITECTURE.md names", () => {
    expect(rows.length).toBeGreaterThan(20);
    const missing = rows.flatMap(([, calls = "", file = ""]) => {
      const source = sourceOf(`packages/${file}`);
      const names = [...calls.matchAll(/`([\w.#]+)`/g)].map(([, name = ""]) => name);
      return names.filter((name) => !defines(source, name)).map((name) => `${file}: ${name}`);
    });
    expect(missing, "the first data path of ARCHITECTURE.md names what these files do not have").toEqual([]);
  });

  test("passes through as many files as ARCHITECTURE.md says, and no more than 25", () => {
    const files = new Set(rows.map(([, , file]) => file));
    expect(files.size).toBe(said);
    expect(files.size).toBeLessThanOrEqual(25);
  });
});

/** A step of a walkthrough in ARCHITECTURE.md: its functions, and the files that define them. */
interface Step {
  /** Its chains of arrows; between two arrows, one function or several. */
  readonly chains: readonly (readonly (readonly string[])[])[];
  readonly calls: readonly string[];
  readonly files: readonly string[];
}

/** The steps of a walkthrough. Paths are relative to the sources of the package named before them. */
function walkOf(title: string, home = ""): { readonly said: number; readonly steps: readonly Step[] } {
  const section = architecture.slice(architecture.indexOf(`**${title}`));
  const [, said = ""] = /\((\d+) files/.exec(section) ?? [];
  const [text = ""] = section.split(/\n(?=\*\*|## )/);
  const rows = [...text.matchAll(/^\| [^|]+ \| ([^|]+) \| (`.+`) \|$/gm)];
  const steps = rows.map(([, functions = "", places = ""]) => {
    let name = home;
    const files = [...places.matchAll(/`(\w+)`:|`([\w/.-]+\.ts)`/g)].flatMap(([, next, file = ""]) => {
      name = next ?? name;
      if (next !== undefined) return [];
      return [file.startsWith("packages/") ? file : `packages/${name}/src/${file}`];
    });
    const chains = functions.split(";").map((chain) => chain.split("→").map(namesIn));
    return { files, chains, calls: chains.flat(2) };
  });
  return { said: Number(said), steps };
}

describe.each([
  ["`query()` to its first message", "host", 20],
  ["A prompt of `agentwire run` with one question", "", 60],
])("%s", (title, home, most) => {
  const { said, steps } = walkOf(title, home);

  test("passes through functions that the files of their step define", () => {
    expect(steps.length).toBeGreaterThan(6);
    const missing = steps.flatMap(({ calls, files }) => {
      const sources = files.map(sourceOf);
      return calls.filter((call) => !sources.some((source) => defines(source, call)));
    });
    expect(missing, "none of the files in their row of ARCHITECTURE.md defines these").toEqual([]);
  });

  test("has an arrow only from a function to one that its file names", () => {
    const broken = steps.flatMap(({ chains, files }) => {
      const sources = files.map(sourceOf);
      return chains.flatMap((chain) =>
        chain.slice(1).flatMap((called, index) => {
          const callers = chain[index] ?? [];
          const from = sources.filter((source) => callers.some((caller) => defines(source, caller)));
          return called
            .filter((call) => !from.some((source) => uses(source, call)))
            .map((call) => `${callers.join(", ")} → ${call}`);
        }),
      );
    });
    expect(broken, "ARCHITECTURE.md: name the function in between, or write a semicolon").toEqual([]);
  });

  test("names no file without a function of its step", () => {
    const idle = steps.flatMap(({ calls, files }) =>
      files.filter((file) => !calls.some((call) => defines(sourceOf(file), call))),
    );
    expect(idle, "no function in their row of ARCHITECTURE.md is defined in these files").toEqual([]);
  });

  test("passes through as many files as ARCHITECTURE.md says, within the limit", () => {
    const files = new Set(steps.flatMap((step) => step.files));
    expect(files.size).toBe(said);
    expect(files.size).toBeLessThanOrEqual(most);
  });
});

/** Every file and folder of the repository, except what is installed or built. */
function placesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (/^(?:node_modules|dist|\.git|\.mirror)$/.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [`${path}/`, ...placesIn(path)] : [path];
  });
}

test("CONTRIBUTING.md's recipes and ARCHITECTURE.md's last section name only files and folders that exist", () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const places = placesIn(root).map((place) => `/${relative(root, place)}${place.endsWith("/") ? "/" : ""}`);
  const contributing = readFileSync(new URL("../CONTRIBUTING.md", import.meta.url), "utf8");
  const [, recipes = ""] = contributing.split("\n## Recipes\n");
  const [, rest = ""] = architecture.split("\n## Beside the packages\n");
  const text = recipes + rest.slice(0, rest.indexOf("\n## "));
  const named = [...text.matchAll(/`([\w./-]+\/[\w./-]*|[\w.-]+\.(?:tsx?|md|mjs|css|json))`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !name.includes("NAME"));
  expect(named.length).toBeGreaterThan(50);
  const isThere = (name: string) =>
    places.some((place) => [name, `${name}/`].some((end) => place.endsWith(`/${end}`)));
  expect(
    named.filter((name) => !isThere(name)),
    "a recipe, or ARCHITECTURE.md beside the packages, names what is not there",
  ).toEqual([]);
});
