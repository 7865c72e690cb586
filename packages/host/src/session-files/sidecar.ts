import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";

const MAX_BYTES = 4096;

/** The path of a small file next to a transcript, in the folder named after the session. */
export function sidecarFile(transcript: string, sessionId: string, name: string): string {
  return join(dirname(transcript), sessionId, name);
}

/** Reads a small JSON file; undefined for anything else. */
export async function readSmallJson(path: string): Promise<JsonObject | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    const value: unknown = JSON.parse(await file.readFile("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
