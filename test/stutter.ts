/** How long the process is stopped (longer than an event loop may be late), and how long it runs in between. */
const [STOPPED_MS, RUNNING_MS] = [800, 300];

/** Stops a process repeatedly for a moment, as if its event loop were busy. The returned function ends that. */
export function stutter(pid: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const turn = (isStopped: boolean) => {
    process.kill(pid, isStopped ? "SIGSTOP" : "SIGCONT");
    timer = setTimeout(turn, isStopped ? STOPPED_MS : RUNNING_MS, !isStopped);
  };
  turn(true);
  return () => {
    clearTimeout(timer);
    process.kill(pid, "SIGCONT");
  };
}
