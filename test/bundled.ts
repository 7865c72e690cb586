import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { OWN_SOURCES } from "../scripts/own-sources.mjs";

/** A folder from which the daemon finds its threads and the console, as it does from its source folder. */
const FOLDER = fileURLToPath(new URL("../packages/daemon/test/dist/", import.meta.url));

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const made = new Map<string, Promise<string>>();

/**
 * Bundles a program or library that tests run in separate processes into one file, together with our sources, and returns its path.
 * Such a file starts in half the CPU time of the many files that we publish.
 */
export function bundled(program: string): Promise<string> {
  const path = made.get(program) ?? bundle(program);
  made.set(program, path);
  return path;
}

async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    external: ["@photostructure/sqlite", "@vscode/ripgrep", "pg"],
    plugins: [ownSources],
  });
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${relative(ROOT, program).replaceAll("/", "-")}.mjs`;
  // Another worker may build and start the same file at the same moment.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, outputFiles?.[0]?.contents ?? "");
  renameSync(draft, path);
  return path;
}

/** Resolves our packages to their sources, except `conformance`, which finds its recordings next to itself. */
const ownSources: Plugin = {
  name: "own-sources",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@agentwire\// }, ({ path }) => {
      const source = path.startsWith("@agentwire/conformance") ? undefined : OWN_SOURCES.get(path);
      return source === undefined ? { external: true } : { path: source };
    });
    onLoad({ filter: /\/test\/.*\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path))),
    }));
  },
};
