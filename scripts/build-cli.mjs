import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CLI = join(ROOT, "packages/cli");
const CHUNKS = join(CLI, "dist/chunks");
/** Bundled from their sources. `conformance` is not: it finds its recordings beside itself. */
const OWN = ["protocol", "host", "api", "daemon"];

/** Our own packages have no side effects, so that a command loads only what it needs of them. */
const ownSources = {
  name: "own-sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@agentwire\// }, ({ path }) => {
      const name = path.split("/")[1];
      if (!OWN.includes(name)) return { external: true };
      return { path: join(ROOT, "packages", name, "src/index.ts"), sideEffects: false };
    });
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: {
    main: join(CLI, "src/main.ts"),
    // The daemon looks for its thread two folders above the chunk that it is in.
    "store/writer-thread": join(ROOT, "packages/daemon/src/store/writer-thread.ts"),
  },
  outdir: join(CLI, "dist"),
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  // What the sources import lazily becomes a file of its own: a command reads only what it needs.
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  // Machine code can't be bundled.
  external: ["@photostructure/sqlite"],
  // Packages in the older module format ask for Node's own modules with `require`.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  plugins: [ownSources],
  metafile: true,
});

// Only now: a program that runs during the build finds its files until the new ones are there.
const written = new Set(Object.keys(metafile.outputs).map((path) => join(ROOT, path)));
for (const name of readdirSync(CHUNKS)) if (!written.has(join(CHUNKS, name))) rmSync(join(CHUNKS, name));
