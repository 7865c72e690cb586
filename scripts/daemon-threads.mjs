import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bundle, ROOT } from "./bundle.mjs";
import { withoutSideEffects } from "./own-sources.mjs";

const SOURCES = join(ROOT, "packages/daemon/src");
const THREADS = readdirSync(SOURCES, { recursive: true }).filter((path) => path.endsWith("-thread.ts"));

/** Bundles the daemon's threads into the `dist` of a package: started from separate files, a thread takes half as long again. */
export const bundleThreads = (folder) =>
  bundle(folder, {
    entryPoints: Object.fromEntries(THREADS.map((path) => [path.replace(/\.ts$/, ""), join(SOURCES, path)])),
    plugins: [withoutSideEffects((name) => name.startsWith("@agentwire/conformance"))],
  });
