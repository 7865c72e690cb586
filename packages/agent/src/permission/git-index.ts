import { readFile, stat } from "node:fs/promises";

const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 12;
const MODE_AT = 24;
const FLAGS_AT = 60;
const NAME_AT = 62;
const EXTENDED = 0x4000;
const SUBMODULE = 0o160000;
/** The extension by which a split index names its shared file. */
const SPLIT = Buffer.from("link");

/**
 * Whether an index has submodules: git looks for changes in them using their own configuration, and no setting prevents that. An
 * index that can't be read counts as having some.
 */
export async function hasSubmodules(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  // A new repository has no index yet.
  if (!file) return false;
  if (!file.isFile() || file.size > MAX_INDEX_BYTES) return true;
  return listsSubmodule(await readFile(path));
}

function listsSubmodule(index: Buffer): boolean {
  const version = index.length < HEADER_BYTES ? 0 : index.readUInt32BE(4);
  if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return true;
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + NAME_AT > index.length) return true;
    if ((index.readUInt32BE(at + MODE_AT) & 0o170000) === SUBMODULE) return true;
    const next = nextEntry(index, at, version);
    if (next === undefined) return true;
    at = next;
  }
  return index.indexOf(SPLIT, at) >= 0;
}

function nextEntry(index: Buffer, at: number, version: number): number | undefined {
  const isExtended = (index.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0;
  const name = at + NAME_AT + (isExtended ? 2 : 0);
  // Version 4 puts a variable-length number before the name; its last byte is the first one without the high bit.
  let start = name;
  if (version === 4) while ((index[start++] ?? 0) & 0x80);
  const end = index.indexOf(0, start);
  if (end < 0) return undefined;
  return version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
}
