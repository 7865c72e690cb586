const LEADING_SLEEP = /^\s*sleep\s+(\d+)[ \t]*(?:$|\n|;|\||&&)/;
const LONGEST_SECONDS = 25;

/** Whether a command begins by waiting: there is no use in letting it go on where nobody waits. */
export function beginsWithSleep(command: string): boolean {
  return /^\s*sleep(?:\s|$)/.test(command);
}

/** Why a command is refused that begins by waiting for long: the conversation would wait with it. */
export function refuseSleep(command: string): string | undefined {
  const seconds = Number(LEADING_SLEEP.exec(command)?.[1] ?? 0);
  if (seconds < LONGEST_SECONDS) return undefined;
  return (
    `Blocked: the command begins with a sleep of ${seconds} s, and nothing else can happen meanwhile. ` +
    "Start what you wait for with run_in_background: true and you are told when it ends, " +
    "or run a loop that checks a condition (`until <check>; do sleep 1; done`) in the background."
  );
}
