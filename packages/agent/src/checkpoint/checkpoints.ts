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

/** What checkpoints need to know about their session. */
export interface CheckpointOptions {
  readonly configDir: string;
  readonly sessionId: string;
  readonly enabled: boolean;
  /** The environment of git, for sessions in a worktree. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called when a file could not be saved, and so cannot be restored later. */
  onUnsaved(path: string): void;
}

/** The result of a rewind; `canRewind: false` comes with the reason. */
export type Rewind =
  | { readonly canRewind: false; readonly error: string }
  | {
      readonly canRewind: true;
      readonly filesChanged: readonly string[];
      readonly insertions: number;
      readonly deletions: number;
    }
  | { readonly canRewind: true; readonly skippedLinks: number };

/** Records on disk how files were before each prompt, so that even a later process can restore them. */
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
    // A lost entry is still in memory here; only a later process lacks it.
    this.#index = new AppendFile(this.#indexPath, { onLost() {} });
  }

  /** Starts the checkpoint of a prompt: later changes count as made after it. */
  async begin(promptUuid: string): Promise<void> {
    if (this.#options.enabled) await this.#inOrder((checkpoints) => this.#begin(checkpoints, promptUuid));
  }

  /** Saves a file that is about to change, if this is its first change since the prompt. */
  async beforeChange(path: string): Promise<void> {
    if (this.#options.enabled) await this.#inOrder((checkpoints) => this.#save(checkpoints.at(-1), path));
  }

  /**
   * Saves the whole worktree around a folder before the first call after a prompt, because the effects of a command are not known
   * in advance. Does nothing outside a worktree made for a session.
   */
  async beforeCall(folder: string): Promise<void> {
    const worktree = this.#options.enabled ? worktreeAround(folder) : undefined;
    if (worktree !== undefined)
      await this.#inOrder((checkpoints) => this.#keepAll(checkpoints.at(-1), worktree));
  }

  /** Restores all files to their state when a prompt arrived; a dry run only reports what would change. */
  async rewind(promptUuid: string, dryRun: boolean): Promise<Rewind> {
    if (!this.#options.enabled) return { canRewind: false, error: "File rewinding is not enabled." };
    return this.#inOrder(async (checkpoints) => {
      const at = checkpoints.findIndex(({ prompt }) => prompt === promptUuid);
      if (at < 0) return { canRewind: false, error: "No file checkpoint found for this message." };
      const since = checkpoints.slice(at);
      const snapshot = since.find((checkpoint) => checkpoint.snapshot)?.snapshot;
      // If the worktree is gone, only the backups of single files are left.
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

  /** Serializes the work: saving and restoring must not overlap. */
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
      // Save the current state in the newest checkpoint, so that a later rewind to it undoes this rewind.
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

/** Copies the checkpoints of a session to its fork. */
export async function copyCheckpoints(configDir: string, from: string, to: string): Promise<void> {
  await cp(folderOf(configDir, from), folderOf(configDir, to), { recursive: true, force: false }).catch(
    () => {},
  );
}

const folderOf = (configDir: string, sessionId: string) => join(configDir, "file-history", sessionId);

/** Each file as it was before its very first change. */
function earliest(checkpoints: readonly Checkpoint[]): SavedFile[] {
  const files = new Map<string, SavedFile>();
  for (const { files: saved } of checkpoints) {
    for (const [path, file] of saved) if (!files.has(path)) files.set(path, file);
  }
  return [...files.values()];
}

/** The files that were changed after a prompt, each as it was before its first change. */
interface Checkpoint {
  readonly prompt: string;
  readonly files: Map<string, SavedFile>;
  /** The whole worktree as it was before the first call that may have changed something. */
  snapshot?: Snapshot;
}

/** Reads the checkpoints that an earlier process of the session made; skips incomplete lines. */
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
    // Missing or unreadable: rewinding to earlier prompts is not possible.
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
