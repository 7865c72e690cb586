import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { readRegularFile, unlessMissing } from "../files/index.ts";
import { parseSettings } from "./parse-settings.ts";

/** How a file with settings is changed. */
export interface SettingsEdit {
  readonly path: string;
  /** The folder that the file must lie in, behind all links: a checkout must not lead elsewhere. */
  readonly within?: string;
  /** Who may read it if it is made anew. */
  readonly mode: number;
  readonly change: (settings: JsonObject) => JsonObject;
}

/** Changes a file of settings as a whole, or not at all. Rejects, with what to do, for one that holds something else or that somebody changes at the same time. */
export async function editSettingsFile({ path: given, within, mode, change }: SettingsEdit): Promise<void> {
  const path = await target(given, within);
  const before = await unlessMissing(readRegularFile(path));
  const parsed = parseSettings(before ?? "");
  if (!parsed.ok) throw new Error(`${path} ${parsed.reason}: correct it first`);
  const text = `${JSON.stringify(change(parsed.settings), null, 2)}\n`;
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const kept = (await unlessMissing(stat(path)))?.mode ?? mode;
  try {
    await writeFile(draft, text, { mode: kept & 0o777, flag: "wx" });
    if ((await unlessMissing(readRegularFile(path))) !== before)
      throw new Error(`${path} was changed by another program at the same time: try again`);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The file itself, where the path leads to it by links: it is replaced, and they stay. */
async function target(path: string, within: string | undefined): Promise<string> {
  const file = await unlessMissing(realpath(path));
  if (file === undefined) await mkdir(dirname(path), { recursive: true });
  const found = file ?? join(await realpath(dirname(path)), basename(path));
  if (within !== undefined && /^\.\.(?:\/|$)/.test(relative(await realpath(within), found)))
    throw new Error(`${path} is a symbolic link that leads out of ${within}: remove the link first`);
  return found;
}
