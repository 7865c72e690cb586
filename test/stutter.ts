/** Longer than an event loop may be late, and how long it may run between. */
const [STOPPED_MS, RUNNING_MS] = [800, 300];

/** Stops a process again and again for a moment, as one whose event loop is kept busy; the function ends that. */
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
