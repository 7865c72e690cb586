import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { readRegularFile, unlessMissing } from "../files/index.ts";
import { parseSettings } from "./parse-settings.ts";

/** An edit of a settings file. */
export interface SettingsEdit {
  readonly path: string;
  /** The folder that must contain the file after links are resolved: a checkout must not redirect the edit elsewhere. */
  readonly within?: string;
  /** The permissions of the file if it has to be created. */
  readonly mode: number;
  readonly change: (settings: JsonObject) => JsonObject;
}

/** Changes a settings file atomically. Rejects, saying what to do, if the file can't be parsed or is changed by another program at the same time. */
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

/** The file that the path resolves to: it is replaced, and the links are kept. */
async function target(path: string, within: string | undefined): Promise<string> {
  const file = await unlessMissing(realpath(path));
  if (file === undefined) await mkdir(dirname(path), { recursive: true });
  const found = file ?? join(await realpath(dirname(path)), basename(path));
  if (within !== undefined && /^\.\.(?:\/|$)/.test(relative(await realpath(within), found)))
    throw new Error(`${path} is a symbolic link that leads out of ${within}: remove the link first`);
  return found;
}
