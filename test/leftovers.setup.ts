import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { RUN_MARK } from "./run-mark.ts";

// Its input ends when the run does, even if that is killed; signals of its terminal are not meant for it.
const SCRIPT = `
trap '' HUP INT TERM
cat
for environ in /proc/[0-9]*/environ; do
  grep -qzxF "$1" "$environ" && pid=\${environ#/proc/} && kill -s KILL "\${pid%/environ}"
done
`;

/**
 * Ends what tests have left behind when the run is over, however it ends. Daemons outlive whoever started them, as they should: those
 * of tests are known by a variable of their environment.
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
