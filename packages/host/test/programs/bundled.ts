import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { fromSources } from "../../../../scripts/own-sources.mjs";

/** Bundles a source of this package into a folder, under a name; returns the path of what plain Node can run. */
export async function bundled(source: URL, folder: string, name: string): Promise<string> {
  const outfile = join(folder, name);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    plugins: [fromSources],
  });
  return outfile;
}
