import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { RUN_MARK } from "./run-mark.ts";

// Its stdin closes when the run ends, even if the run is killed. It ignores signals of the run's terminal.
const SCRIPT = `
trap '' HUP INT TERM
cat
for environ in /proc/[0-9]*/environ; do
  grep -qzxF "$1" "$environ" && pid=\${environ#/proc/} && kill -s KILL "\${pid%/environ}"
done
`;

/**
 * When the run is over, however it ends, ends the processes that tests have left behind. Daemons are meant to outlive the process that
 * started them; those of tests are recognized by a variable in their environment.
 */
export function setup(): () => void {
  const mark = randomUUID();
  const guard = spawn("sh", ["-c", SCRIPT, "sh", `${RUN_MARK}=${mark}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  process.env[RUN_MARK] = mark;
  return () => guard.stdin.end();
}
