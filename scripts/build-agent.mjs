import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const AGENT = join(ROOT, "packages/agent");
const CHUNKS = join(AGENT, "dist/chunks");

/**
 * The Anthropic client finds the classes of `fetch` in the global scope, where they load with the first look at them. In the bundle
 * it gets our headers, and a form that no body is an instance of.
 */
const withoutFetch = {
  name: "without-fetch",
  setup({ onLoad }) {
    const headers = JSON.stringify(join(AGENT, "src/model/plain-headers.ts"));
    const classes = `import { PlainHeaders as Headers } from ${headers}; class FormData {}`;
    onLoad({ filter: /@anthropic-ai\/sdk\/.*\.mjs$/ }, async ({ path }) => ({
      contents: `${classes}\n${await readFile(path, "utf8")}`,
    }));
  },
};

const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: [join(AGENT, "src/main.ts")],
  outdir: join(AGENT, "dist"),
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
  alias: { "@agentwire/protocol": join(ROOT, "packages/protocol/src/index.ts") },
  // Packages in the older module format ask for Node's own modules with `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  // It comes with machine code, which it finds beside itself.
  external: ["@photostructure/sqlite"],
  plugins: [withoutFetch],
  metafile: true,
});

// Only now: an agent that runs during the build finds its files until the new ones are there.
const written = new Set(Object.keys(metafile.outputs).map((path) => join(ROOT, path)));
for (const name of readdirSync(CHUNKS)) if (!written.has(join(CHUNKS, name))) rmSync(join(CHUNKS, name));
writeFileSync(join(AGENT, "dist/LICENSES.txt"), licences(Object.keys(metafile.inputs)));

/** The licences of the packages whose files went into the bundle. */
function licences(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licence).join("\n");
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file
    ? readFileSync(join(ROOT, folder, file), "utf8").trim()
    : "The package has no licence file.";
  return `${name} ${version} (${license})\n\n${text}\n`;
}
