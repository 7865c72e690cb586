import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOutputFolder } from "../files/output-folder.ts";
import { quoted } from "./command-line.ts";

/**
 * Writes a program that runs socat until whoever started it ends, however that happens: the runtime's own would outlive an agent that
 * was killed. Gives its path.
 */
export function writeSocat(folder: string, socat = "socat"): string {
  const path = join(folder, "socat");
  const run = `${quoted(socat)} "$@"`;
  makeOutputFolder(folder);
  writeFileSync(
    path,
    // Inside a sandbox it ends with that anyway.
    `#!/bin/sh\n[ -n "$SANDBOX_RUNTIME" ] && exec ${run}\ncommand -v setpriv >/dev/null && exec setpriv --pdeathsig TERM -- ${run}\nexec ${run}\n`,
    { mode: 0o700 },
  );
  return path;
}
