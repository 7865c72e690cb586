import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licences } from "./licences.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Bundles a program into the `dist` of its package, with the licences of what is in it. */
export async function bundle(folder, options) {
  const dist = join(folder, "dist");
  const chunks = join(dist, "chunks");
  const { metafile } = await build({
    absWorkingDir: ROOT,
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    // What the sources import lazily becomes a file of its own: a process reads only what it needs.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Names stay as they are, for whoever has to read a stack trace.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    // Packages in the older module format ask for Node's own modules with `require`.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    // They come with machine code, which can't be bundled.
    external: ["@photostructure/sqlite", "@vscode/ripgrep"],
    metafile: true,
    ...options,
  });

  // Only now: a program that runs during the build finds its files until the new ones are there.
  const written = new Set(Object.keys(metafile.outputs).map((path) => join(ROOT, path)));
  for (const name of readdirSync(chunks)) if (!written.has(join(chunks, name))) rmSync(join(chunks, name));
  writeFileSync(join(dist, "LICENSES.txt"), licences(ROOT, Object.keys(metafile.inputs)));
}
