import { OutOfTime } from "./deadline.ts";

/** Why a server can't be used, in the words of `mcp_status`. */
export interface Failure {
  readonly kind: "failed" | "needs-auth";
  readonly error: string;
}

/** Says that the way to a server broke, rather than that the server refused something. */
export class BrokenLink extends Error {}

const MAX_ERROR_CHARS = 2_000;

/** Says in which way connecting failed. */
export function failureOf(error: unknown): Failure {
  const cause = error instanceof BrokenLink ? error.cause : error;
  if (httpStatus(cause) === 401)
    return { kind: "needs-auth", error: "the server asks for a login (HTTP 401)" };
  return { kind: "failed", error: errorText(error) };
}

/** The text of anything thrown, at a length that fits an answer. */
export function errorText(error: unknown): string {
  if (error instanceof OutOfTime) return `the server gave ${error.message}`;
  const text = error instanceof Error ? ownText(error) : String(error);
  return text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}…` : text;
}

/** Whether a connection is of no more use: no status at all, or the server forgot the session or the login. */
export function isLost(error: BrokenLink): boolean {
  const status = httpStatus(error.cause);
  return status === undefined || status === 404 || status === 401;
}

/** Whether a connection was used that the server had closed before: it got nothing of the request. */
export const wasClosed = (error: unknown): boolean =>
  /ECONNRESET|other side closed|socket hang up/.test(errorText(error));

/** The HTTP status that an error of a remote server came with. */
function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "number" && code >= 100 && code < 600 ? code : undefined;
}

// fetch says only "fetch failed"; what happened is in the cause.
function ownText(error: Error): string {
  const { cause } = error;
  const status = httpStatus(error);
  if (status !== undefined && !error.message.includes(String(status)))
    return `${error.message} (HTTP ${status})`;
  if (!(error instanceof TypeError) || !(cause instanceof Error)) return error.message;
  const detail = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${error.message}: ${detail}`;
}
