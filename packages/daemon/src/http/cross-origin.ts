import type { Handler } from "./front.ts";

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/** Whether the pages of an origin are those of another node's console. */
export type KnownOrigin = (origin: string) => boolean;

/** What pages of this daemon alone may do. */
export const NO_OTHER: KnownOrigin = () => false;

/** What the scripts of a console send. */
const HEADERS = "authorization, content-type, connect-protocol-version, connect-timeout-ms, agentwire-client";
/** For how long a browser remembers the answer. */
const MAX_AGE = "600";

/** Tells a browser that the page of another node may read the answer; cookies are never part of that. */
export function allowOrigin({ headers }: Request, response: Response): void {
  response.setHeader("access-control-allow-origin", headers.origin ?? "");
  response.setHeader("vary", "origin");
}

/** Answers a browser that asks whether the page of another node may call. */
export function answerPreflight(request: Request, response: Response): void {
  allowOrigin(request, response);
  response.writeHead(204, {
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": HEADERS,
    "access-control-max-age": MAX_AGE,
  });
  response.end();
}
