import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bundle, ROOT } from "./bundle.mjs";

const CLI = join(ROOT, "packages/cli");
const DAEMON = join(ROOT, "packages/daemon/src");
/** Programs of their own beside the daemon. */
const THREADS = readdirSync(DAEMON, { recursive: true }).filter((path) => path.endsWith("-thread.ts"));
/** Bundled from their sources. `conformance` is not: it finds its recordings beside itself. */
const OWN = ["protocol", "host", "api", "daemon"];

/**
 * A package's index leads to all of it, and a chunk with an index in it would be read by every command. So imports from one of our
 * packages are pointed at the files that the index names, which have no side effects.
 */
const ownSources = {
  name: "own-sources",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@agentwire\// }, ({ path }) => {
      const name = path.split("/")[1];
      return OWN.includes(name) ? { path: indexOf(name), sideEffects: false } : { external: true };
    });
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
    onLoad({ filter: /\/packages\/[a-z]+\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(
        /^import \{([^}]*)\} from "@agentwire\/([a-z]+)";$/gm,
        (whole, names, name) => (INDEXED.has(name) ? direct(names, INDEXED.get(name)) : whole),
      ),
      loader: "ts",
    }));
  },
};

const indexOf = (name) => join(ROOT, "packages", name, "src/index.ts");

/** The file of each name that a package exports. */
function exportsOf(name) {
  const found = readFileSync(indexOf(name), "utf8").matchAll(/^export \{([^}]*)\} from "([^"]+)";$/gm);
  return new Map(
    [...found].flatMap(([, names, file]) =>
      list(names).map((one) => {
        const [inner, outer = inner] = one.split(" as ");
        return [outer, { inner, file: join(dirname(indexOf(name)), file) }];
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

const INDEXED = new Map(["protocol", "host", "daemon"].map((name) => [name, exportsOf(name)]));

await bundle(CLI, {
  entryPoints: {
    main: join(CLI, "src/main.ts"),
    // The daemon looks for its threads under dist, two folders above the chunk that it is in.
    ...Object.fromEntries(THREADS.map((path) => [path.replace(/\.ts$/, ""), join(DAEMON, path)])),
  },
  plugins: [ownSources],
});
