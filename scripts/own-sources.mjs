import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url));

/** The source file behind each specifier by which our packages import each other, according to their `exports`. */
export const OWN_SOURCES = new Map(readdirSync(PACKAGES).flatMap(entriesOf));

function entriesOf(folder) {
  const manifest = join(PACKAGES, folder, "package.json");
  if (!existsSync(manifest)) return [];
  const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8"));
  return Object.entries(exports).flatMap(([subpath, { default: built }]) =>
    built === undefined
      ? []
      : [
          [
            name + subpath.slice(1),
            join(PACKAGES, folder, built.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")),
          ],
        ],
  );
}

/**
 * For esbuild: bundles our packages from their sources, except those that match `isOutside`. Files of a package that a program does not
 * use are left out, because our files have no side effects.
 */
export const withoutSideEffects = (isOutside) => ({
  name: "own-sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@agentwire\// }, ({ path }) =>
      OWN_SOURCES.has(path) && !isOutside(path)
        ? { path: OWN_SOURCES.get(path), sideEffects: false }
        : { external: true },
    );
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
});

/** For esbuild: bundles our packages from their sources. */
export const fromSources = {
  name: "from-sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@agentwire\// }, ({ path }) =>
      OWN_SOURCES.has(path) ? { path: OWN_SOURCES.get(path) } : undefined,
    );
  },
};
