import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** How long the outputs of a session are kept for those who take it up again. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Leaves nothing behind in the temporary folder but outputs that somebody may still read: `folder` is where the session kept its
 * own, below its id and the name of the project. Old sessions of the same project go altogether. Never rejects.
 */
export async function tidyOutputs(folder: string): Promise<void> {
  const session = dirname(folder);
  const project = dirname(session);
  if (!(await isOurs(dirname(project)))) return;
  await removeOld(project);
  // From the inside out: a folder that somebody still uses is not empty, and stays.
  for (const empty of [folder, session, project, dirname(project)]) await rmdir(empty).catch(() => {});
}

async function removeOld(project: string): Promise<void> {
  const names = await readdir(project).catch(() => []);
  for (const name of names) {
    const path = join(project, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory() && Date.now() - found.mtimeMs > KEPT_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Others may write to the temporary folder as well: what they put in our place is not ours to clear away. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}
