import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleProgram, ROOT, writeLicenses } from "./bundle.mjs";
import { bundleThreads } from "./daemon-threads.mjs";
import { OWN_SOURCES, withoutSideEffects } from "./own-sources.mjs";

const CLI = join(ROOT, "packages/cli");
/** Not bundled, because it finds its recordings next to itself. */
const isOutside = (name) => name.startsWith("@agentwire/conformance");

const ownSources = withoutSideEffects(isOutside);

/**
 * An entry point of a package imports everything that it exports, so every command would run all of that. Imports from our packages are
 * therefore redirected to the files that define the imported names.
 */
function importDirectly(text) {
  return text.replace(/^import \{([^}]*)\} from "(@agentwire\/[a-z/-]+)";$/gm, (whole, names, name) =>
    EXPORTED.has(name) ? direct(names, EXPORTED.get(name)) : whole,
  );
}

/** The file of each name that an entry point exports. */
function exportsOf(entry) {
  const found = readFileSync(entry, "utf8").matchAll(/^export \{([^}]*)\} from "([^"]+)";$/gm);
  return new Map(
    [...found].flatMap(([, names, file]) =>
      list(names).map((one) => {
        const [inner, outer = inner] = one.split(" as ");
        return [outer, { inner, file: join(dirname(entry), file) }];
      }),
    ),
  );
}

/** Imports each value from its own file. Types are dropped, since a bundle has none. */
function direct(names, files) {
  return list(names)
    .map((one) => {
      const [outer, local = outer] = one.split(" as ");
      const { inner, file } = files.get(outer);
      return `import { ${inner} as ${local} } from ${JSON.stringify(file)};`;
    })
    .join(" ");
}

/** The names in braces that are not types. */
const list = (names) =>
  names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "));

/** The exports of `api` are generated, with wildcards. */
const EXPORTED = new Map(
  [...OWN_SOURCES]
    .filter(([name]) => !isOutside(name) && name !== "@agentwire/api")
    .map(([name, entry]) => [name, exportsOf(entry)]),
);

const program = await bundleProgram(CLI, {
  plugins: [ownSources],
  outside: ["@agentwire/conformance"],
  edit: importDirectly,
  inject: [join(ROOT, "scripts/lean/headers.mjs")],
});
const threads = await bundleThreads(CLI);
writeLicenses(CLI, [...program, threads]);
