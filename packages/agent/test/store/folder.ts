import { mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";

/** A folder for one test, removed after it. */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(PLACE_FOR_STORES, "agentwire-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
