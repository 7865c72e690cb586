import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundled.ts";
import { freshFolder } from "./shell-agent.ts";

/** A separate program around `openLink`, for experiments that would harm the test process; returns its path. */
export async function hostProgram(source: string): Promise<string> {
  const folder = freshFolder();
  await bundled(new URL("../../src/link/agent-link.ts", import.meta.url), folder, "link.mjs");
  const program = join(folder, "host.mjs");
  writeFileSync(program, `import { openLink } from "./link.mjs";\n${source}`);
  return program;
}
