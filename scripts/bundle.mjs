import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licences } from "./licences.mjs";
import { OWN_SOURCES } from "./own-sources.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  target: "node20",
  // Names stay as they are, for whoever has to read a stack trace.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
};

/** They come with machine code, which can't be bundled. */
const NATIVE = ["@photostructure/sqlite", "@vscode/ripgrep"];

/** Bundles a program into the `dist` of its package as modules that load each other, with the licences of what is in it. */
export async function bundle(folder, options) {
  const dist = join(folder, "dist");
  const chunks = join(dist, "chunks");
  const built = await build({
    ...COMMON,
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    // What the sources import lazily becomes a file of its own: a process reads only what it needs.
    splitting: true,
    format: "esm",
    // Packages in the older module format ask for Node's own modules with `require`.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    external: NATIVE,
    ...options,
  });
  // Only now: a program that runs during the build finds its files until the new ones are there.
  const written = new Set(Object.keys(built.metafile.outputs).map((path) => join(ROOT, path)));
  for (const name of readdirSync(chunks)) if (!written.has(join(chunks, name))) rmSync(join(chunks, name));
  writeLicences(dist, [built]);
}

/**
 * Bundles a program into one CommonJS file, whose compiled code `loadProgram` of `local` keeps, and that function beside it. Packages
 * that it imports lazily come into a second file, which most processes never read; those in `inside` stay in the first.
 */
export async function bundleProgram(folder, { plugins, inside }) {
  const dist = join(folder, "dist");
  const lazy = new Set();
  const asOneFile = (name, options) =>
    build({
      ...COMMON,
      outfile: join(dist, name),
      format: "cjs",
      // Code that comes out of V8's cache has no `import()`.
      supported: { "dynamic-import": false },
      external: [...NATIVE, LAZY_PACKAGES],
      ...options,
    });
  const program = await asOneFile("main.cjs", {
    entryPoints: [join(folder, "src/main.ts")],
    banner: { js: "(function (exports, require, module) {" },
    footer: { js: "})" },
    plugins: [lazyPackages(lazy, [...inside, ...NATIVE]), ...plugins],
  });
  const packages = await asOneFile(LAZY_PACKAGES, {
    stdin: {
      contents: Array.from(lazy, (name) => `exports["${name}"] = () => import("${name}");`).join("\n"),
      resolveDir: folder,
    },
  });
  const loader = await asOneFile("load.cjs", { entryPoints: [OWN_SOURCES.get("@agentwire/local/program")] });
  rmSync(join(dist, "compiled"), { recursive: true, force: true });
  writeLicences(dist, [program, packages, loader]);
}

const LAZY_PACKAGES = "./packages.cjs";

/** Turns what our sources import lazily into calls of the second file, and says which packages belong in it. */
function lazyPackages(found, others) {
  return {
    name: "lazy-packages",
    setup({ onLoad }) {
      onLoad({ filter: /\/packages\/[a-z]+\/src\/.*\.ts$/ }, async ({ path }) => ({
        contents: (await readFile(path, "utf8")).replace(
          /(?<!typeof |: )\bimport\(\s*"([^"./][^"]*)"\s*\)(?!\.)/g,
          (whole, name) => {
            if (isBuiltin(name) || others.includes(name)) return whole;
            found.add(name);
            return `require("${LAZY_PACKAGES}")["${name}"]()`;
          },
        ),
        loader: "ts",
      }));
    },
  };
}

function writeLicences(dist, built) {
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(dist, "LICENSES.txt"), licences(ROOT, inputs));
}
