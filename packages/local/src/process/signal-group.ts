/** Sends a signal to every process of a group; false if none of them can receive it. */
export function signalGroup(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would mean our own group and every process on the system.
  if (group === undefined || !Number.isSafeInteger(group) || group <= 1) return false;
  try {
    process.kill(process.platform === "win32" ? group : -group, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether a process group still exists; a zombie keeps it alive. */
export function groupExists(group: number): boolean {
  return signalGroup(group, 0);
}
