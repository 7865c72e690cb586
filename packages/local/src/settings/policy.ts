import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { isMissing } from "../files/index.ts";
import type { Fault } from "./check-settings.ts";
import { mergeSettings } from "./merge.ts";
import { readSettingsFile } from "./read-settings.ts";

/** Where a machine's administrator puts settings, by platform. Not configurable, since a user could then change it. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["darwin", "/Library/Application Support/ClaudeCode"],
  ["win32", "C:\\Program Files\\ClaudeCode"],
]);
const OTHERS_FOLDER = "/etc/claude-code";

/** The folder of the administrator's settings. */
export function policyFolder(platform: NodeJS.Platform = process.platform): string {
  return FOLDERS.get(platform) ?? OTHERS_FOLDER;
}

/** The settings that an administrator enforces. */
export interface Policy {
  /** All documents merged; undefined if there are none or one of them is unusable. */
  readonly settings: JsonObject | undefined;
  /** The faults in the documents. Without a key, the whole document is unusable and might have forbidden anything. */
  readonly faults: readonly (Partial<Fault> & { readonly path: string; readonly message: string })[];
  /** The paths to watch for changes. */
  readonly paths: readonly string[];
}

/** Reads `managed-settings.json` and then the files in `managed-settings.d`, which override it in the order of their names. Never rejects. */
export async function readPolicy(folder = policyFolder()): Promise<Policy> {
  const extra = join(folder, "managed-settings.d");
  const main = join(folder, "managed-settings.json");
  // The synchronous check is safe on the system disk.
  if (isMissing(folder)) return { settings: undefined, faults: [], paths: [main, extra] };
  const names = (await readdir(extra).catch(() => [])).filter((name) => /^[^.].*\.json$/.test(name)).sort();
  const documents = [main, ...names.map((name) => join(extra, name))];
  const readings = await Promise.all(documents.map(readSettingsFile));
  const isUsable = readings.every((reading) => reading?.ok ?? true);
  const layers = readings.flatMap((reading) => (reading?.ok ? [reading.settings] : []));
  return {
    settings: isUsable && layers.length > 0 ? mergeSettings(layers) : undefined,
    faults: readings.flatMap((reading, at) => {
      const path = documents[at] ?? folder;
      if (!reading) return [];
      return reading.ok
        ? reading.faults.map((fault) => ({ path, ...fault }))
        : [{ path, message: reading.reason }];
    }),
    paths: [...documents, extra],
  };
}

/** The strongest of several policies, the only one that applies: an organization's, the administrator's, the host's. */
export function strongestPolicy<T extends { readonly settings: JsonObject }>(
  policies: readonly T[],
): T | undefined {
  return policies.find(({ settings }) => Object.keys(settings).length > 0);
}
