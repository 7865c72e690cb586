import { endGroup, groupExists, type ProcessGroups } from "@agentwire/local/process";
import type { OutputFiles } from "./output-files.ts";

const WATCH_MS = 250;

/**
 * Lets go of the files of a command that has ended. What it left in the background still writes to them, where nobody reads
 * it any more, so that is watched and ended before it fills the disk.
 */
export function releaseFiles(files: OutputFiles, group: number, groups: ProcessGroups): void {
  groups.sweep();
  if (!groupExists(group)) {
    files.close();
    return;
  }
  const watch = setInterval(() => {
    if (groupExists(group) && !files.isFlooded) return;
    clearInterval(watch);
    void endGroup(group).then(() => {
      files.close();
      groups.sweep();
    });
  }, WATCH_MS);
  watch.unref();
}
