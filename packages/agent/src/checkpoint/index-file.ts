import { createReadStream } from "node:fs";
import { type JsonObject, Malformed, parseLine, readLines } from "@agentwire/protocol";
import { readSavedFile, type SavedFile } from "./file-state.ts";
import { readSnapshot, type Snapshot } from "./snapshots.ts";

/** The files that were changed after a prompt, each as it was before the first change. */
export interface Checkpoint {
  readonly prompt: string;
  readonly files: Map<string, SavedFile>;
  /** The whole worktree as it was before the first call that may have changed something. */
  snapshot?: Snapshot;
}

/** Reads the checkpoints that an earlier process of the session has made; torn lines are passed over. */
export async function readCheckpoints(path: string): Promise<Checkpoint[]> {
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
