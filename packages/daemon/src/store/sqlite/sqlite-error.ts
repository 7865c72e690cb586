import { errorMessage } from "@agentwire/protocol/support";
import { StoreError } from "../store-error.ts";

const BUSY = 5;
const READ_ONLY = 8;
const IO = 10;
const CORRUPT = 11;
const FULL = 13;
const CANT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Converts an SQLite failure to terms for operators. */
export function toStoreError(cause: unknown, path: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const options = { cause };
  switch (primaryCode(cause) ?? systemCode(cause)) {
    case FULL:
      return new StoreError(
        "full",
        `no space left for ${path}: free some, and the daemon continues`,
        options,
      );
    case CORRUPT:
    case NOT_A_DATABASE:
      return new StoreError(
        "corrupt",
        `${path} is damaged: stop the daemon, move the file away and restore a backup`,
        options,
      );
    case READ_ONLY:
    case CANT_OPEN:
      return new StoreError(
        "read_only",
        `${path} is not writable: check the permissions of the file and its folder`,
        options,
      );
    case BUSY:
      return new StoreError("busy", `${path} is in use by another process: stop it first`, options);
    case IO:
      if (isNoSpace(cause)) return toStoreError({ errcode: FULL }, path);
      if (isUnwritten(cause))
        return new StoreError(
          "full",
          `${path} can't grow: a quota or file size limit is reached, or the disk fails; fix that, and the daemon continues`,
          options,
        );
      return new StoreError("io", `${path}: the disk failed: ${errorMessage(cause)}`, options);
    default:
      return new StoreError("failed", `${path}: ${errorMessage(cause)}`, options);
  }
}

/** Whether an error is SQLite's own, from an unguarded read. */
export const isSqliteError = (error: unknown): boolean => primaryCode(error) !== undefined;

/** SQLite reports a full disk only if no space is left; a quota looks like any failed write. */
const UNWRITTEN: ReadonlySet<unknown> = new Set([IO | (3 << 8), IO | (19 << 8)]);

const isUnwritten = (cause: unknown) =>
  UNWRITTEN.has((cause as { readonly errcode?: unknown } | null | undefined)?.errcode);

/** SQLite's code for an error that the system reported first. */
function systemCode(cause: unknown): number | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") return READ_ONLY;
  if (code === "ENOSPC" || code === "EDQUOT") return FULL;
  // When iterating over rows, the library leaves out SQLite's code.
  return /database disk image is malformed/.test(errorMessage(cause)) ? CORRUPT : undefined;
}

/** SQLite's extended codes carry more in their higher bits. */
function primaryCode(cause: unknown): number | undefined {
  const code = (cause as { readonly errcode?: unknown } | null | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

const isNoSpace = (cause: unknown) => /no space|ENOSPC/i.test(errorMessage(cause));

/** SQLite's code for a finding of its check: a page that the disk failed to return is reported with the disk's code, and is not damage. */
export function checkCode(found: string): number {
  const code = Number(/error code[= ]+(\d+)/.exec(found)?.[1] ?? CORRUPT);
  return (code & 0xff) === IO ? code : CORRUPT;
}
