import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { fromSources } from "../../../../scripts/own-sources.mjs";

/** Bundles a source file of this package into a folder; returns the path of a file that plain Node can run. */
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
