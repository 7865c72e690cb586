import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { freshFolder } from "./shell-agent.ts";

/** A program of its own around `openLink`, for what would harm the process of the tests; returns its path. */
export async function hostProgram(source: string): Promise<string> {
  const folder = freshFolder();
  await build({
    entryPoints: [fileURLToPath(new URL("../../src/link/link.ts", import.meta.url))],
    outfile: join(folder, "link.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    alias: {
      "@agentwire/protocol": fileURLToPath(new URL("../../../protocol/src/index.ts", import.meta.url)),
    },
  });
  const program = join(folder, "host.mjs");
  writeFileSync(program, `import { openLink } from "./link.mjs";\n${source}`);
  return program;
}
