import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "@agentwire/local/files";
import { type FileState, readFileState } from "./file-state.ts";

/** Larger files are not backed up. */
export const MAX_BACKUP_BYTES = 10 * 1024 * 1024;

/** Copies of files, stored in one folder under the hash of their content. */
export class Backups {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Backs up the file at a path. */
  async save(path: string): Promise<FileState> {
    const found = await readFileState(path);
    if (found === "absent") return { kind: "absent" };
    if (found === "link" || found.size > MAX_BACKUP_BYTES) return { kind: "unsaved" };
    const content = await readFile(path);
    const hash = hashOf(content);
    await this.#store(hash, content);
    return { kind: "file", hash, size: content.length, mode: found.mode };
  }

  /** The content of a backup. */
  async read(hash: string): Promise<Buffer> {
    return readFile(join(this.#folder, hash));
  }

  async #store(hash: string, content: Buffer): Promise<void> {
    const path = join(this.#folder, hash);
    if (await exists(path)) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // A copy truncated by a crash must never have the name of a complete one.
    const unfinished = `${path}.${randomUUID()}`;
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, path);
  }
}

/** The name under which content is stored. */
export const hashOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
