import { boundary, type Report } from "../boundary.ts";
import { drainOnceAnswered, endRequest } from "./end-request.ts";
import type { Handler } from "./front.ts";
import { pathOf } from "./path-of.ts";
import { reject } from "./rejection.ts";

/** The boundary around every request: whatever is thrown while it is answered is an error of this request alone. */
export function withErrorBoundary(handler: Handler, report: Report): Handler {
  return (request, response) => {
    const failed = (error: unknown) => {
      report("request", error, { path: pathOf(request).slice(0, MAX_PATH) });
      failRequest(request, response);
    };
    // One that is written to after its end says so here, and nowhere else.
    response.on("error", failed);
    drainOnceAnswered(request);
    boundary(failed)(handler)(request, response);
  };
}

/** How much of a path is worth a line in the log. */
const MAX_PATH = 200;

/** Answers a request that we have failed to answer; one that is half answered is broken off. */
export function failRequest(...[request, response]: Parameters<Handler>): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) endRequest(request);
  else reject(request, response, { status: 500, reason: "the daemon failed; its log says why" });
}
