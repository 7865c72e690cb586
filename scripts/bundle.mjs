import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licenses } from "./licenses.mjs";
import { OWN_SOURCES } from "./own-sources.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  target: "node20",
  // Names are kept, so that stack traces are readable.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
};

/** These contain machine code, which can't be bundled. */
const NATIVE = ["@photostructure/sqlite", "@vscode/ripgrep"];

/** Bundles a program into the `dist` of its package as modules that import each other. */
export async function bundle(folder, options) {
  const dist = join(folder, "dist");
  const chunks = join(dist, "chunks");
  const built = await build({
    ...COMMON,
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    // Lazily imported code is in separate files, so that a process reads only what it needs.
    splitting: true,
    format: "esm",
    // CommonJS packages load Node's own modules with `require`.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    external: NATIVE,
    ...options,
  });
  // Only now, because a program that runs during the build needs its old files until the new ones exist.
  const written = new Set(Object.keys(built.metafile.outputs).map((path) => join(ROOT, path)));
  for (const name of readdirSync(chunks)) if (!written.has(join(chunks, name))) rmSync(join(chunks, name));
  return built;
}

/**
 * Bundles a program into one CommonJS file, whose compiled code `loadProgram` of `local` caches, with that function in a file next to it.
 * Packages that it imports lazily are in a second file, which most processes never read; those in `inside` are in the first file, and those
 * in `outside` are not bundled. `edit` changes the text of our sources, and `inject` names files that replace global names.
 */
export async function bundleProgram(
  folder,
  { plugins, inside = [], outside = [], inject = [], edit = (text) => text },
) {
  const dist = join(folder, "dist");
  const lazy = new Set();
  const imports = lazyImports(lazy, [...inside, ...NATIVE], outside);
  const asOneFile = (name, options) =>
    build({
      ...COMMON,
      outfile: join(dist, name),
      format: "cjs",
      external: [...NATIVE, ...outside, LAZY_PACKAGES],
      ...options,
    });
  const program = await asOneFile("main.cjs", {
    entryPoints: [join(folder, "src/main.ts")],
    // Code from V8's cache does not support `import()`.
    supported: { "dynamic-import": false },
    // If sources look for files next to themselves, they are two folders below their package.
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: "(function (exports, require, module, importModule, moduleUrl) {" },
    footer: { js: "})" },
    plugins: [editOwnSources((text) => imports(edit(text))), ...plugins],
    inject,
  });
  await escapeLetters(join(dist, "main.cjs"));
  const packages = await asOneFile(LAZY_PACKAGES, {
    supported: { "dynamic-import": false },
    stdin: {
      contents: Array.from(lazy, (name) => `exports["${name}"] = () => import("${name}");`).join("\n"),
      resolveDir: folder,
    },
  });
  const loader = await asOneFile("load.cjs", { entryPoints: [OWN_SOURCES.get("@agentwire/local/program")] });
  rmSync(join(dist, "compiled"), { recursive: true, force: true });
  return [program, packages, loader];
}

const LAZY_PACKAGES = "./packages.cjs";

/** Converts lazy imports of packages to calls of the second file, or of the loader's `import()`, and collects those for that file. */
function lazyImports(found, inside, outside) {
  return (text) =>
    text.replace(/(?<!typeof |: )\bimport\(\s*"([^"./][^"]*)"\s*\)(?!\.)/g, (whole, name) => {
      if (isBuiltin(name) || inside.includes(name)) return whole;
      if (outside.some((one) => name === one || name.startsWith(`${one}/`))) return `importModule("${name}")`;
      // Our classes must not be duplicated.
      if (OWN_SOURCES.has(name)) return whole;
      found.add(name);
      return `require("${LAZY_PACKAGES}")["${name}"]()`;
    });
}

/** The loader treats each byte as a character, and the bundler leaves non-ASCII letters in regular expressions unescaped. */
async function escapeLetters(file) {
  const text = await readFile(file, "utf8");
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  await writeFile(file, text.replace(/[^\0-\x7f]/g, escaped));
}

function editOwnSources(edit) {
  return {
    name: "edit-own-sources",
    setup({ onLoad }) {
      onLoad({ filter: /\/packages\/[a-z]+\/src\/.*\.ts$/ }, async ({ path }) => ({
        contents: edit(await readFile(path, "utf8")),
        loader: "ts",
      }));
    },
  };
}

/** Writes the licenses of the packages in a bundle. */
export function writeLicenses(folder, built) {
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(folder, "dist/LICENSES.txt"), licenses(ROOT, inputs));
}
