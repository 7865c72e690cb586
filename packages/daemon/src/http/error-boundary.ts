import { boundary, type Report } from "../boundary.ts";
import { drainOnceAnswered, endRequest } from "./end-request.ts";
import type { Handler } from "./front.ts";
import { pathOf } from "./path-of.ts";
import { reject } from "./rejection.ts";

/** The boundary around every request: whatever its handler throws only affects this request. */
export function withErrorBoundary(handler: Handler, report: Report): Handler {
  return (request, response) => {
    const failed = (error: unknown) => {
      report("request", error, { path: pathOf(request).slice(0, MAX_PATH) });
      failRequest(request, response);
    };
    // A write after the end is reported only here.
    response.on("error", failed);
    drainOnceAnswered(request);
    boundary(failed)(handler)(request, response);
  };
}

/** How much of a path is logged. */
const MAX_PATH = 200;

/** Answers a request whose handler failed with status 500; aborts it if the response has already begun. */
export function failRequest(...[request, response]: Parameters<Handler>): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) endRequest(request);
  else reject(request, response, { status: 500, reason: "the daemon failed unexpectedly; see its log" });
}
