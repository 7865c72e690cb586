import { OutOfTime } from "./deadline.ts";

/** Why a server can't be used, as `mcp_status` reports it. */
export interface Failure {
  readonly kind: "failed" | "needs-auth";
  readonly error: string;
}

/** Thrown when the connection to a server broke, as opposed to the server refusing something. */
export class BrokenLink extends Error {}

const MAX_ERROR_CHARS = 2_000;

/** Classifies the failure of a connection attempt. */
export function failureOf(error: unknown): Failure {
  const cause = error instanceof BrokenLink ? error.cause : error;
  if (httpStatus(cause) === 401)
    return { kind: "needs-auth", error: "the server asks for a login (HTTP 401)" };
  return { kind: "failed", error: errorText(error) };
}

/** The text of any thrown value, short enough for an answer. */
export function errorText(error: unknown): string {
  if (error instanceof OutOfTime) return `the server gave ${error.message}`;
  const text = error instanceof Error ? ownText(error) : String(error);
  return text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}…` : text;
}

/** Whether a connection is no longer usable: there is no status at all, or the server forgot the session or the login. */
export function isLost(error: BrokenLink): boolean {
  const status = httpStatus(error.cause);
  return status === undefined || status === 404 || status === 401;
}

/** Whether the server had already closed the connection: it received nothing of the request. */
export const wasClosed = (error: unknown): boolean =>
  /ECONNRESET|other side closed|socket hang up/.test(errorText(error));

/** The HTTP status of an error of a remote server. */
function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "number" && code >= 100 && code < 600 ? code : undefined;
}

// fetch says only "fetch failed"; the cause has the details.
function ownText(error: Error): string {
  const { cause } = error;
  const status = httpStatus(error);
  if (status !== undefined && !error.message.includes(String(status)))
    return `${error.message} (HTTP ${status})`;
  if (!(error instanceof TypeError) || !(cause instanceof Error)) return error.message;
  const detail = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${error.message}: ${detail}`;
}
