import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Writable } from "node:stream";

/** How long the processes that a dead program left behind may take to end by themselves, in seconds. */
const GRACE_S = 2;

// Its stdin closes when the program that started it ends, however that happens; the guard ignores signals from the terminal.
const SCRIPT = `
trap '' HUP INT TERM
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) rest=
       for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
       groups=$rest ;;
  esac
done
signal() { for one in $groups; do kill -s "$1" -- "-$one"; done; }
[ -n "$groups" ] || exit 0
signal TERM
signal CONT
sleep ${GRACE_S}
signal KILL
`;

/** A small process that outlives a killed program and ends the process groups which that program started. */
export interface Guard {
  readonly isRunning: boolean;
  /** Where a process registers itself by writing `+ its-group`. Inheriting this pipe makes a group known before it could be lost. */
  readonly line: Writable;
  watch(group: number): void;
  forget(group: number): void;
  /** Closes the guard, which then ends the groups it still watches. */
  close(): void;
}

/** A program shares one guard among all its sessions. */
let guard: Guard | undefined;
const users = new Set<object>();

/** The guard of this program, which never keeps the program alive. Throws if the system has no descriptors left to start it. */
export function borrowGuard(user: object): Guard {
  users.add(user);
  if (!guard?.isRunning) guard = startGuard();
  return guard;
}

/** Releases a user's hold on the guard; the last release closes it. Returns whether it was closed. */
export function returnGuard(user: object): boolean {
  users.delete(user);
  if (users.size > 0) return false;
  guard?.close();
  guard = undefined;
  return true;
}

/** Starts a guard. */
export function startGuard(): Guard {
  const child = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  let isRunning = true;
  const gone = () => {
    isRunning = false;
  };
  child.on("error", gone).on("exit", gone);
  // The type does not cover a process that could not be started.
  const line: Writable | undefined = child.stdin;
  if (!line) throw new Error("the system has no file descriptors left to start a process");
  line.on("error", gone);
  child.unref();
  if (line instanceof Socket) line.unref();
  const say = (word: string) => {
    if (isRunning && line.writable) line.write(`${word}\n`);
  };
  return {
    get isRunning() {
      return isRunning;
    },
    line,
    watch: (group) => say(`+ ${group}`),
    forget: (group) => say(`- ${group}`),
    close: () => line.end(),
  };
}
