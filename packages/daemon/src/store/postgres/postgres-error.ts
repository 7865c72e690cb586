import { errorMessage } from "@agentwire/protocol/support";
import { StoreError } from "../store-error.ts";

/** The error code raised for a node that has lost its epoch. */
const FENCED = "AW001";

const READ_ONLY = "25006";

/** Transient errors: the server starts, stops, accepts no connections, or has ended a transaction that was idle or deadlocked. */
const PASSING: ReadonlySet<string> = new Set([
  ...["57P01", "57P02", "57P03", "53300", "25P03", "40001", "40P01"],
  // A standby, and a database that temporarily accepts no connections.
  ...[READ_ONLY, "55000"],
]);

/** Whether a server accepts no writes because it is a standby. */
export const isReadOnly = (cause: unknown): boolean =>
  (cause as { readonly code?: string } | undefined)?.code === READ_ONLY;

/** Converts an error of the server to terms for operators. */
export function toStoreError(cause: unknown, place: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const options = { cause };
  const { code = "", severity } = (cause ?? {}) as { readonly code?: string; readonly severity?: unknown };
  const text = errorMessage(cause);
  if (code === FENCED)
    return new StoreError(
      "fenced",
      "another daemon has taken over from this node: restart this one",
      options,
    );
  if (code === "28P01" || code === "28000" || code === "42501" || code === "3D000")
    return new StoreError(
      "read_only",
      `${place}: ${text}; check the user, the password, the database and the privileges`,
      options,
    );
  if (code === "53100") return new StoreError("full", `${place}: no space left on the server`, options);
  if (code === "XX001" || code === "XX002")
    return new StoreError("corrupt", `${place} is damaged: ${text}; restore a backup`, options);
  // Connection errors have other codes; EPIPE looks like one of the server's.
  const isFromServer = typeof severity === "string" && /^[0-9A-Z]{5}$/.test(code);
  if (code.startsWith("08") || PASSING.has(code) || !isFromServer)
    return new StoreError("unreachable", `${place} can't be reached: ${text}`, options);
  return new StoreError("failed", `${place}: ${text}`, options);
}
