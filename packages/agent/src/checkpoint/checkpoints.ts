import { createReadStream } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { type JsonObject, Malformed, parseLine, readLines } from "@agentwire/protocol";
import { AppendFile } from "../store/append-file.ts";
import { Backups } from "./backups.ts";
import { NO_LINES } from "./changed-lines.ts";
import { readSavedFile, realFolderOf, type SavedFile } from "./file-state.ts";
import { previewRestore, restoreFile } from "./restore-file.ts";
import {
  beyondSnapshot,
  previewSnapshot,
  readSnapshot,
  restoreSnapshot,
  type Snapshot,
  takeSnapshot,
  worktreeAround,
} from "./snapshots.ts";

/** What checkpoints need to know of their session. */
export interface CheckpointOptions {
  readonly configDir: string;
  readonly sessionId: string;
  readonly enabled: boolean;
  /** The environment of git, for sessions in a worktree. */
  readonly env: Readonly<Record<string, string | undefined>>;
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

  /**
   * Keeps the whole worktree that a folder is in, if it was made for a session and nothing was called since the prompt: nobody
   * knows what a command changes. Elsewhere it does nothing.
   */
  async beforeCall(folder: string): Promise<void> {
    const worktree = this.#options.enabled ? worktreeAround(folder) : undefined;
    if (worktree !== undefined)
      await this.#inOrder((checkpoints) => this.#keepAll(checkpoints.at(-1), worktree));
  }

  /** Puts all files back to where they were when a prompt came, or only tells what that would change. */
  async rewind(promptUuid: string, dryRun: boolean): Promise<Rewind> {
    if (!this.#options.enabled) return { canRewind: false, error: "File rewinding is not enabled." };
    return this.#inOrder(async (checkpoints) => {
      const at = checkpoints.findIndex(({ prompt }) => prompt === promptUuid);
      if (at < 0) return { canRewind: false, error: "No file checkpoint found for this message." };
      const since = checkpoints.slice(at);
      const snapshot = since.find((checkpoint) => checkpoint.snapshot)?.snapshot;
      // Of a worktree that is gone, only copies of single files are left.
      const kept = snapshot && worktreeAround(snapshot.worktree) ? snapshot : undefined;
      const files = await this.#beyond(kept, earliest(since));
      return dryRun ? this.#preview(files, kept) : this.#putBack(files, kept, checkpoints.at(-1));
    });
  }

  async #keepAll(checkpoint: Checkpoint | undefined, worktree: string): Promise<void> {
    if (!checkpoint || checkpoint.snapshot) return;
    const { sessionId, env, onUnsaved } = this.#options;
    try {
      checkpoint.snapshot = await takeSnapshot(worktree, sessionId, env);
    } catch {
      onUnsaved(worktree);
      return;
    }
    this.#index.append({ snapshot: checkpoint.snapshot });
    await this.#index.flush();
  }

  /** The files that are not in a snapshot. */
  async #beyond(snapshot: Snapshot | undefined, files: readonly SavedFile[]): Promise<readonly SavedFile[]> {
    if (!snapshot) return files;
    const paths = files.map(({ path }) => path);
    const beyond = await beyondSnapshot(snapshot, paths, this.#options.env);
    return files.filter(({ path }) => beyond.has(path));
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

  async #preview(files: readonly SavedFile[], snapshot: Snapshot | undefined): Promise<Rewind> {
    const whole = snapshot && (await previewSnapshot(snapshot, this.#options.env));
    const filesChanged: string[] = [...(whole?.files ?? [])];
    let { insertions, deletions } = whole ?? NO_LINES;
    for (const file of files) {
      const lines = await previewRestore(file, this.#backups).catch(() => undefined);
      if (!lines) continue;
      filesChanged.push(file.path);
      insertions += lines.insertions;
      deletions += lines.deletions;
    }
    return { canRewind: true, filesChanged, insertions, deletions };
  }

  async #putBack(
    files: readonly SavedFile[],
    snapshot: Snapshot | undefined,
    current: Checkpoint | undefined,
  ): Promise<Rewind> {
    const count = { unchanged: 0, done: 0, skipped: 0, failed: 0 };
    for (const file of files.toReversed()) {
      // The newest checkpoint stands for how things are now: a rewind to it later undoes this one.
      await this.#save(current, file.path);
      count[await restoreFile(file, this.#backups)]++;
    }
    if (snapshot) {
      await this.#keepAll(current, snapshot.worktree);
      try {
        await restoreSnapshot(snapshot, this.#options.env);
        count.done++;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { canRewind: false, error: `The worktree could not be restored: ${why}` };
      }
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

/** The files that were changed after a prompt, each as it was before the first change. */
interface Checkpoint {
  readonly prompt: string;
  readonly files: Map<string, SavedFile>;
  /** The whole worktree as it was before the first call that may have changed something. */
  snapshot?: Snapshot;
}

/** Reads the checkpoints that an earlier process of the session has made; torn lines are passed over. */
async function readCheckpoints(path: string): Promise<Checkpoint[]> {
  const checkpoints: Checkpoint[] = [];
  try {
    for await (const lines of readLines(createReadStream(path))) {
      for (const text of lines) {
        const line = parseLine(text);
        if (!(line instanceof Malformed)) add(checkpoints, line);
      }
    }
  } catch {
    // There are none, or none that can be read: prompts before now cannot be rewound to.
  }
  return checkpoints;
}

function add(checkpoints: Checkpoint[], line: JsonObject): void {
  if (typeof line.prompt === "string") checkpoints.push({ prompt: line.prompt, files: new Map() });
  const file = readSavedFile(line.file);
  const last = checkpoints.at(-1);
  if (file) last?.files.set(file.path, file);
  const snapshot = readSnapshot(line.snapshot);
  if (last && snapshot) last.snapshot ??= snapshot;
}
