const LEADING_SLEEP = /^\s*sleep\s+(\d+(?:\.\d+)?)([smhd]?)[ \t]*(?:$|\n|;|\||&&)/;
const SECONDS = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86400],
]);
const LONGEST_SECONDS = 2;

/** Whether a command begins by waiting: there is no use in letting it go on where nobody waits. */
export function beginsWithSleep(command: string): boolean {
  return /^\s*sleep(?:\s|$)/.test(command);
}

/** Why a command is refused that begins by waiting: the conversation would wait with it. */
export function refuseSleep(command: string): string | undefined {
  const match = LEADING_SLEEP.exec(command);
  if (!match) return undefined;
  const seconds = Number(match[1]) * (SECONDS.get(match[2] ?? "") ?? 1);
  if (seconds < LONGEST_SECONDS) return undefined;
  return (
    `Blocked: the command begins with a sleep of ${seconds} s, and nothing else can happen meanwhile. ` +
    "Start what you wait for with run_in_background: true and you are told when it ends, " +
    "or run a loop that checks a condition (`until <check>; do sleep 1; done`) in the background."
  );
}
