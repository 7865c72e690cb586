import { cp } from "node:fs/promises";
import { join } from "node:path";
import { AppendFile } from "../store/append-file.ts";
import { Backups } from "./backups.ts";
import { realFolderOf, type SavedFile } from "./file-state.ts";
import { type Checkpoint, readCheckpoints } from "./index-file.ts";
import { previewRestore, restoreFile } from "./restore-file.ts";

/** What checkpoints need to know of their session. */
export interface CheckpointOptions {
  readonly configDir: string;
  readonly sessionId: string;
  readonly enabled: boolean;
  /** Told when a file could not be saved, so that it cannot be put back either. */
  onUnsaved(path: string): void;
}

/** How a rewind went; `canRewind: false` comes with its reason. */
export type Rewind =
  | { readonly canRewind: false; readonly error: string }
  | {
      readonly canRewind: true;
      readonly filesChanged: readonly string[];
      readonly insertions: number;
      readonly deletions: number;
    }
  | { readonly canRewind: true; readonly skippedLinks: number };

/** Remembers how files were before each prompt, on disk, so that they can be put back even by a later process. */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #backups: Backups;
  readonly #indexPath: string;
  readonly #index: AppendFile;
  #checkpoints: Promise<Checkpoint[]> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CheckpointOptions) {
    const folder = folderOf(options.configDir, options.sessionId);
    this.#options = options;
    this.#backups = new Backups(folder);
    this.#indexPath = join(folder, "index.jsonl");
    // What this process remembers still works; only a later one misses it.
    this.#index = new AppendFile(this.#indexPath, { onLost() {} });
  }

  /** Begins the checkpoint of a prompt: changes from now on count as made after it. */
  async begin(promptUuid: string): Promise<void> {
    if (this.#options.enabled) await this.#inOrder((checkpoints) => this.#begin(checkpoints, promptUuid));
  }

  /** Saves a file that is about to be changed, if it is the first change since the prompt. */
  async beforeChange(path: string): Promise<void> {
    if (this.#options.enabled) await this.#inOrder((checkpoints) => this.#save(checkpoints.at(-1), path));
  }

  /** Puts all files back to where they were when a prompt came, or only tells what that would change. */
  async rewind(promptUuid: string, dryRun: boolean): Promise<Rewind> {
    if (!this.#options.enabled) return { canRewind: false, error: "File rewinding is not enabled." };
    return this.#inOrder(async (checkpoints) => {
      const at = checkpoints.findIndex(({ prompt }) => prompt === promptUuid);
      if (at < 0) return { canRewind: false, error: "No file checkpoint found for this message." };
      const files = earliest(checkpoints.slice(at));
      return dryRun ? this.#preview(files) : this.#putBack(files, checkpoints.at(-1));
    });
  }

  /** Saving and putting back must not cross: each waits for the one before. */
  #inOrder<T>(work: (checkpoints: Checkpoint[]) => Promise<T>): Promise<T> {
    this.#checkpoints ??= readCheckpoints(this.#indexPath);
    const checkpoints = this.#checkpoints;
    const done = this.#last.then(async () => work(await checkpoints));
    this.#last = done.catch(() => {});
    return done;
  }

  async #begin(checkpoints: Checkpoint[], prompt: string): Promise<void> {
    if (checkpoints.some((checkpoint) => checkpoint.prompt === prompt)) return;
    checkpoints.push({ prompt, files: new Map() });
    this.#index.append({ prompt });
    await this.#index.flush();
  }

  async #save(checkpoint: Checkpoint | undefined, path: string): Promise<void> {
    if (!checkpoint || checkpoint.files.has(path)) return;
    const file = await this.#savedNow(path);
    if (file.state.kind === "unsaved") this.#options.onUnsaved(path);
    checkpoint.files.set(path, file);
    this.#index.append({ file });
    await this.#index.flush();
  }

  async #savedNow(path: string): Promise<SavedFile> {
    try {
      return { path, folder: await realFolderOf(path), state: await this.#backups.save(path) };
    } catch {
      return { path, folder: "", state: { kind: "unsaved" } };
    }
  }

  async #preview(files: readonly SavedFile[]): Promise<Rewind> {
    const filesChanged: string[] = [];
    let insertions = 0;
    let deletions = 0;
    for (const file of files) {
      const lines = await previewRestore(file, this.#backups).catch(() => undefined);
      if (!lines) continue;
      filesChanged.push(file.path);
      insertions += lines.insertions;
      deletions += lines.deletions;
    }
    return { canRewind: true, filesChanged, insertions, deletions };
  }

  async #putBack(files: readonly SavedFile[], current: Checkpoint | undefined): Promise<Rewind> {
    const count = { unchanged: 0, done: 0, skipped: 0, failed: 0 };
    for (const file of files.toReversed()) {
      // The newest checkpoint stands for how things are now: a rewind to it later undoes this one.
      await this.#save(current, file.path);
      count[await restoreFile(file, this.#backups)]++;
    }
    if (count.failed > 0 && count.done === 0) {
      return { canRewind: false, error: "None of the changed files could be restored." };
    }
    return { canRewind: true, skippedLinks: count.skipped };
  }
}

/** Gives a forked session the checkpoints of the one that it comes from. */
export async function copyCheckpoints(configDir: string, from: string, to: string): Promise<void> {
  await cp(folderOf(configDir, from), folderOf(configDir, to), { recursive: true, force: false }).catch(
    () => {},
  );
}

const folderOf = (configDir: string, sessionId: string) => join(configDir, "file-history", sessionId);

/** Each file as it was before the first change of all. */
function earliest(checkpoints: readonly Checkpoint[]): SavedFile[] {
  const files = new Map<string, SavedFile>();
  for (const { files: saved } of checkpoints) {
    for (const [path, file] of saved) if (!files.has(path)) files.set(path, file);
  }
  return [...files.values()];
}
