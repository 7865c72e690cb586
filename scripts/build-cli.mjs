import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle, bundleProgram, ROOT, writeLicences } from "./bundle.mjs";
import { OWN_SOURCES, withoutSideEffects } from "./own-sources.mjs";

const CLI = join(ROOT, "packages/cli");
const DAEMON = join(ROOT, "packages/daemon/src");
/** Programs of their own beside the daemon. */
const THREADS = readdirSync(DAEMON, { recursive: true }).filter((path) => path.endsWith("-thread.ts"));
/** Not bundled: it finds its recordings beside itself. */
const isOutside = (name) => name.startsWith("@agentwire/conformance");

const ownSources = withoutSideEffects(isOutside);

/**
 * An entry of a package leads to all that it exports, and every command would run all of that. So imports from one of our packages are
 * pointed at the files that the entry names.
 */
function importDirectly(text) {
  return text.replace(/^import \{([^}]*)\} from "(@agentwire\/[a-z/-]+)";$/gm, (whole, names, name) =>
    EXPORTED.has(name) ? direct(names, EXPORTED.get(name)) : whole,
  );
}

/** The file of each name that an entry exports. */
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

/** Imports of values, each from its own file; types are nothing to a bundle. */
function direct(names, files) {
  return list(names)
    .map((one) => {
      const [outer, local = outer] = one.split(" as ");
      const { inner, file } = files.get(outer);
      return `import { ${inner} as ${local} } from ${JSON.stringify(file)};`;
    })
    .join(" ");
}

/** The names in braces that are no types. */
const list = (names) =>
  names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "));

/** What `api` exports is generated, by wildcards. */
const EXPORTED = new Map(
  [...OWN_SOURCES]
    .filter(([name]) => !isOutside(name) && name !== "@agentwire/api")
    .map(([name, entry]) => [name, exportsOf(entry)]),
);

const program = await bundleProgram(CLI, {
  plugins: [ownSources],
  outside: ["@agentwire/conformance"],
  edit: importDirectly,
});
const threads = await bundle(CLI, {
  entryPoints: Object.fromEntries(THREADS.map((path) => [path.replace(/\.ts$/, ""), join(DAEMON, path)])),
  plugins: [ownSources],
});
writeLicences(CLI, [...program, threads]);
