import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOutputFolder } from "../files/output-folder.ts";
import { quoted } from "./command-line.ts";

/**
 * Writes a program that runs socat until the process that started it ends, even if that is killed; the runtime's own would
 * outlive a killed agent. Returns its path.
 */
export function writeSocat(folder: string, socat = "socat"): string {
  const path = join(folder, "socat");
  const run = `${quoted(socat)} "$@"`;
  makeOutputFolder(folder);
  writeFileSync(
    path,
    // Inside a sandbox, socat ends with the sandbox anyway.
    `#!/bin/sh\n[ -n "$SANDBOX_RUNTIME" ] && exec ${run}\ncommand -v setpriv >/dev/null && exec setpriv --pdeathsig TERM -- ${run}\nexec ${run}\n`,
    { mode: 0o700 },
  );
  return path;
}
