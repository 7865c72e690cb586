/** Makes a trigger that runs `work` one at a time: triggers during a run lead to one more, however many there were. */
export function coalesce(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  return () => {
    again = true;
    if (running) return;
    running = true;
    void (async () => {
      try {
        while (again) {
          again = false;
          await work();
        }
      } finally {
        running = false;
      }
    })();
  };
}
