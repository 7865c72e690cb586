import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readRegularFile, unlessMissing } from "@agentwire/local/files";
import { parseSettings } from "@agentwire/local/settings";
import type { JsonObject } from "@agentwire/protocol";

/**
 * Changes a settings file atomically: readers see the old or the new version. Rejects if the file can't be read. `newMode` is the
 * mode of a newly created file: one that may hold keys is for its owner only.
 */
export async function rewriteSettings(
  path: string,
  change: (settings: JsonObject) => JsonObject,
  newMode?: number,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A rename would replace a link, such as one into a folder of dotfiles, with a file.
  const target = (await unlessMissing(realpath(path))) ?? path;
  const before = await unlessMissing(readRegularFile(target));
  const reading = parseSettings(before ?? "");
  if (!reading.ok) throw new Error(`${path} can't be changed: it ${reading.reason}`);
  const mode = (await unlessMissing(stat(target)))?.mode ?? newMode;
  const after = `${JSON.stringify(change(reading.settings), null, 2)}\n`;
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, after, { mode });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
