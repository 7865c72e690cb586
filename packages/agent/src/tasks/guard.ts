import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Writable } from "node:stream";

// Ends when its input does, which the kernel sees to however the agent dies.
const SCRIPT = `
trap '' HUP INT TERM
live=
while read -r sign group; do
  case $sign in
    +) live="$live $group" ;;
    -) rest=
       for one in $live; do [ "$one" = "$group" ] || rest="$rest $one"; done
       live=$rest ;;
  esac
done
[ -n "$live" ] || exit 0
for one in $live; do kill -s TERM -- "-$one"; done
sleep 1
for one in $live; do kill -s KILL -- "-$one"; done
`;

/** A small process that outlives a killed agent, to end the process groups it was watching. */
export interface Guard {
  readonly isRunning: boolean;
  /** Where a process writes `+ its-group` by itself. Inherited, it lets a group be known before anybody could lose it. */
  readonly line: Writable;
  watch(group: number): void;
  forget(group: number): void;
  /** Lets it go: what it still watches is ended. */
  close(): void;
}

/** Starts a guard. It never keeps the agent itself alive. */
export function startGuard(): Guard {
  const child = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  let isRunning = true;
  const gone = () => {
    isRunning = false;
  };
  child.on("error", gone).on("exit", gone);
  child.stdin.on("error", gone);
  letGo(child);
  const say = (line: string) => {
    if (isRunning) child.stdin.write(`${line}\n`);
  };
  return {
    get isRunning() {
      return isRunning;
    },
    line: child.stdin,
    watch: (group) => say(`+ ${group}`),
    forget: (group) => say(`- ${group}`),
    close: () => child.stdin.end(),
  };
}

function letGo(child: ChildProcess): void {
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
}
