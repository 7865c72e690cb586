import type { Handler } from "./front.ts";

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/** Whether an origin is that of another node's console. */
export type KnownOrigin = (origin: string) => boolean;

/** Allows no origins but the daemon's own. */
export const NO_OTHER: KnownOrigin = () => false;

/** The headers that the scripts of a console send. */
const HEADERS = "authorization, content-type, connect-protocol-version, connect-timeout-ms, agentwire-client";
/** How long a browser caches the answer, in seconds. */
const MAX_AGE = "600";

/** Allows the page of another node to read the response; never with cookies. */
export function allowOrigin({ headers }: Request, response: Response): void {
  response.setHeader("access-control-allow-origin", headers.origin ?? "");
  response.setHeader("vary", "origin");
}

/** Answers the preflight request of another node's page. */
export function answerPreflight(request: Request, response: Response): void {
  allowOrigin(request, response);
  response.writeHead(204, {
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": HEADERS,
    "access-control-max-age": MAX_AGE,
  });
  response.end();
}
