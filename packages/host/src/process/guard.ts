import { spawn } from "node:child_process";
import { Socket } from "node:net";

/** How long what a dead host leaves behind may take to end by itself, in seconds. */
const GRACE_S = 2;

// Its input ends when the host does, however the host dies; signals of the host's terminal are not meant for it.
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups$group "; else groups="\${groups%% $group *} \${groups#* $group }"; fi
done
signal() { for group in $groups; do kill -s "$1" -- "-$group"; done; }
[ "$groups" = ' ' ] && exit
signal TERM
signal CONT
sleep ${GRACE_S}
signal KILL
`;

/** A small process that outlives a killed host, to end the agents it had started. */
export interface Guard {
  watch(group: number): void;
  forget(group: number): void;
  /** Lets it go: what it still watches is ended. */
  close(): void;
}

/** Starts a guard. It never keeps the host alive, and where there is no shell it does nothing. */
export function startGuard(): Guard {
  const child = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  const { stdin } = child;
  child.on("error", () => {});
  stdin.on("error", () => {});
  child.unref();
  if (stdin instanceof Socket) stdin.unref();
  const say = (line: string) => {
    if (stdin.writable) stdin.write(`${line}\n`);
  };
  return {
    watch: (group) => say(`+ ${group}`),
    forget: (group) => say(`- ${group}`),
    close: () => stdin.end(),
  };
}
